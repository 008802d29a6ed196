//! What can be read of one run, by name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Estimate, RowSummary, Run};

/// A figure of a run; its name carries its unit.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Server CPU per operation.
    ServerCpuUsPerOp,
    /// Load process CPU per operation.
    ClientCpuUsPerOp,
    /// Operations per second.
    OpsPerS,
    /// Median duration.
    P50Ms,
    /// 95th percentile of the duration.
    P95Ms,
    /// Median time to the first event of a stream.
    FirstEventP50Ms,
    /// Requests per operation.
    RequestsPerOp,
    /// Bytes sent per operation, headers and framing included.
    SentBytesPerOp,
    /// Bytes received per operation, headers and framing included.
    ReceivedBytesPerOp,
    /// Bytes of request bodies per operation.
    SentBodyBytesPerOp,
    /// Bytes of response bodies per operation.
    ReceivedBodyBytesPerOp,
    /// Mean duration of the operations of a sequence.
    MeanMs,
    /// Standard deviation of these durations.
    SdMs,
    /// Mean absolute deviation of these durations.
    MadMs,
    /// Median of these durations.
    MedianMs,
    /// Half of the 99.9 % interval of their mean.
    #[serde(rename = "half_interval_999_ms")]
    HalfInterval999Ms,
    /// Mean time to the first byte of the operations of a sequence.
    TtfbMeanMs,
    /// Standard deviation of these times.
    TtfbSdMs,
    /// Mean absolute deviation of these times.
    TtfbMadMs,
    /// Median of these times.
    TtfbMedianMs,
    /// Half of the 99.9 % interval of their mean.
    #[serde(rename = "ttfb_half_interval_999_ms")]
    TtfbHalfInterval999Ms,
    /// Mean duration of the operations of a sequence that are dropped from its other times.
    DroppedMeanMs,
    /// Statements to the database per operation.
    SqlStatementsPerOp,
    /// Time that the database worked per operation.
    SqlMsPerOp,
}

impl Figure {
    /// All of them, in the order of a table.
    pub const ALL: [Self; 24] = [
        Self::OpsPerS,
        Self::P50Ms,
        Self::P95Ms,
        Self::FirstEventP50Ms,
        Self::RequestsPerOp,
        Self::SentBytesPerOp,
        Self::ReceivedBytesPerOp,
        Self::SentBodyBytesPerOp,
        Self::ReceivedBodyBytesPerOp,
        Self::ServerCpuUsPerOp,
        Self::ClientCpuUsPerOp,
        Self::MeanMs,
        Self::SdMs,
        Self::MadMs,
        Self::MedianMs,
        Self::HalfInterval999Ms,
        Self::TtfbMeanMs,
        Self::TtfbSdMs,
        Self::TtfbMadMs,
        Self::TtfbMedianMs,
        Self::TtfbHalfInterval999Ms,
        Self::DroppedMeanMs,
        Self::SqlStatementsPerOp,
        Self::SqlMsPerOp,
    ];

    /// The figure of a run, where it can be read.
    #[must_use]
    pub fn of(self, run: &Run) -> Option<f64> {
        match self {
            Self::ServerCpuUsPerOp => run.server_cpu_us_per_op(),
            Self::ClientCpuUsPerOp => run.client_cpu_us_per_op(),
            Self::OpsPerS => Some(run.load.ops_per_s()),
            Self::P50Ms => Some(run.load.latency.p50_ms),
            Self::P95Ms => Some(run.load.latency.p95_ms),
            Self::FirstEventP50Ms => run.load.first_event_p50_ms,
            Self::RequestsPerOp => run.requests_per_op(),
            Self::SentBytesPerOp => run.sent_bytes_per_op(),
            Self::ReceivedBytesPerOp => run.received_bytes_per_op(),
            Self::SentBodyBytesPerOp => run.sent_body_bytes_per_op(),
            Self::ReceivedBodyBytesPerOp => run.received_body_bytes_per_op(),
            Self::MeanMs => Some(run.load.samples.as_ref()?.full()?.mean),
            Self::SdMs => Some(run.load.samples.as_ref()?.full()?.sd),
            Self::MadMs => Some(run.load.samples.as_ref()?.full()?.mad),
            Self::MedianMs => Some(run.load.samples.as_ref()?.full()?.median),
            Self::HalfInterval999Ms => Some(run.load.samples.as_ref()?.full()?.half_interval_999),
            Self::TtfbMeanMs => Some(run.load.samples.as_ref()?.ttfb()?.mean),
            Self::TtfbSdMs => Some(run.load.samples.as_ref()?.ttfb()?.sd),
            Self::TtfbMadMs => Some(run.load.samples.as_ref()?.ttfb()?.mad),
            Self::TtfbMedianMs => Some(run.load.samples.as_ref()?.ttfb()?.median),
            Self::TtfbHalfInterval999Ms => {
                Some(run.load.samples.as_ref()?.ttfb()?.half_interval_999)
            }
            Self::DroppedMeanMs => run.load.samples.as_ref()?.dropped_mean_ms(),
            Self::SqlStatementsPerOp => run.sql_statements_per_op(),
            Self::SqlMsPerOp => run.sql_ms_per_op(),
        }
    }

