//! Sockets that count and samples that sort.
//!
//! Every load driver of the workspace measures with this crate, so that their figures mean the
//! same: [`CountingStream`] counts the bytes that really cross a TCP socket, [`KernelBytes`] is
//! the kernel's own count of the same bytes, and [`Trend`] keeps every duration, so that its
//! percentiles are exact.

mod kernel;
mod socket;
mod traffic;
mod trend;

pub use kernel::KernelBytes;
pub use socket::{Closing, CountingStream};
pub use traffic::{Traffic, TrafficTotals};
pub use trend::{SortedTrend, Trend};
