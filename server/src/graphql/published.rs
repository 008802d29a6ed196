//! What the published benchmarks of gRPC against REST ask for, in GraphQL as ours.
//!
//! It is the same behind every schema, and so beside each `Query` and `Mutation` and not a part of them.

use async_graphql::Object;

use super::{
    landings::{LandingInput, LandingNode},
    orders::Moved,
};
use crate::{
    domain::greeting_for,
    meteorites::{TAKEN, VERSION, landings},
};

/// What can be read of them.
#[derive(Clone, Copy, Debug)]
pub struct PublishedQuery;

/// What can be read of the published benchmarks.
#[Object]
impl PublishedQuery {
    /// A greeting.
    async fn hello(&self, #[graphql(desc = "Who is greeted.")] name: String) -> Option<String> {
        Some(greeting_for(&name))
    }

    /// Which version the interface has.
    async fn version(&self) -> Option<&str> {
        Some(VERSION)
    }

    /// 1,000 landings of meteorites, always the same.
    async fn landings(&self) -> Option<Vec<LandingNode>> {
        Some(landings().iter().map(LandingNode).collect())
    }
}

/// What can be sent to them.
#[derive(Clone, Copy, Debug)]
pub struct PublishedMutation;

/// What can be sent to the published benchmarks.
#[Object]
impl PublishedMutation {
    /// Takes landings, keeps none, and says that it did.
    async fn post_landings(&self, landings: Vec<Moved<LandingInput>>) -> &str {
        // Dropping them is all that the published servers do, too.
        drop(landings);
        TAKEN
    }
}