    /// Its name in data files, for example `server_cpu_us_per_op`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ServerCpuUsPerOp => "server_cpu_us_per_op",
            Self::ClientCpuUsPerOp => "client_cpu_us_per_op",
            Self::OpsPerS => "ops_per_s",
            Self::P50Ms => "p50_ms",
            Self::P95Ms => "p95_ms",
            Self::FirstEventP50Ms => "first_event_p50_ms",
            Self::RequestsPerOp => "requests_per_op",
            Self::SentBytesPerOp => "sent_bytes_per_op",
            Self::ReceivedBytesPerOp => "received_bytes_per_op",
            Self::SentBodyBytesPerOp => "sent_body_bytes_per_op",
            Self::ReceivedBodyBytesPerOp => "received_body_bytes_per_op",
            Self::MeanMs => "mean_ms",
            Self::SdMs => "sd_ms",
            Self::MadMs => "mad_ms",
            Self::MedianMs => "median_ms",
            Self::HalfInterval999Ms => "half_interval_999_ms",
            Self::TtfbMeanMs => "ttfb_mean_ms",
            Self::TtfbSdMs => "ttfb_sd_ms",
            Self::TtfbMadMs => "ttfb_mad_ms",
            Self::TtfbMedianMs => "ttfb_median_ms",
            Self::TtfbHalfInterval999Ms => "ttfb_half_interval_999_ms",
            Self::DroppedMeanMs => "dropped_mean_ms",
            Self::SqlStatementsPerOp => "sql_statements_per_op",
            Self::SqlMsPerOp => "sql_ms_per_op",
        }
    }

    /// The figure with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.name() == name)
    }

    /// What it is, as a table's heading.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::ServerCpuUsPerOp => "server CPU",
            Self::ClientCpuUsPerOp => "client CPU",
            Self::OpsPerS => "operations/s",
            Self::P50Ms => "p50",
            Self::P95Ms => "p95",
            Self::FirstEventP50Ms => "p50 of the first event",
            Self::RequestsPerOp => "requests",
            Self::SentBytesPerOp => "bytes sent",
            Self::ReceivedBytesPerOp => "bytes received",
            Self::SentBodyBytesPerOp => "body bytes sent",
            Self::ReceivedBodyBytesPerOp => "body bytes received",
            Self::MeanMs => "mean",
            Self::SdMs => "SD",
            Self::MadMs => "MAD",
            Self::MedianMs => "median",
            Self::HalfInterval999Ms => "half of the 99.9 % interval",
            Self::TtfbMeanMs => "mean to the first byte",
            Self::TtfbSdMs => "SD to the first byte",
            Self::TtfbMadMs => "MAD to the first byte",
            Self::TtfbMedianMs => "median to the first byte",
            Self::TtfbHalfInterval999Ms => "half of the 99.9 % interval to the first byte",
            Self::DroppedMeanMs => "mean of the dropped",
            Self::SqlStatementsPerOp => "statements",
            Self::SqlMsPerOp => "time of statements",
        }
    }

    /// Its unit, per operation where that applies; empty for a number.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Self::ServerCpuUsPerOp | Self::ClientCpuUsPerOp => "µs",
            Self::OpsPerS => "1/s",
            Self::P50Ms
            | Self::P95Ms
            | Self::FirstEventP50Ms
            | Self::MeanMs
            | Self::SdMs
            | Self::MadMs
            | Self::MedianMs
            | Self::HalfInterval999Ms
            | Self::TtfbMeanMs
            | Self::TtfbSdMs
            | Self::TtfbMadMs
            | Self::TtfbMedianMs
            | Self::TtfbHalfInterval999Ms
            | Self::DroppedMeanMs
            | Self::SqlMsPerOp => "ms",
            Self::RequestsPerOp | Self::SqlStatementsPerOp => "",
            Self::SentBytesPerOp
            | Self::ReceivedBytesPerOp
            | Self::SentBodyBytesPerOp
            | Self::ReceivedBodyBytesPerOp => "B",
        }
    }

    /// Whether a client that is short of CPU changes it.
    #[must_use]
    pub fn depends_on_client(self) -> bool {
        // The client's own time is meant to be in the times of a sequence.
        matches!(
            self,
            Self::OpsPerS | Self::P50Ms | Self::P95Ms | Self::FirstEventP50Ms
        )
    }

    /// The estimate of a row, where it has one: bodies and requests are the same in every run.
    #[must_use]
    pub fn estimate(self, summary: &RowSummary) -> Option<Estimate> {
        match self {
            Self::ServerCpuUsPerOp => summary.server_cpu_us_per_op,
            Self::ClientCpuUsPerOp => summary.client_cpu_us_per_op,
            Self::OpsPerS => summary.ops_per_s,
            Self::P50Ms => summary.p50_ms,
            Self::P95Ms => summary.p95_ms,
            Self::SentBytesPerOp => summary.sent_bytes_per_op,
            Self::ReceivedBytesPerOp => summary.received_bytes_per_op,
            Self::FirstEventP50Ms => summary.first_event_p50_ms,
            Self::RequestsPerOp => summary.requests_per_op.map(exactly),
            Self::SentBodyBytesPerOp => summary.sent_body_bytes_per_op.map(exactly),
            Self::ReceivedBodyBytesPerOp => summary.received_body_bytes_per_op.map(exactly),
            Self::MeanMs => Some(summary.full?.mean_ms),
            Self::SdMs => Some(summary.full?.sd_ms),
            Self::MadMs => Some(summary.full?.mad_ms),
            Self::MedianMs => Some(summary.full?.median_ms),
            Self::HalfInterval999Ms => Some(summary.full?.half_interval_999_ms),
            Self::TtfbMeanMs => Some(summary.ttfb?.mean_ms),
            Self::TtfbSdMs => Some(summary.ttfb?.sd_ms),
            Self::TtfbMadMs => Some(summary.ttfb?.mad_ms),
            Self::TtfbMedianMs => Some(summary.ttfb?.median_ms),
            Self::TtfbHalfInterval999Ms => Some(summary.ttfb?.half_interval_999_ms),
            Self::DroppedMeanMs => summary.dropped_mean_ms,
            Self::SqlStatementsPerOp => summary.sql_statements_per_op,
            Self::SqlMsPerOp => summary.sql_ms_per_op,
        }
    }
}

