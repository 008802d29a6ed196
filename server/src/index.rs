//! `GET /`: what can be asked of this server.

use axum::{Router, routing::get};

const ENDPOINTS: &str = "\
Bookstore target server

HTTP/1.1 port
  POST /api/reservations             REST: reserve stock for an order
  GET  /api/books/{id}               REST: a book
  GET  /api/books/{id}/stock         REST: its stock
  GET  /api/books/{id}/reviews       REST: its newest reviews, ?limit=2
  GET  /api/authors/{id}             REST: an author
  GET  /api/screens/book-detail/{id} REST: the whole book-detail screen in one answer
  GET  /api/events                   REST: changes of stock as server-sent events, ?count=1000
  GET  /restapi/message/{name}       REST: the text in the path
  GET  /api/MeteoriteLandings        REST: the version of the interface
  GET  /api/MeteoriteLandings/LargePayload REST: 1,000 landings of meteorites; POST takes some
  GET  /api/MeteoriteLandings/LargePayload/lines REST: the same, in a line each
  GET  /api/MeteoriteLandings/LargePayload/first REST: the first of up to 10,000, ?limit=10
  GET  /openapi.json                 REST: its OpenAPI 3.1 document
  POST /graphql                      GraphQL; GET in a browser opens a query editor; subscriptions
                                     by accept: text/event-stream or WebSocket
  GET  /schema.graphql               GraphQL: its schema
  POST /bookstore.bench.v1.InventoryService/ReserveStock  gRPC-Web
  POST /bookstore.bench.v1.CatalogService/GetBookDetail   gRPC-Web
  POST /bookstore.bench.v1.CatalogService/ListReviews     gRPC-Web
  POST /bookstore.bench.v1.EventService/WatchEvents       gRPC-Web
  POST /Greet.Greeter/SayHello                            gRPC-Web
  POST /MeteoriteLandingsService.MeteoriteLandingsService/GetVersion, … gRPC-Web: GetLargePayload,
                                     GetLargePayloadAsList, GetLargePayloadInLists, PostLargePayload,
                                     GetFirstAsList
  POST /bookstore.bench.v1.ResourceService/GetBook, …     gRPC-Web: GetAuthor, GetStock, GetReviews, BatchGet
  GET  /api/v1/expenses              REST: expenses of a household, with --expenses; POST writes one
  GET  /api/v1/expenses/{id}         REST: one of them; PUT replaces it, DELETE removes it
  GET  /api/v1/users                 REST: its members, with --expenses; POST adds one
  POST /api/v1/users/login           REST: a token for one of them
  GET  /api/v1/users/{id}            REST: one of them; PUT changes, DELETE removes the user
  POST /bookstore.bench.v1.ExpensesService/ListExpenses   gRPC-Web, with --expenses
  POST /bookstore.bench.v1.ExpensesService/ListUsers      gRPC-Web, with --expenses
  GET  /about                        what this server is and how it was built
  GET  /metrics                      CPU, memory and SQL for Prometheus

HTTP/2 cleartext port
  the same services in gRPC and gRPC-Web, with reflection and health
";

/// The route `/`.
pub fn router() -> Router {
    Router::new().route("/", get(|| async { ENDPOINTS }))
}
