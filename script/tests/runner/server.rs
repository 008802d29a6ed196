//! A server in the test's own process.

use std::{convert::Infallible, future::Future, net::Ipv4Addr, sync::mpsc, thread};

use bytes::Bytes;
use http::{Request, Response, header};
use http_body_util::{BodyExt, Full};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpListener, runtime, sync::oneshot, task::LocalSet};

/// A request with its whole body.
pub type Question = Request<Bytes>;
/// An answer.
pub type Answer = Response<Full<Bytes>>;

/// Ends with the value.
pub struct Server {
    pub base_url: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().unwrap().join();
    }
}

/// Serves HTTP/1.1 until the value is dropped.
pub fn serve<F, A>(answer: F) -> Server
where
    F: Fn(Question) -> A + Copy + Send + 'static,
    A: Future<Output = Answer> + 'static,
{
    let (stop, stopped) = oneshot::channel();
    let (started, address) = mpsc::channel();
    let thread = thread::spawn(move || {
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        LocalSet::new().block_on(&runtime, async move {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
            started.send(listener.local_addr().unwrap()).unwrap();
            tokio::select! {
                _ = stopped => {}
                () = accept(listener, answer) => {}
            }
        });
    });
    Server {
        base_url: format!("http://{}", address.recv().unwrap()),
        stop: Some(stop),
        thread: Some(thread),
    }
}

async fn accept<F, A>(listener: TcpListener, answer: F)
where
    F: Fn(Question) -> A + Copy + Send + 'static,
    A: Future<Output = Answer> + 'static,
{
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        tokio::task::spawn_local(async move {
            let service = service_fn(move |request: Request<Incoming>| async move {
                let (parts, body) = request.into_parts();
                let body = body.collect().await.unwrap().to_bytes();
                Ok::<_, Infallible>(answer(Request::from_parts(parts, body)).await)
            });
            // A client that ends in the middle is part of some tests.
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

/// An answer with a status and a body.
pub fn reply(status: u16, content_type: &str, body: impl Into<Bytes>) -> Answer {
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, content_type)
        .body(Full::new(body.into()))
        .unwrap()
}
