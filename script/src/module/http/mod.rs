//! The module `k6/http`.

mod answer;
mod batch;
mod bindings;
mod body;
mod client;
mod connection;
mod content_encoding;
mod cookie;
mod decode;
mod digest;
mod expected;
mod failure;
mod file;
mod head;
mod http2;
mod json_path;
mod multipart;
mod params;
mod pool;
mod request;
mod response;
mod samples;
mod texts;
mod url;
mod wire;

pub(super) use bindings::Http;
pub(crate) use response::Response;
