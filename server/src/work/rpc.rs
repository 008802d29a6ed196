//! `bookstore.bench.v1.WorkService`.

use bookstore_proto::v1::{
    WorkReply, WorkRequest, work_service_client::WorkServiceClient,
    work_service_server::WorkService,
};
use tonic::{Request, Response, Status, metadata::MetadataMap};

use super::{
    caller::{self, GIVES_UP_AT},
    error::WorkError,
    workshop::Workshop,
};
use crate::{grpc_connection::GrpcConnection, rpc::CallEnd};

/// Both hops: the back does the work, the front calls the back.
pub struct WorkRpc {
    workshop: Workshop,
    back: WorkServiceClient<GrpcConnection>,
}

impl WorkRpc {
    /// Works in `workshop`, and calls the service behind `back`.
    pub fn new(workshop: Workshop, back: GrpcConnection) -> Self {
        Self {
            workshop,
            back: WorkServiceClient::new(back),
        }
    }
}

#[tonic::async_trait]
impl WorkService for WorkRpc {
    async fn do_work(&self, request: Request<WorkRequest>) -> Result<Response<WorkReply>, Status> {
        let gives_up_at = caller::gives_up_at(header(request.metadata()));
        let work = self
            .workshop
            .work(request.get_ref().duration_ms, gives_up_at);
        let cpu = work.await.map_err(|error| status_of(&error))?;
        Ok(Response::new(WorkReply {
            cpu_us: i64::try_from(cpu.as_micros()).unwrap_or(i64::MAX),
        }))
    }

    async fn relay_work(
        &self,
        request: Request<WorkRequest>,
    ) -> Result<Response<WorkReply>, Status> {
        let mut call = Request::new(*request.get_ref());
        if let Some(gives_up_at) = request.metadata().get(GIVES_UP_AT) {
            let metadata = call.metadata_mut();
            metadata.insert(GIVES_UP_AT, gives_up_at.clone());
        }
        if let Some(end) = request.extensions().get::<CallEnd>() {
            call.set_timeout(end.left());
        }
        self.back.clone().do_work(call).await
    }
}

fn header(metadata: &MetadataMap) -> Option<&str> {
    metadata.get(GIVES_UP_AT)?.to_str().ok()
}

fn status_of(error: &WorkError) -> Status {
    Status::invalid_argument(error.to_string())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::{convert::Infallible, time::Duration};

    use bytes::Bytes;
    use hyper::{body::Incoming, server::conn::http2, service::service_fn};
    use hyper_util::rt::{TokioExecutor, TokioIo};
    use tokio::{net::TcpListener, sync::mpsc};

    use super::*;

    /// A back that says which headers each call has, and answers with a status.
    async fn back() -> (GrpcConnection, mpsc::UnboundedReceiver<http::HeaderMap>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (seen, headers) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            let service = service_fn(move |request: http::Request<Incoming>| {
                seen.send(request.headers().clone()).unwrap();
                let answer: http::Response<http_body_util::Full<Bytes>> =
                    Status::unavailable("seen").into_http();
                std::future::ready(Ok::<_, Infallible>(answer))
            });
            let server = http2::Builder::new(TokioExecutor::new());
            let _ = server.serve_connection(TokioIo::new(stream), service).await;
        });
        (GrpcConnection::to(address), headers)
    }

    #[tokio::test]
    async fn what_is_left_of_the_deadline_and_the_moment_of_giving_up_are_passed_on() {
        let (forward, mut seen) = back().await;
        let service = WorkRpc::new(Workshop::default(), forward);
        let mut request = Request::new(WorkRequest { duration_ms: 1 });
        request
            .metadata_mut()
            .insert(GIVES_UP_AT, "7".parse().unwrap());
        let end = CallEnd::after(Duration::from_mins(1)).unwrap();
        request.extensions_mut().insert(end);
        let refused = service.relay_work(request).await.unwrap_err();
        assert_eq!(refused.message(), "seen");
        let headers = seen.recv().await.unwrap();
        assert_eq!(headers[GIVES_UP_AT], "7");
        let timeout = headers["grpc-timeout"].to_str().unwrap();
        let us: u64 = timeout.strip_suffix('u').unwrap().parse().unwrap();
        assert!((1..60_000_000).contains(&us), "{timeout}");

        let without = Request::new(WorkRequest { duration_ms: 1 });
        assert!(service.relay_work(without).await.is_err());
        assert!(!seen.recv().await.unwrap().contains_key("grpc-timeout"));
    }
}
