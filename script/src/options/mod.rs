//! Options of a test: where they come from and what they mean.

mod consolidated;
mod duration;
mod environment;
mod error;
mod executor;
mod executor_source;
mod fields;
mod layer;
mod scenario;
mod scenario_json;
mod shortcut;
mod tls;

pub use consolidated::{DEFAULT_TREND_STATS, Options, TimeUnit};
pub use duration::parse_duration;
pub(crate) use environment::{environment_layer, list, parse_stage};
pub use error::{OptionError, OptionWarning};
pub use executor::{Executor, Stage};
pub(crate) use layer::Layer;
pub use layer::ThresholdOption;
pub use scenario::Scenario;
