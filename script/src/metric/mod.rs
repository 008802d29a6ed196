//! Metrics: their names and kinds, samples, and what is made of them.

mod builtin;
mod place;
mod point;
mod recorded;
mod recorder;
mod registry;
mod sink;
mod submetric;
mod tag;
mod trend;

pub use builtin::Builtin;
pub use place::Place;
pub use point::Point;
pub use recorded::{CheckCount, GroupRecord, Recorded, Series};
pub use recorder::Recorder;
pub use registry::{Contains, Kind, Metric, MetricId, Registry, RegistryError};
pub use sink::{GaugeSink, Sink};
pub use submetric::{Submetric, SubmetricError};
pub use tag::{TagSet, TagSets};
pub use trend::{SortedValues, TrendSink};
