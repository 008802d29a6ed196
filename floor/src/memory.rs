//! What a floor server has learned.

use std::sync::OnceLock;

use http::{Request, Response};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::sync::Mutex;

use crate::{Exchange, FloorError, RecordedRequest, Replay, Teacher, exchange};

/// The exchanges of one floor server. It learns until it holds as many as it expects; after that it
/// only replays, with one atomic load and a comparison of targets per request.
#[derive(Debug)]
pub struct Memory {
    teacher: Teacher,
    expected: usize,
    learning: Mutex<Vec<&'static Exchange>>,
    complete: OnceLock<Box<[&'static Exchange]>>,
}

impl Memory {
    /// An empty memory that asks `teacher` for `expected` different answers.
    #[must_use]
    pub fn new(teacher: Teacher, expected: usize) -> Self {
        Self {
            teacher,
            expected,
            learning: Mutex::default(),
            complete: OnceLock::new(),
        }
    }

    /// The exchanges in the order learned, once all are; `None` before.
    pub fn exchanges(&self) -> Option<&[&'static Exchange]> {
        self.complete.get().map(AsRef::as_ref)
    }

    /// Reads the request to its end and answers it.
    ///
    /// # Errors
    /// [`FloorError::NotLearned`] for a target beyond the expected ones; otherwise a failure to read
    /// the request or to ask the teacher.
    pub async fn answer(&self, request: Request<Incoming>) -> Result<Response<Replay>, FloorError> {
        let Some(exchanges) = self.complete.get() else {
            return self.learn(request).await;
        };
        let (head, mut body) = request.into_parts();
        while body.frame().await.transpose()?.is_some() {}
        let target = exchange::target(&head.uri);
        match find(exchanges, target) {
            Some(known) => Ok(known.answer.response()),
            None => Err(FloorError::NotLearned {
                target: target.to_owned(),
                learned: exchanges.len(),
            }),
        }
    }

    async fn learn(&self, request: Request<Incoming>) -> Result<Response<Replay>, FloorError> {
        let (head, body) = request.into_parts();
        let request = RecordedRequest {
            method: head.method,
            uri: head.uri,
            headers: head.headers,
            body: body.collect().await?.to_bytes(),
        };
        // Held while the teacher answers, so that no target is learned twice.
        let mut learned = self.learning.lock().await;
        if let Some(known) = find(&learned, request.target()) {
            return Ok(known.answer.response());
        }
        if learned.len() == self.expected {
            return Err(FloorError::NotLearned {
                target: request.target().to_owned(),
                learned: learned.len(),
            });
        }
        let answer = self.teacher.ask(&request).await?;
        // Replays borrow it for as long as the process lives; there are at most `expected` of them.
        let exchange: &'static Exchange = Box::leak(Box::new(Exchange { request, answer }));
        learned.push(exchange);
        if learned.len() == self.expected {
            self.complete.get_or_init(|| learned.as_slice().into());
        }
        Ok(exchange.answer.response())
    }
}

fn find(exchanges: &[&'static Exchange], target: &str) -> Option<&'static Exchange> {
    exchanges
        .iter()
        .copied()
        .find(|exchange| exchange.request.target() == target)
}
