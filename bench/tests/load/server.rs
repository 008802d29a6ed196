//! Servers that answer as a test wants; each ends with its handle.

use std::{
    convert::Infallible,
    future::Future,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use bookstore_proto::v1::{
    Author, Book, BookDetail, BookReview, GetAuthorRequest, GetBookDetailRequest, GetBookRequest,
    GetStockRequest, ReserveStockRequest, ReserveStockResponse, Review, Reviews, Stock,
};
use bytes::{BufMut, Bytes, BytesMut};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use prost::Message;
use serde_json::{Value, json};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::oneshot,
};

use crate::household::{household, list};

const GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");

/// A running server.
pub struct Server {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A request that has arrived whole.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Method and path.
    pub line: String,
    pub body: Bytes,
}

/// What is answered, and how long that takes.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub body: Bytes,
    pub delay: Duration,
    /// gRPC only: in the trailers, or in the head when there is no body.
    pub grpc_status: &'static str,
    /// HTTP/1.1 only: say `Connection: close`.
    pub close: bool,
}

impl Reply {
    pub fn new(status: u16, body: impl Into<Bytes>) -> Self {
        Self {
            status: StatusCode::from_u16(status).unwrap(),
            body: body.into(),
            delay: Duration::ZERO,
            grpc_status: "0",
            close: false,
        }
    }

    pub fn json(status: u16, value: &Value) -> Self {
        Self::new(status, serde_json::to_vec(value).unwrap())
    }
}

