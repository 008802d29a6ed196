//! Floor servers: the least that a server on the same HTTP library can spend for the same bytes.
//!
//! A floor server forwards the first request of each target to the real server and remembers the
//! answer; from then on it reads every request wholly and replays that answer. There is no
//! routing, no decoding and no encoding, and the answer stays true when the real server changes.

mod answer;
mod error;
mod exchange;
mod memory;
mod protocol;
mod serve;
mod teacher;

pub use answer::{Answer, Replay};
pub use error::FloorError;
pub use exchange::{Exchange, RecordedRequest};
pub use memory::Memory;
pub use protocol::Protocol;
pub use serve::serve;
pub use teacher::Teacher;
