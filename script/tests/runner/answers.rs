//! Answers that the conformance scripts ask for by path.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use http::{HeaderValue, header};
use serde_json::json;
use tokio::sync::Barrier;

use crate::{
    digest, encoded, grpcweb,
    server::{Answer, Question, reply},
};

/// Answers by path.
pub async fn by_path(question: Question) -> Answer {
    let path = question.uri().path().to_owned();
    let mut parts = path.trim_matches('/').split('/');
    let (name, number) = (parts.next().unwrap(), parts.next().unwrap_or_default());
    match name {
        "echo" => echo(&question),
        "every.kind.v1.EchoService" => grpcweb::echo::answer(&question, number).await,
        "gateway" => grpcweb::echo::answer(&question, parts.next().unwrap_or_default()).await,
        "status" => reply(number.parse().unwrap(), "text/plain", "as asked"),
        "json" => reply(
            200,
            "application/json",
            r#"{"a":{"b":[{"c":1},{"c":2}]},"text":"ä","nothing":null}"#,
        ),
        "bytes" => reply(
            200,
            "application/octet-stream",
            vec![7; number.parse().unwrap()],
        ),
        "delay" => {
            tokio::time::sleep(Duration::from_millis(number.parse().unwrap())).await;
            reply(200, "text/plain", "late")
        }
        "redirect" => redirect(number.parse().unwrap()),
        "set-cookie" => {
            let mut answer = reply(200, "text/plain", "set");
            for cookie in ["id=7; Path=/; HttpOnly", "other=x; Path=/elsewhere"] {
                let value = HeaderValue::from_static(cookie);
                answer.headers_mut().append(header::SET_COOKIE, value);
            }
            answer
        }
        "sets" => {
            let mut answer = reply(200, "text/plain", "set");
            for cookie in std::str::from_utf8(question.body()).unwrap().lines() {
                let value = HeaderValue::from_str(cookie).unwrap();
                answer.headers_mut().append(header::SET_COOKIE, value);
            }
            answer
        }
        "digest" => digest::answer(&question, number),
        "encoded" => encoded::answer(number),
        "decoded" => encoded::decoded(&question),
        "meet" => {
            meet(number.parse().unwrap()).await;
            reply(200, "text/plain", "met")
        }
        "peak" => {
            // Long enough for others to come, were they allowed to.
            let _here = Here::enter();
            tokio::time::sleep(Duration::from_millis(50)).await;
            reply(200, "text/plain", Here::most().to_string())
        }
        "close" => {
            let mut answer = reply(200, "text/plain", "last");
            let value = HeaderValue::from_static("close");
            answer.headers_mut().insert(header::CONNECTION, value);
            answer
        }
        _ => reply(404, "text/plain", "no such path"),
    }
}

/// Returns when so many requests are waiting here.
async fn meet(count: usize) {
    static MEETINGS: Mutex<BTreeMap<usize, Arc<Barrier>>> = Mutex::new(BTreeMap::new());
    let barrier = {
        let mut meetings = MEETINGS.lock().unwrap();
        Arc::clone(
            meetings
                .entry(count)
                .or_insert_with(|| Arc::new(Barrier::new(count))),
        )
    };
    barrier.wait().await;
}

/// Counts the requests that are in the same place at once.
struct Here;

static PRESENT: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

impl Here {
    fn enter() -> Self {
        let present = PRESENT.fetch_add(1, SeqCst) + 1;
        MOST.fetch_max(present, SeqCst);
        Self
    }

    fn most() -> usize {
        MOST.load(SeqCst)
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        PRESENT.fetch_sub(1, SeqCst);
    }
}

fn redirect(hops: u32) -> Answer {
    let next = match hops {
        0 => return reply(200, "text/plain", "there"),
        1 => "/redirect/0".to_owned(),
        hops => format!("{}", hops - 1),
    };
    let mut answer = reply(302, "text/plain", "elsewhere");
    let value = HeaderValue::from_str(&next).unwrap();
    answer.headers_mut().insert(header::LOCATION, value);
    answer
}

fn echo(question: &Question) -> Answer {
    let headers: Vec<_> = (question.headers().iter())
        .map(|(name, value)| json!([name.as_str(), value.to_str().unwrap()]))
        .collect();
    let echo = json!({
        "method": question.method().as_str(),
        "url": question.uri().to_string(),
        "headers": headers,
        "body": String::from_utf8_lossy(question.body()),
    });
    reply(200, "application/json", echo.to_string())
}
