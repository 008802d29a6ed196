//! The schema in front of gRPC services, which answer everything: what a gateway in GraphQL does.
//!
//! Without batching each resolver makes a call of its own, those of one book side by side. With it, the
//! selection tells beforehand what will be asked of a book, and one call gets it all.

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