fn exactly(value: f64) -> Estimate {
    Estimate {
        median: value,
        low: None,
        high: None,
        min: value,
        max: value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Samples, fixture};

    #[test]
    fn names_are_those_of_the_data_files() {
        for figure in Figure::ALL {
            let written = serde_json::to_value(figure).ok();
            assert_eq!(written, Some(figure.name().into()));
            assert_eq!(Figure::named(figure.name()), Some(figure));
        }
        assert_eq!(Figure::named("speed"), None);
    }

    #[test]
    fn a_sequence_has_its_times_and_other_runs_have_none() {
        let mut run = fixture::run("a-rest", 1, 100.0);
        assert_eq!(Figure::SdMs.of(&run), None);
        run.load.samples = Some(Samples {
            dropped: 1,
            full_ms: vec![90.0, 2.0, 4.0, 6.0],
            ttfb_ms: vec![9.0, 1.0, 1.0, 1.0],
        });
        assert_eq!(Figure::MeanMs.of(&run), Some(4.0));
        assert_eq!(Figure::SdMs.of(&run), Some(2.0));
        assert_eq!(Figure::MedianMs.of(&run), Some(4.0));
        assert_eq!(Figure::TtfbMeanMs.of(&run), Some(1.0));
        assert_eq!(Figure::TtfbMadMs.of(&run), Some(0.0));
    }
}
