//! What tools ask a gRPC server about itself: health and reflection.

use axum::Router;
use futures_util::FutureExt as _;
use tokio::task::coop::unconstrained;
use tonic_health::{
    ServingStatus,
    pb::health_server::{HealthServer, SERVICE_NAME as HEALTH},
    server::{HealthReporter, HealthService},
};
use tonic_reflection::{
    pb::{
        v1::server_reflection_server::SERVICE_NAME as V1,
        v1alpha::server_reflection_server::SERVICE_NAME as V1_ALPHA,
    },
    server::Builder,
};

use super::{RpcConfig, mount};

/// Adds `grpc.health.v1.Health`, which says SERVING for the server and for each of `services`, and
/// reflection in `v1` and `v1alpha`, which lists them. The contract may have more.
pub(super) fn mount_all(router: Router, services: &[&str], config: &RpcConfig) -> Router {
    let router = mount(
        router,
        health(services, config),
        tonic_health::pb::FILE_DESCRIPTOR_SET,
        config,
    );
    let v1 = reflection(services)
        .with_service_name(V1)
        .build_v1()
        .expect("the descriptor sets are made at compile time")
        .max_decoding_message_size(config.max_message_bytes);
    let v1alpha = reflection(services)
        .with_service_name(V1_ALPHA)
        .build_v1alpha()
        .expect("the descriptor sets are made at compile time")
        .max_decoding_message_size(config.max_message_bytes);
    let v1_descriptors = tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET;
    let router = mount(router, v1, v1_descriptors, config);
    let v1alpha_descriptors = tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET;
    mount(router, v1alpha, v1alpha_descriptors, config)
}

fn health(services: &[&str], config: &RpcConfig) -> HealthServer<HealthService> {
    let reporter = HealthReporter::new();
    for service in services {
        let set = reporter.set_service_status(service, ServingStatus::Serving);
        unconstrained(set)
            .now_or_never()
            .expect("nobody else has the reporter yet, so its lock is free");
    }
    HealthServer::new(HealthService::from_health_reporter(reporter))
        .max_decoding_message_size(config.max_message_bytes)
}

fn reflection(services: &[&str]) -> Builder<'static> {
    let builder = Builder::configure().with_service_name(HEALTH);
    services
        .iter()
        .fold(builder, |builder, service| {
            builder.with_service_name(*service)
        })
        .register_encoded_file_descriptor_set(bookstore_proto::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
}
