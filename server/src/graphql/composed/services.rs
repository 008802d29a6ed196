//! The calls that the resolvers make.

use async_graphql::Result;
use bookstore_proto::v1::{
    BatchGetRequest, BatchGetResponse, GetAuthorRequest, GetBookRequest, GetReviewsRequest,
    GetStockRequest, ReserveStockRequest, inventory_service_client::InventoryServiceClient,
    resource_service_client::ResourceServiceClient,
};
use tonic::Status;

use super::{super::Upstream, answer, refusal::refusal};
use crate::{
    domain::{Author, Book, Reservation, Review},
    grpc_connection::GrpcConnection,
};

/// Clients of the services. Clones share their connections.
#[derive(Clone)]
pub struct Services {
    resources: ResourceServiceClient<GrpcConnection>,
    inventory: InventoryServiceClient<GrpcConnection>,
    /// Whether what belongs to a book is asked for in one call.
    pub is_batching: bool,
}

impl Services {
    /// The services of the server there; nothing is connected yet.
    pub fn at(upstream: Upstream) -> Self {
        let connection = GrpcConnection::to(upstream.address);
        Self {
            resources: ResourceServiceClient::new(connection.clone()),
            inventory: InventoryServiceClient::new(connection),
            is_batching: upstream.is_batching,
        }
    }

    pub async fn book(&self, book_id: i32) -> Result<Book> {
        let asked = GetBookRequest { book_id };
        let book = self.resources.clone().get_book(asked).await;
        Ok(answer::book(book.map_err(refused)?.into_inner()))
    }

    pub async fn author(&self, author_id: i32) -> Result<Author> {
        let asked = GetAuthorRequest { author_id };
        let author = self.resources.clone().get_author(asked).await;
        Ok(answer::author(author.map_err(refused)?.into_inner()))
    }

    /// Copies of a book.
    pub async fn stock(&self, book_id: i32) -> Result<i32> {
        let asked = GetStockRequest { book_id };
        let stock = self.resources.clone().get_stock(asked).await;
        Ok(stock.map_err(refused)?.into_inner().available)
    }

    pub async fn reviews(&self, asked: GetReviewsRequest) -> Result<Vec<Review>> {
        let reviews = self.resources.clone().get_reviews(asked).await;
        Ok(answer::reviews(reviews.map_err(refused)?.into_inner()))
    }

    /// All that is asked for, or the first refusal.
    pub async fn batch(&self, asked: BatchGetRequest) -> Result<BatchGetResponse> {
        let found = self.resources.clone().batch_get(asked).await;
        Ok(found.map_err(refused)?.into_inner())
    }

    pub async fn reserve(&self, order: ReserveStockRequest) -> Result<Reservation> {
        let made = self.inventory.clone().reserve_stock(order).await;
        answer::reservation(made.map_err(refused)?.into_inner())
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the error of a call is mapped by it"
)]
fn refused(status: Status) -> async_graphql::Error {
    refusal(&status)
}
