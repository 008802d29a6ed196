//! What can be changed.

use async_graphql::{Object, Result};
use bookstore_proto::v1::{OrderLine, ReserveStockRequest};

use super::{
    super::{
        orders::{Moved, OrderLineInput, ReserveStockInput},
        published::PublishedMutation,
        types::ReserveStockPayload,
    },
    Services,
};

/// What can be changed.
pub struct Mutation {
    /// Who is asked.
    pub services: Services,
}

/// What can be changed.
#[Object]
impl Mutation {
    /// Reserves every line of an order or none.
    async fn reserve_stock(&self, input: Moved<ReserveStockInput>) -> Result<ReserveStockPayload> {
        let Moved(input) = input;
        let line = |Moved(line): Moved<OrderLineInput>| OrderLine {
            isbn: line.isbn,
            quantity: line.quantity,
        };
        let order = ReserveStockRequest {
            order_id: input.order_id,
            lines: input.lines.into_iter().map(line).collect(),
        };
        self.services.reserve(order).await.map(ReserveStockPayload)
    }

    #[graphql(flatten)]
    #[expect(
        clippy::unused_async,
        reason = "async-graphql takes only async functions as resolvers"
    )]
    async fn published(&self) -> PublishedMutation {
        PublishedMutation
    }
}
