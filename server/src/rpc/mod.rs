//! The gRPC and gRPC-Web adapter.
//!
//! # Wire format
//! A call is a `POST` to `/package.Service/Method`. Request and answer bodies are runs of frames:
//! one flag byte (0 plain, 1 compressed), the length as 4 bytes big-endian, the message. So the
//! article's order of 2 lines is a body of 5 + 45 bytes.
//!
//! | style | content type | HTTP | status |
//! | --- | --- | --- | --- |
//! | gRPC | `application/grpc[+proto]` | 2 | HTTP/2 trailers |
//! | gRPC-Web | `application/grpc-web[+proto]` | 1.1, 2 | last frame, flag `0x80` |
//! | gRPC-Web, text | `application/grpc-web-text[+proto]` | 1.1, 2 | as above, the whole body in base64 |
//!
//! An error before the first message has no body: the status is in the HTTP headers.
//!
//! # Limits
//! * A message of more than [`RpcConfig::max_message_bytes`] answers `RESOURCE_EXHAUSTED`, by its
//!   length prefix, before anything is allocated for it.
//! * `grpc-timeout` ends the call with `DEADLINE_EXCEEDED`, streams included; the work is dropped.
//!   A store that blocks its thread is not interrupted, but its late answer is not sent.
//! * Of the message encodings only protobuf, of the compressions only gzip. An answer is compressed
//!   when the request was: merely offering gzip is what some clients do by default, and would make
//!   these small messages larger and dearer.
//! * Texts that quote the request are cut to [`MAX_TEXT_BYTES`] bytes, because they travel
//!   in HTTP headers.
//!
//! # Layers
//! `router` → `entry` (CORS when there is an `Origin`, method, content type, gRPC-Web) → `guard`
//! (deadline) → `request_body` (frames counted and measured as they pass) → `compression` → the
//! service that tonic generated → `inventory`, `catalog`, `resources`, `events` or `expenses` → the domain.
//!
//! # Where tonic alone differs
//! `scripts/conformance server` runs the public suite connectrpc/conformance against these layers:
//! 736 of 736 cases pass. Of the same cases 44 fail with tonic and tonic-web 0.14.9 alone, on the
//! same sockets:
//!
//! | cases | tonic | here | mended in |
//! | --- | --- | --- | --- |
//! | 27, message over the limit | `OUT_OF_RANGE` | `RESOURCE_EXHAUSTED`, as the other gRPC libraries since grpc/grpc pull request 10612 | `request_body` |
//! | 12, no message or two where one is due | `INTERNAL`; the second is dropped | `UNIMPLEMENTED`, as the table of gRPC's status codes has it (grpc/grpc-java issue 11247 and its siblings) | `request_body` |
//! | 3, foreign content type | 400, or taken for gRPC | 415 (grpc/grpc-rust issue 1720) | `entry` |
//! | 1, foreign encoding such as `+json` | taken for protobuf | 415 | `entry` |
//! | 1, another method than POST | taken for POST | 405 | `entry` |
//!
//! The suite cannot see that streams end at their deadline too (grpc/grpc-rust issue 75 and pull
//! request 1826; `deadline`), nor that gRPC over HTTP/1.1 gets a reason instead of a bare 400
//! (issue 1964; `entry`). Refusals over HTTP/1.1 reach a client that is still sending because the
//! listener reads on.

mod catalog;
mod compression;
mod content_type;
mod cors;
mod deadline;
mod entry;
mod events;
mod expenses;
mod greeter;
mod guard;
mod introspection;
mod inventory;
mod meteorites;
mod refusal;
mod request_body;
mod resources;
mod router;
mod status;

pub use compression::ByEncoding;
pub use deadline::CallEnd;
pub use refusal::MAX_TEXT_BYTES;
pub use request_body::RequestBody;
pub use router::{RpcConfig, expenses_router, mount, router, router_with_expenses, unimplemented};
pub use status::ERROR_DOMAIN;
