//! What tools ask a gRPC server about itself: health and reflection.

use axum::Router;
use bookstore_proto::v1::{
    catalog_service_server::SERVICE_NAME as CATALOG, event_service_server::SERVICE_NAME as EVENTS,
    inventory_service_server::SERVICE_NAME as INVENTORY,
    resource_service_server::SERVICE_NAME as RESOURCES,
};
use futures_util::FutureExt as _;
use tokio::task::coop::unconstrained;
use tonic_health::{
    ServingStatus,
    pb::health_server::HealthServer,
    server::{HealthReporter, HealthService},
};
use tonic_reflection::server::Builder;

use super::{RpcConfig, mount};

/// Adds `grpc.health.v1.Health`, which says SERVING for the server and for every service of the contract, and
/// reflection in `v1` and `v1alpha`.
pub(super) fn mount_all(router: Router, config: &RpcConfig) -> Router {
    let router = mount(
        router,
        health(config),
        tonic_health::pb::FILE_DESCRIPTOR_SET,
        config,
    );
    let v1 = reflection()
        .build_v1()
        .expect("the descriptor sets are made at compile time")
        .max_decoding_message_size(config.max_message_bytes);
    let v1alpha = reflection()
        .build_v1alpha()
        .expect("the descriptor sets are made at compile time")
        .max_decoding_message_size(config.max_message_bytes);
    let v1_descriptors = tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET;
    let router = mount(router, v1, v1_descriptors, config);
    let v1alpha_descriptors = tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET;
    mount(router, v1alpha, v1alpha_descriptors, config)
}

fn health(config: &RpcConfig) -> HealthServer<HealthService> {
    let reporter = HealthReporter::new();
    for service in [INVENTORY, CATALOG, RESOURCES, EVENTS] {
        let set = reporter.set_service_status(service, ServingStatus::Serving);
        unconstrained(set)
            .now_or_never()
            .expect("nobody else has the reporter yet, so its lock is free");
    }
    HealthServer::new(HealthService::from_health_reporter(reporter))
        .max_decoding_message_size(config.max_message_bytes)
}

fn reflection() -> Builder<'static> {
    Builder::configure()
        .register_encoded_file_descriptor_set(bookstore_proto::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
}
