//! The routes of the gRPC services.

use std::convert::Infallible;

use axum::{Router, response::Response};
use bookstore_proto::{
    greet::greeter_server::{GreeterServer, SERVICE_NAME as GREETER},
    meteorite_landings::meteorite_landings_service_server::{
        MeteoriteLandingsServiceServer, SERVICE_NAME as LANDINGS,
    },
    v1::{
        catalog_service_server::{CatalogServiceServer, SERVICE_NAME as CATALOG},
        event_service_server::{EventServiceServer, SERVICE_NAME as EVENTS},
        expenses_service_server::{ExpensesServiceServer, SERVICE_NAME as EXPENSES},
        inventory_service_server::{InventoryServiceServer, SERVICE_NAME as INVENTORY},
        resource_service_server::{ResourceServiceServer, SERVICE_NAME as RESOURCES},
    },
};
use http::{HeaderMap, HeaderValue, Request, header::CONTENT_TYPE};
use prost::Message as _;
use prost_types::FileDescriptorSet;
use tonic::{Status, body::Body, server::NamedService};
use tower_service::Service;

use super::{
    catalog::CatalogRpc,
    compression::{ByEncoding, GZIP},
    content_type,
    entry::entry,
    events::EventRpc,
    expenses::ExpensesRpc,
    greeter::GreeterRpc,
    guard::CallLimits,
    introspection,
    inventory::InventoryRpc,
    meteorites::LandingsRpc,
    request_body::{RequestBody, RequestMessages},
    resources::ResourceRpc,
};
use crate::{domain::SharedBookstore, expenses::Expenses};

/// The services that are always there.
const OF_BOOKS: [&str; 6] = [INVENTORY, CATALOG, RESOURCES, EVENTS, GREETER, LANDINGS];

/// Settings of the gRPC services.
#[derive(Clone, Debug)]
pub struct RpcConfig {
    /// Largest message accepted, in bytes after decompression; 4 MiB by default.
    pub max_message_bytes: usize,
}

impl Default for RpcConfig {
    fn default() -> Self {
        Self {
            max_message_bytes: 4 * 1024 * 1024,
        }
    }
}

/// The Bookstore's services over `store`, with health and reflection, in gRPC and gRPC-Web.
///
/// The router has its services' routes only, and no fallback: see [`unimplemented()`].
pub fn router(store: SharedBookstore, config: &RpcConfig) -> Router {
    introspection::mount_all(books(store, config), &OF_BOOKS, config)
}

/// As [`router()`], beside the routes of [`expenses_router()`] and what they may have been wrapped in.
pub fn router_with_expenses(
    store: SharedBookstore,
    expenses: Router,
    config: &RpcConfig,
) -> Router {
    let services: Vec<&str> = OF_BOOKS.into_iter().chain([EXPENSES]).collect();
    let router = books(store, config).merge(expenses);
    introspection::mount_all(router, &services, config)
}

/// The service of users and expenses alone, in gRPC and gRPC-Web.
pub fn expenses_router(expenses: Expenses, config: &RpcConfig) -> Router {
    let service = ExpensesServiceServer::new(ExpensesRpc::new(expenses))
        .max_decoding_message_size(config.max_message_bytes);
    let service = ByEncoding::new(
        service.clone(),
        service.accept_compressed(GZIP).send_compressed(GZIP),
    );
    let contract = bookstore_proto::FILE_DESCRIPTOR_SET;
    mount(Router::new(), service, contract, config)
}

fn books(store: SharedBookstore, config: &RpcConfig) -> Router {
    let inventory = InventoryServiceServer::new(InventoryRpc::new(store.clone()))
        .max_decoding_message_size(config.max_message_bytes);
    let events = EventServiceServer::new(EventRpc::new(store.events()))
        .max_decoding_message_size(config.max_message_bytes);
    let catalog = CatalogServiceServer::new(CatalogRpc::new(store.clone()))
        .max_decoding_message_size(config.max_message_bytes);
    let resources = ResourceServiceServer::new(ResourceRpc::new(store))
        .max_decoding_message_size(config.max_message_bytes);
    let inventory = ByEncoding::new(
        inventory.clone(),
        inventory.accept_compressed(GZIP).send_compressed(GZIP),
    );
    let catalog = ByEncoding::new(
        catalog.clone(),
        catalog.accept_compressed(GZIP).send_compressed(GZIP),
    );
    let resources = ByEncoding::new(
        resources.clone(),
        resources.accept_compressed(GZIP).send_compressed(GZIP),
    );
    let contract = bookstore_proto::FILE_DESCRIPTOR_SET;
    let router = mount(Router::new(), inventory, contract, config);
    let router = mount(router, catalog, contract, config);
    let router = mount(router, events, contract, config);
    let router = mount(router, resources, contract, config);
    let router = mount(router, GreeterServer::new(GreeterRpc), contract, config);
    let landings = MeteoriteLandingsServiceServer::new(LandingsRpc)
        .max_decoding_message_size(config.max_message_bytes);
    mount(router, landings, contract, config)
}

/// Adds one generated gRPC service to `router`, behind the same layers as the product's own.
///
/// `descriptor_set` is the encoded `FileDescriptorSet` with the service: its methods are routed by
/// their exact paths (a wildcard costs three allocations per call), and it tells which methods
/// take a single message. Other paths of the service answer `UNIMPLEMENTED`.
///
/// # Panics
/// When `descriptor_set` does not decode or `router` already has the service.
pub fn mount<S>(mut router: Router, service: S, descriptor_set: &[u8], config: &RpcConfig) -> Router
where
    S: Service<Request<RequestBody>, Response = http::Response<Body>, Error = Infallible>
        + NamedService
        + Clone
        + Send
        + Sync
        + 'static,
    S::Future: Unpin + Send + 'static,
{
    for (method, request_messages) in methods(descriptor_set, S::NAME) {
        let limits = CallLimits {
            request_messages,
            max_message_bytes: config.max_message_bytes,
        };
        let path = format!("/{}/{method}", S::NAME);
        router = router.route_service(&path, entry(service.clone(), limits));
    }
    let limits = CallLimits {
        request_messages: RequestMessages::Any,
        max_message_bytes: config.max_message_bytes,
    };
    let unknown_method = format!("/{}/{{*method}}", S::NAME);
    router.route_service(&unknown_method, entry(service, limits))
}

/// The answer to a request that no route took, if it speaks gRPC or gRPC-Web by its content type:
/// `UNIMPLEMENTED`, in the headers of an empty answer. `None` for any other request, whose answer
/// is the business of the style that owns the port.
#[must_use]
pub fn unimplemented(request_headers: &HeaderMap) -> Option<Response> {
    let answer_type = content_type::of_refused_call(request_headers)?;
    let mut response = Status::unimplemented("no such service; reflection lists those that exist")
        .into_http::<axum::body::Body>();
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(answer_type));
    Some(response)
}

/// Name and cardinality of every method of `service`.
fn methods(descriptor_set: &[u8], service: &str) -> Vec<(String, RequestMessages)> {
    let set = FileDescriptorSet::decode(descriptor_set)
        .expect("a descriptor set is made at compile time, and every test starts by decoding it");
    set.file
        .iter()
        .flat_map(|file| file.service.iter().map(move |service| (file, service)))
        .filter(|(file, found)| format!("{}.{}", file.package(), found.name()) == service)
        .flat_map(|(_, found)| &found.method)
        .map(|method| {
            let messages = if method.client_streaming() {
                RequestMessages::Any
            } else {
                RequestMessages::One
            };
            (method.name().to_owned(), messages)
        })
        .collect()
}
