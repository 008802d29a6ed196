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
//! (deadline, compression) → `request_body` (frames counted and measured as they pass) → the
//! service that tonic generated → `inventory` or `catalog` → the domain.

mod catalog;
mod content_type;
mod cors;
mod deadline;
mod entry;
mod guard;
mod introspection;
mod inventory;
mod refusal;
mod request_body;
mod router;
mod status;

pub use refusal::MAX_TEXT_BYTES;
pub use request_body::RequestBody;
pub use router::{RpcConfig, mount, router, unimplemented};
pub use status::ERROR_DOMAIN;
