//! Stores and services that behave badly on purpose.

use std::{
    borrow::Cow,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    thread,
    time::Duration,
};

use axum::Router;
use bookstore_proto::v1::{
    self, GetBookDetailRequest, ListReviewsRequest,
    catalog_service_server::{CatalogService, CatalogServiceServer},
};
use bookstore_server::{
    domain::{
        Author, Book, BookId, Bookstore, DomainError, InMemoryBookstore, Order, Reservation,
        Review, Stock,
    },
    rpc::{self, RpcConfig},
};
use futures_util::{FutureExt as _, Stream};
use tokio::sync::{Notify, oneshot};
use tonic::{Request, Response, Status};

/// Refuses everything with one error.
pub struct Refusing(pub DomainError);

impl Bookstore for Refusing {
    fn reserve(&self, _: &Order<'_>) -> Result<Reservation, DomainError> {
        Err(self.0.clone())
    }

    fn book(&self, _: BookId) -> Result<Cow<'_, Book>, DomainError> {
        Err(self.0.clone())
    }

    fn author(&self, _: i32) -> Result<Cow<'_, Author>, DomainError> {
        Err(self.0.clone())
    }

    fn stock(&self, _: BookId) -> Result<Stock, DomainError> {
        Err(self.0.clone())
    }

    fn reviews(&self, _: BookId, _: Option<i32>) -> Result<Cow<'_, [Review]>, DomainError> {
        Err(self.0.clone())
    }
}

/// Blocks its thread before every answer.
#[derive(Default)]
pub struct Blocking(InMemoryBookstore);

impl Blocking {
    pub const TIME: Duration = Duration::from_millis(5);
}

impl Bookstore for Blocking {
    fn reserve(&self, order: &Order<'_>) -> Result<Reservation, DomainError> {
        thread::sleep(Self::TIME);
        self.0.reserve(order)
    }

    fn book(&self, id: BookId) -> Result<Cow<'_, Book>, DomainError> {
        thread::sleep(Self::TIME);
        self.0.book(id)
    }

    fn author(&self, id: i32) -> Result<Cow<'_, Author>, DomainError> {
        self.0.author(id)
    }

    fn stock(&self, id: BookId) -> Result<Stock, DomainError> {
        self.0.stock(id)
    }

    fn reviews(&self, id: BookId, limit: Option<i32>) -> Result<Cow<'_, [Review]>, DomainError> {
        thread::sleep(Self::TIME);
        self.0.reviews(id, limit)
    }
}

/// A catalogue whose unary call never answers and whose stream never ends, mounted like the
/// product's own services.
pub struct Endless {
    work: Arc<Work>,
    pace: Pace,
}

/// How fast the endless stream is.
#[derive(Clone, Copy)]
pub enum Pace {
    /// One review, then nothing more.
    Stalls,
    /// A review whenever one is asked for.
    Runs,
    /// The same, and each moves the stopped clock on by a millisecond; for 2 seconds, so that a
    /// failing test ends as well.
    TakesTime,
}

/// What an [`Endless`] is busy with.
#[derive(Default)]
pub struct Work {
    pub started: Notify,
    pub produced: AtomicUsize,
    dropped: Mutex<Option<oneshot::Sender<()>>>,
}

/// Says that the work was dropped.
struct DropGuard(Arc<Work>);

impl Drop for DropGuard {
    fn drop(&mut self) {
        if let Some(dropped) = self.0.dropped.lock().unwrap().take() {
            dropped.send(()).unwrap();
        }
    }
}

/// The router, the work, and what resolves when the work is dropped.
pub fn endless(pace: Pace) -> (Router, Arc<Work>, oneshot::Receiver<()>) {
    let (sender, receiver) = oneshot::channel();
    let work = Arc::new(Work::default());
    *work.dropped.lock().unwrap() = Some(sender);
    let service = CatalogServiceServer::new(Endless {
        work: work.clone(),
        pace,
    });
    let contract = bookstore_proto::FILE_DESCRIPTOR_SET;
    let router = rpc::mount(Router::new(), service, contract, &RpcConfig::default());
    (router, work, receiver)
}

#[tonic::async_trait]
impl CatalogService for Endless {
    type ListReviewsStream = EndlessReviews;

    async fn get_book_detail(
        &self,
        _: Request<GetBookDetailRequest>,
    ) -> Result<Response<v1::BookDetail>, Status> {
        let _guard = DropGuard(self.work.clone());
        self.work.started.notify_one();
        std::future::pending().await
    }

    async fn list_reviews(
        &self,
        _: Request<ListReviewsRequest>,
    ) -> Result<Response<EndlessReviews>, Status> {
        Ok(Response::new(EndlessReviews {
            guard: DropGuard(self.work.clone()),
            pace: self.pace,
        }))
    }
}

pub struct EndlessReviews {
    guard: DropGuard,
    pace: Pace,
}

impl Stream for EndlessReviews {
    type Item = Result<v1::Review, Status>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let produced = self.guard.0.produced.fetch_add(1, Ordering::SeqCst);
        if let Pace::TakesTime = self.pace {
            // Moves the clock when first polled; the rest of it only yields.
            let _ = tokio::time::advance(Duration::from_millis(1)).now_or_never();
        }
        match self.pace {
            Pace::Stalls if produced > 0 => Poll::Pending,
            Pace::TakesTime if produced >= 2_000 => Poll::Ready(None),
            Pace::Stalls | Pace::Runs | Pace::TakesTime => Poll::Ready(Some(Ok(v1::Review {
                reviewer: "Ada".to_owned(),
                rating: 5,
                text: "again ".repeat(100),
            }))),
        }
    }
}
