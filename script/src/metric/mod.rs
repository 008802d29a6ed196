//! Metrics: their names and kinds, samples, and what is made of them.

mod builtin;
mod point;
mod recorder;
mod registry;
mod sink;
mod submetric;
mod tag;
mod trend;

pub use builtin::Builtin;
pub use point::Point;
pub use recorder::{CheckCount, GroupRecord, Recorded, Recorder, Series};
pub use registry::{Contains, Kind, Metric, MetricId, Registry, RegistryError};
pub use sink::{GaugeSink, Sink};
pub use submetric::{Submetric, SubmetricError};
pub use tag::{TagSet, TagSets};
pub use trend::{SortedValues, TrendSink};
