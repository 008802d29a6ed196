//! `bookstore.bench.v1.CatalogService`.

use std::{borrow::Cow, fmt, iter::Map, vec};

use bookstore_proto::v1::{
    self, GetBookDetailRequest, ListReviewsRequest, catalog_service_server::CatalogService,
};
use futures_util::stream;
use tonic::{Request, Response, Status};

use super::status::status_of;
use crate::domain::{BookDetail, Review, SharedBookstore, reach};

/// The service over a store.
pub struct CatalogRpc {
    store: SharedBookstore,
}

impl CatalogRpc {
    /// The service over `store`.
    #[must_use]
    pub fn new(store: SharedBookstore) -> Self {
        Self { store }
    }
}

impl fmt::Debug for CatalogRpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CatalogRpc").finish_non_exhaustive()
    }
}

/// Reviews on their way out. Nothing is encoded before the connection asks for it.
pub type ReviewStream =
    stream::Iter<Map<vec::IntoIter<v1::Review>, fn(v1::Review) -> Result<v1::Review, Status>>>;

#[tonic::async_trait]
impl CatalogService for CatalogRpc {
    type ListReviewsStream = ReviewStream;

    async fn get_book_detail(
        &self,
        request: Request<GetBookDetailRequest>,
    ) -> Result<Response<v1::BookDetail>, Status> {
        let message = request.get_ref();
        reach(&*self.store).await;
        let detail = self
            .store
            .book_detail(message.book_id, message.review_count)
            .map_err(|error| status_of(&error))?;
        Ok(Response::new(detail_message(detail)))
    }

    async fn list_reviews(
        &self,
        request: Request<ListReviewsRequest>,
    ) -> Result<Response<ReviewStream>, Status> {
        let message = request.get_ref();
        let limit = (message.limit != 0).then_some(message.limit);
        reach(&*self.store).await;
        let reviews = self
            .store
            .reviews(message.book_id, limit)
            .map_err(|error| status_of(&error))?;
        let sent: fn(v1::Review) -> Result<v1::Review, Status> = Ok;
        let reviews = review_messages(reviews).into_iter().map(sent);
        Ok(Response::new(stream::iter(reviews)))
    }
}

fn detail_message(detail: BookDetail<'_>) -> v1::BookDetail {
    let book = detail.book;
    v1::BookDetail {
        id: book.id,
        price_cents: book.price_cents,
        title: match book {
            Cow::Borrowed(book) => book.title.clone(),
            Cow::Owned(book) => book.title,
        },
        author_name: match detail.author {
            Cow::Borrowed(author) => author.name.clone(),
            Cow::Owned(author) => author.name,
        },
        stock: detail.stock.available,
        reviews: review_messages(detail.reviews),
    }
}

fn review_messages(reviews: Cow<'_, [Review]>) -> Vec<v1::Review> {
    match reviews {
        Cow::Borrowed(reviews) => reviews
            .iter()
            .map(|review| v1::Review {
                reviewer: review.reviewer.clone(),
                rating: review.rating,
                text: review.text.clone(),
            })
            .collect(),
        Cow::Owned(reviews) => reviews
            .into_iter()
            .map(|review| v1::Review {
                reviewer: review.reviewer,
                rating: review.rating,
                text: review.text,
            })
            .collect(),
    }
}
