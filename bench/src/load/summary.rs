//! What a run leaves behind.

use std::fmt;

use measure::SortedTrend;

use super::{settings::Settings, tally::Counts};
use crate::{
    build,
    record::{Engine, LOAD_CONTRACT, Latency, LoadSummary},
};

const NS_PER_MS: f64 = 1e6;

/// Puts the counts of all workers into the contract's form.
pub(super) fn summarize(settings: &Settings, counts: Counts) -> LoadSummary {
    let elapsed_s = counts.elapsed().as_secs_f64();
    let traffic = counts.traffic;
    LoadSummary {
        contract: LOAD_CONTRACT.to_owned(),
        engine: Engine {
            name: "load".to_owned(),
            version: build::VERSION.to_owned(),
            workers: Some(settings.workers),
        },
        script: settings.script().to_owned(),
        lines: settings.lines,
        vus: settings.vus,
        elapsed_s,
        operations: counts.operations,
        failed_operations: counts.failed,
        failures: counts.failures.into_sorted(),
        dropped_iterations: counts.dropped_iterations,
        late_starts: counts.late_starts,
        requests: counts.requests,
        latency: latency(&counts.latency.sorted()),
        first_event_p50_ms: counts
            .first_event
            .sorted()
            .percentile_ns(0.5)
            .map(|ns| ns / NS_PER_MS),
        samples: counts.samples,
        sent_bytes: traffic.sent_bytes,
        received_bytes: traffic.received_bytes,
        sent_body_bytes: Some(counts.sent_body_bytes),
        received_body_bytes: Some(counts.received_body_bytes),
        kernel_sent_bytes: traffic.kernel.map(|kernel| kernel.sent),
        kernel_received_bytes: traffic.kernel.map(|kernel| kernel.received),
        connections: Some(traffic.connections),
    }
}

/// Zeros when no operation succeeded.
fn latency(trend: &SortedTrend) -> Latency {
    let percentile_ms = |p| trend.percentile_ns(p).unwrap_or_default() / NS_PER_MS;
    Latency {
        min_ms: percentile_ms(0.0),
        mean_ms: trend.mean_ns().unwrap_or_default() / NS_PER_MS,
        p50_ms: percentile_ms(0.5),
        p95_ms: percentile_ms(0.95),
        p99_ms: percentile_ms(0.99),
        max_ms: percentile_ms(1.0),
    }
}

/// A summary as one line for a person, in the form of the suite's scripts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a>(pub &'a LoadSummary);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(summary) = self;
        let ended = summary.operations + summary.failed_operations;
        let per_op = |total: u64| total as f64 / ended.max(1) as f64;
        if let Some(lines) = summary.lines {
            write!(f, "L{lines}-")?;
        }
        write!(
            f,
            "{}  {:.0} op/s  p50 {:.2} ms  p95 {:.2} ms  {:.2} requests/op  {:.0} B sent/op  \
             {:.0} B received/op",
            summary.script,
            summary.ops_per_s(),
            summary.latency.p50_ms,
            summary.latency.p95_ms,
            per_op(summary.requests),
            per_op(summary.sent_bytes),
            per_op(summary.received_bytes),
        )?;
        for (count, what) in [
            (summary.failed_operations, "FAILED"),
            (summary.dropped_iterations, "dropped"),
            (summary.late_starts, "late"),
        ] {
            if count > 0 {
                write!(f, "  {count} {what}")?;
            }
        }
        for (index, failure) in summary.failures.iter().enumerate() {
            let separator = if index == 0 { "  " } else { "; " };
            write!(f, "{separator}{} times: {}", failure.count, failure.reason)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::time::Duration;

    use clap::Parser;

    use super::*;
    use crate::load::{LoadArgs, failure::OperationError};

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        args: LoadArgs,
    }

    fn summary(counts: Counts) -> LoadSummary {
        let args = Cli::try_parse_from(["load", "k6/a-rest.js"]).unwrap().args;
        summarize(&Settings::resolve(&args, |_| None).unwrap(), counts)
    }

    #[test]
    fn a_run_without_operations_has_zeros_and_no_nan() {
        let summary = summary(Counts::default());
        assert_eq!(summary.latency, Latency::default());
        assert_eq!(
            Line(&summary).to_string(),
            "L2-a-rest  0 op/s  p50 0.00 ms  p95 0.00 ms  0.00 requests/op  0 B sent/op  \
             0 B received/op"
        );
    }

    #[test]
    fn the_line_has_rates_per_operation_and_the_reasons_of_failures() {
        let mut counts = Counts {
            operations: 3,
            failed: 1,
            requests: 4,
            late_starts: 2,
            ..Counts::default()
        };
        counts.traffic.sent_bytes = 980;
        counts.traffic.received_bytes = 902;
        for ms in 1..=3 {
            counts.latency.record(ms * 1_000_000);
        }
        counts
            .failures
            .add(&OperationError::Silent(Duration::from_secs(10)));
        let mut summary = summary(counts);
        summary.elapsed_s = 0.5;
        assert_eq!(
            Line(&summary).to_string(),
            "L2-a-rest  6 op/s  p50 2.00 ms  p95 2.90 ms  1.00 requests/op  245 B sent/op  \
             226 B received/op  1 FAILED  2 late  1 times: no complete answer within 10s"
        );
    }
}
