//! The comparison as a person reads it.

use std::fmt;

use super::{comparison::Comparison, observation::Observation};
use crate::number::{count, counted};

const NOT_COMPARED: &str = "\
Not compared: times and rates per second, gauges, samples by the clock (vus, vus_max), the programs'
own names in User-Agent, deadlines in grpc-timeout, the number of connections.";

impl fmt::Display for Comparison {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "{} in the embedded runner and in k6 {}\n",
            self.script, self.k6_version
        )?;
        seen(formatter, "runner", &self.runner)?;
        seen(formatter, "k6", &self.k6)?;
        writeln!(formatter)?;
        if self.differences.is_empty() {
            writeln!(formatter, "No difference.")?;
        } else {
            writeln!(formatter, "Differences: {}", self.differences.len())?;
        }
        for difference in &self.differences {
            writeln!(formatter, "  {difference}")?;
        }
        for remark in &self.remarks {
            writeln!(formatter, "Note: {remark}")?;
        }
        writeln!(formatter, "{NOT_COMPARED}")
    }
}

/// What was seen of one run.
fn seen(formatter: &mut fmt::Formatter<'_>, name: &str, run: &Observation) -> fmt::Result {
    let metrics = run
        .summary
        .as_ref()
        .and_then(|summary| summary["metrics"].as_object());
    let traffic = &run.traffic;
    writeln!(
        formatter,
        "  {name:<6}  {} over {}, {} bytes sent, {} received; {}; exit code {}",
        counted(traffic.requests.len() as u64, "request"),
        counted(traffic.connections as u64, "connection"),
        count(traffic.sent_bytes),
        count(traffic.received_bytes),
        counted(metrics.map_or(0, serde_json::Map::len) as u64, "metric"),
        run.ended.how,
    )
}
