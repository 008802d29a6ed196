//! All wording, in one place: the same finding reads the same in every rendering.

mod answer;
mod gate;
mod legend;
mod method;
mod verdict;
mod warning;

pub use answer::answer;
pub use gate::{gate, gate_advice, gate_count, gate_counts, limited_by, limited_by_short};
pub use legend::{LEFT_OUT, legend, round_out};
pub use method::{
    cpu_meter, has_cpu_meter, measured_on, measured_with, method, noise_floor, offered_rates,
    started, state, version,
};
pub use verdict::{brief, comparison, metric_title};
pub use warning::{outliers, warning};
