//! The routes of work, with its account.

use axum::{Router, routing::get};
use bookstore_proto::v1::work_service_server::WorkServiceServer;
use http::header::CONTENT_TYPE;

use super::{
    rest::{self, WorkRest},
    rpc::WorkRpc,
    workshop::Workshop,
};
use crate::{
    Addresses, App,
    grpc_connection::{GrpcConnection, reachable},
    rpc::{self, RpcConfig},
};

/// `app` with work and a relay in front of it, which calls this server itself at `addresses`: the CPU of
/// both hops is this process'.
pub fn serve(app: App, addresses: Addresses, config: &RpcConfig) -> App {
    let workshop = Workshop::default();
    let service = WorkRpc::new(workshop.clone(), GrpcConnection::to(addresses.h2c));
    let service = WorkServiceServer::new(service);
    let rpc = rpc::mount(
        Router::new(),
        service,
        bookstore_proto::WORK_DESCRIPTOR_SET,
        config,
    );
    let account = workshop.clone();
    let metrics = get(async move || {
        let text = account.account().exposition();
        ([(CONTENT_TYPE, "text/plain; version=0.0.4")], text)
    });
    let rest = Router::new()
        .route("/api/work", get(rest::work))
        .route("/api/work/relayed", get(rest::relayed))
        .with_state(WorkRest::new(workshop, reachable(addresses.http1)))
        .route("/metrics/work", metrics);
    App {
        http1: app.http1.merge(rpc.clone()).merge(rest),
        h2c: app.h2c.merge(rpc),
    }
}