impl Server {
    /// Hands every connection to a function.
    pub fn raw<F, S>(serve: S) -> Self
    where
        F: Future<Output = ()> + 'static,
        S: Fn(TcpStream) -> F + Send + 'static,
    {
        let (stop, mut stopped) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::LocalRuntime::new().unwrap();
            runtime.block_on(async {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                loop {
                    tokio::select! {
                        accepted = listener.accept() => {
                            tokio::task::spawn_local(serve(accepted.unwrap().0));
                        }
                        _ = &mut stopped => break,
                    }
                }
            });
        });
        Self {
            address: told.recv().unwrap(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// HTTP/1.1.
    pub fn http(answer: impl Fn(&Ask) -> Reply + Send + Sync + 'static) -> Self {
        let answer = Arc::new(answer);
        Self::raw(move |stream| {
            let answer = Arc::clone(&answer);
            async move {
                let service = service_fn(|request: http::Request<hyper::body::Incoming>| async {
                    let line = format!("{} {}", request.method(), request.uri());
                    let body = request.into_body().collect().await.unwrap().to_bytes();
                    let reply = answer(&Ask { line, body });
                    tokio::time::sleep(reply.delay).await;
                    let mut response = Response::new(Full::new(reply.body));
                    *response.status_mut() = reply.status;
                    if reply.close {
                        let close = HeaderValue::from_static("close");
                        response.headers_mut().insert("connection", close);
                    }
                    Ok::<_, Infallible>(response)
                });
                // A client that goes away is none of the test's business.
                let _ = http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            }
        })
    }

    /// gRPC over cleartext HTTP/2; bodies come and go with their prefix.
    pub fn grpc(answer: impl Fn(&Ask) -> Reply + Send + Sync + 'static) -> Self {
        let answer = Arc::new(answer);
        Self::raw(move |stream| {
            let answer = Arc::clone(&answer);
            async move {
                let mut connection = h2::server::handshake(stream).await.unwrap();
                while let Some(Ok((request, mut respond))) = connection.accept().await {
                    let answer = Arc::clone(&answer);
                    tokio::task::spawn_local(async move {
                        let line = format!("{} {}", request.method(), request.uri().path());
                        let mut body = BytesMut::new();
                        let mut incoming = request.into_body();
                        while let Some(Ok(piece)) = incoming.data().await {
                            incoming
                                .flow_control()
                                .release_capacity(piece.len())
                                .unwrap();
                            body.extend_from_slice(&piece);
                        }
                        let body = body.freeze();
                        let reply = answer(&Ask { line, body });
                        let mut head = Response::new(());
                        *head.status_mut() = reply.status;
                        let status = HeaderValue::from_static(reply.grpc_status);
                        if reply.body.is_empty() {
                            head.headers_mut().insert("grpc-status", status);
                            respond.send_response(head, true).unwrap();
                            return;
                        }
                        let mut stream = respond.send_response(head, false).unwrap();
                        stream.send_data(reply.body, false).unwrap();
                        let trailers = HeaderMap::from_iter([(GRPC_STATUS, status)]);
                        stream.send_trailers(trailers).unwrap();
                    });
                }
            }
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// A Bookstore good enough for every cell, over HTTP/1.1.
pub fn bookstore(ask: &Ask) -> Reply {
    if let Some(reply) = household(ask) {
        return reply;
    }
    let (method, path) = ask.line.split_once(' ').unwrap();
    match (method, path) {
        ("POST", "/api/reservations") => {
            let order: Value = serde_json::from_slice(&ask.body).unwrap();
            Reply::json(201, &reservation(&order["orderId"]))
        }
        ("POST", "/graphql") => {
            let request: Value = serde_json::from_slice(&ask.body).unwrap();
            let data = if request["variables"]["input"].is_object() {
                let order_id = &request["variables"]["input"]["orderId"];
                json!({ "reserveStock": { "reservation": reservation(order_id) } })
            } else {
                json!({ "book": screen(&request["variables"]["id"]) })
            };
            Reply::json(200, &json!({ "data": data }))
        }
        ("GET", path) if path.starts_with("/api/screens/book-detail/") => {
            let id: i32 = path.rsplit('/').next().unwrap().parse().unwrap();
            Reply::json(200, &screen(&json!(id)))
        }
        ("GET", _) if path.starts_with("/graphql?extensions=") => {
            Reply::json(200, &json!({ "data": { "book": screen(&json!("1")) } }))
        }
        ("GET", "/api/books/1?fields=id,title,price,authorId") => {
            let book = json!({ "id": 1, "title": "T", "price": 49.9, "authorId": 7 });
            Reply::json(200, &book)
        }
        ("GET", "/api/books/1/stock?fields=available") => {
            Reply::json(200, &json!({ "available": 42 }))
        }
        ("GET", "/api/books/1/reviews?limit=2&fields=reviewer,rating,text") => {
            let review = json!({ "reviewer": "Mika", "rating": 4, "text": "Good" });
            Reply::json(200, &json!([review, review]))
        }
        ("GET", "/api/authors/7?fields=name") => Reply::json(200, &json!({ "name": "Anna \"A\"" })),
        ("GET", "/api/books/1") => {
            Reply::json(200, &json!({ "id": 1, "title": "T", "authorId": 7 }))
        }
        ("GET", "/api/books/1/stock") => Reply::json(200, &json!({ "bookId": 1, "available": 42 })),
        ("GET", "/api/books/1/reviews?limit=2") => {
            let review = json!({ "bookId": 1, "reviewer": "Mika", "rating": 4, "text": "Good" });
            Reply::json(200, &json!([review, review]))
        }
        ("GET", "/api/authors/7") => Reply::json(200, &json!({ "id": 7, "name": "Anna \"A\"" })),
        (
            "POST",
            "/bookstore.bench.v1.CatalogService/GetBookDetail"
            | "/bookstore.bench.v1.InventoryService/ReserveStock",
        ) => {
            let mut reply = rpc(ask);
            let trailers = b"\x80\0\0\0\x0fgrpc-status:0\r\n";
            reply.body = [&reply.body[..], trailers].concat().into();
            reply
        }
        _ => Reply::new(404, format!("no {}", ask.line)),
    }
}

/// The same over gRPC.
pub fn rpc(ask: &Ask) -> Reply {
    let message = &ask.body[5..];
    let body = match ask.line.rsplit('/').next().unwrap() {
        "ReserveStock" => {
            let order = ReserveStockRequest::decode(message).unwrap();
            framed(&ReserveStockResponse {
                reservation_id: "r-1".to_owned(),
                order_id: order.order_id,
                expires_at: Some(prost_types::Timestamp {
                    seconds: 1_767_225_600,
                    nanos: 0,
                }),
            })
        }
        "GetBookDetail" => {
            let request = GetBookDetailRequest::decode(message).unwrap();
            let review = Review {
                reviewer: "Mika".to_owned(),
                rating: 4,
                text: "Good".to_owned(),
            };
            framed(&BookDetail {
                id: request.book_id,
                title: "T".to_owned(),
                author_name: "A".to_owned(),
                reviews: vec![review; request.review_count.try_into().unwrap()],
                ..BookDetail::default()
            })
        }
        "GetBook" => framed(&Book {
            id: GetBookRequest::decode(message).unwrap().book_id,
            title: "T".to_owned(),
            author_id: 7,
            ..Book::default()
        }),
        "GetStock" => framed(&Stock {
            book_id: GetStockRequest::decode(message).unwrap().book_id,
            available: 42,
        }),
        "GetReviews" => {
            let review = BookReview {
                reviewer: "Mika".to_owned(),
                text: "Good".to_owned(),
                ..BookReview::default()
            };
            framed(&Reviews {
                reviews: vec![review; 2],
            })
        }
        "GetAuthor" => framed(&Author {
            id: GetAuthorRequest::decode(message).unwrap().author_id,
            name: "A".to_owned(),
            ..Author::default()
        }),
        "ListExpenses" => list(message),
        other => panic!("no method {other}"),
    };
    Reply::new(200, body)
}

pub fn framed(message: &impl Message) -> Bytes {
    let mut body = BytesMut::new();
    body.put_u8(0);
    body.put_u32(message.encoded_len().try_into().unwrap());
    message.encode(&mut body).unwrap();
    body.freeze()
}

fn reservation(order_id: &Value) -> Value {
    json!({ "reservationId": "r-1", "orderId": order_id, "expiresAt": "2026-01-01T00:00:00Z" })
}

fn screen(id: &Value) -> Value {
    let review = json!({ "reviewer": "Mika", "rating": 4, "text": "Good" });
    json!({
        "id": id, "title": "T", "price": 49.9, "author": { "name": "A" }, "stock": 42,
        "reviews": [review, review],
    })
}
