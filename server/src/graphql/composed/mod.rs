//! The schema in front of gRPC services, which answer everything: what a gateway in GraphQL does.
//!
//! The selection tells what the fields of a book will need. Without batching a call is made for each, all
//! side by side; with it one call gets everything.

mod answer;
mod book;
mod mutation;
mod query;
mod refusal;
mod services;

pub use mutation::Mutation;
pub use query::Query;
pub use services::Services;

/// Both roots of the schema.
pub fn roots(services: &Services) -> (Query, Mutation) {
    (
        Query {
            services: services.clone(),
        },
        Mutation {
            services: services.clone(),
        },
    )
}
