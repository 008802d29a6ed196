//! The cells about books: orders, screens, costly queries; and the greeting, which has no scenario's data.

use std::{cell::Cell, rc::Rc};

use http::HeaderValue;

use super::{Check, Worker, call};
use crate::{
    costly::Shape,
    load::{
        LoadError,
        client::{
            Beside, BookResources, Costly, GrpcCall, GrpcInTurn, GrpcResources, Http2Operation,
            HttpInTurn, HttpOperation,
        },
        style::{
            Order, costly,
            graphql::{self, Named},
            greeting, grpc_web,
            message::{
                self, GET_BOOK_DETAIL, RESERVE_STOCK, book_detail_request, book_detail_request_of,
            },
            rest,
            screen::BOOK_ID,
        },
        wire::{Endpoint, HttpRequest},
    },
};

/// The request of a cell whose operation is one HTTP request, and what its answer has to be.
fn single_request(cell: &str, host: &HeaderValue, order: &Order) -> Option<(HttpRequest, Check)> {
    let reserve = |named| graphql::reserve_stock(host, named, order);
    let screen = |named| graphql::book_detail(host, named);
    let (request, check): (_, Check) = match cell {
        "a-rest" => (rest::reserve_stock(host, order), rest::check_reservation),
        "a-graphql" => (reserve(Named::Text), graphql::check_reservation),
        "a-graphql-hash" => (reserve(Named::Hash), graphql::check_reservation),
        "a-graphql-id" => (reserve(Named::Id), graphql::check_reservation),
        "a-grpcweb" => (
            grpc_web::reserve_stock(host, order),
            grpc_web::check_reservation,
        ),
        "g-hello-rest" => (greeting::same_text(host), greeting::check_same_text),
        "g-hello-rest-own" => (greeting::own_text(host), greeting::check_own_text),
        "g-hello-graphql" => (greeting::query(host), greeting::check_query),
        "b-rest-bff" => (rest::screen(host), rest::check_screen),
        "b-graphql" => (screen(Named::Text), graphql::check_book_detail),
        "b-graphql-hash" => (screen(Named::Hash), graphql::check_book_detail),
        "b-graphql-id" => (screen(Named::Id), graphql::check_book_detail),
        "b-graphql-get" => (
            graphql::book_detail_by_get(host),
            graphql::check_book_detail,
        ),
        "b-grpcweb" => (grpc_web::book_detail(host), grpc_web::check_book_detail),
        "q-deep" => (costly::query(host, Shape::Deep), costly::check),
        "q-wide" => (costly::query(host, Shape::Wide), costly::check),
        "q-alias" => (costly::query(host, Shape::Aliased), costly::check),
        "q-list" => (costly::query(host, Shape::Amplified), costly::check),
        _ => return None,
    };
    Some((request, check))
}

impl Worker {
    /// Drives the cells of scenarios a, b, g.hello and q.*.
    pub(super) async fn drive_books(
        self,
        endpoint: &Rc<Endpoint>,
        host: &HeaderValue,
        cell: &str,
    ) -> Result<u64, LoadError> {
        let order = Order::with_lines(self.share.settings.lines.unwrap_or(0));
        if let Some((request, check)) = single_request(cell, host, &order) {
            return self.drive_request(endpoint, request, check).await;
        }
        match cell {
            "a-grpc" => {
                let (uri, message) = (call(endpoint, RESERVE_STOCK), order.to_message());
                let check = message::check_reservation;
                self.drive(|| GrpcCall::new(endpoint, uri.clone(), message.clone(), check))
                    .await
            }
            "b-grpc" => {
                let (uri, message) = (call(endpoint, GET_BOOK_DETAIL), book_detail_request());
                let check = message::check_book_detail;
                self.drive(|| GrpcCall::new(endpoint, uri.clone(), message, check))
                    .await
            }
            "b-grpc-resources" => {
                self.drive(|| GrpcResources::new(endpoint, |method| call(endpoint, method)))
                    .await
            }
            "b-rest" => self.drive(|| BookResources::new(endpoint, host)).await,
            "b-rest-fields" => self.drive(|| BookResources::sparse(endpoint, host)).await,
            "b-rest-etag" | "b-rest-max-age" => {
                self.drive(|| BookResources::cached(endpoint, host)).await
            }
            "b-graphql-max-age" => {
                let request = graphql::book_detail_by_get(host);
                let check = graphql::check_book_detail;
                self.drive(|| HttpOperation::cached(endpoint, request.clone(), check))
                    .await
            }
            "b-calls-rest" => {
                let requests = self.books(|book| rest::screen_of(host, book));
                let check = rest::check_screen_of;
                self.drive(|| HttpInTurn::new(endpoint, Rc::clone(&requests), check))
                    .await
            }
            "b-calls-graphql" => {
                let requests = self.books(|book| graphql::book_detail_of(host, Named::Text, book));
                let check = graphql::check_book_detail_of;
                self.drive(|| HttpInTurn::new(endpoint, Rc::clone(&requests), check))
                    .await
            }
            "b-calls-grpcweb" => {
                let requests = self.books(|book| grpc_web::book_detail_of(host, book));
                let check = grpc_web::check_book_detail_of;
                self.drive(|| HttpInTurn::new(endpoint, Rc::clone(&requests), check))
                    .await
            }
            "b-calls-grpc" => {
                let uri = call(endpoint, GET_BOOK_DETAIL);
                let messages = self.books(book_detail_request_of);
                self.drive(|| GrpcInTurn::new(endpoint, uri.clone(), Rc::clone(&messages)))
                    .await
            }
            "q-beside" => self.drive_beside(endpoint, host).await,
            "g-hello-grpc" => {
                let uri = call(endpoint, greeting::SAY_HELLO);
                let check = greeting::check_reply;
                self.drive(|| GrpcCall::new(endpoint, uri.clone(), greeting::hello(), check))
                    .await
            }
            _ => Err(LoadError::NoClient {
                cell: cell.to_owned(),
            }),
        }
    }

    /// The requests of one operation, one for each book from the first on.
    fn books<T>(&self, request: impl Fn(i32) -> T) -> Rc<[T]> {
        let books = (BOOK_ID..).take(self.share.settings.calls as usize);
        books.map(request).collect()
    }

    /// Drives operations of one request over the HTTP version of the settings.
    async fn drive_request(
        self,
        endpoint: &Rc<Endpoint>,
        request: HttpRequest,
        check: Check,
    ) -> Result<u64, LoadError> {
        if self.share.settings.http2 {
            self.drive(|| Http2Operation::new(endpoint, request.clone(), check))
                .await
        } else {
            self.drive(|| HttpOperation::new(endpoint, request.clone(), check))
                .await
        }
    }

    /// Drives ordinary queries; one virtual user of all has a costly one sent beside them.
    async fn drive_beside(
        self,
        endpoint: &Rc<Endpoint>,
        host: &HeaderValue,
    ) -> Result<u64, LoadError> {
        let ordinary = graphql::book_detail(host, Named::Text);
        let query = costly::query(host, Shape::Amplified);
        let is_first = Cell::new(self.share.worker == 0);
        self.drive(|| {
            let check = graphql::check_book_detail;
            let operation = HttpOperation::new(endpoint, ordinary.clone(), check);
            let costly = is_first
                .take()
                .then(|| Costly::new(endpoint, query.clone()));
            Beside::new(operation, costly)
        })
        .await
    }
}
