//! What follows from the runs: per-row summaries, comparisons, noise floor.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GateCount;

/// Everything computed from [`Session::runs`](super::Session::runs).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Analysis {
    /// Rounds that hold every row and whose every run counts.
    pub valid_rounds: u32,
    /// Rounds taken out because a run had failed or wrong operations: round and reason.
    pub rounds_out: Vec<RoundOut>,
    /// One per row, in table order.
    pub rows: Vec<RowSummary>,
    /// Every pair of rows of a group, for each compared metric.
    pub comparisons: Vec<Comparison>,
    /// What this machine cannot tell apart today, from a row that was measured twice.
    pub noise_floor: Option<NoiseFloor>,
    /// What a reader must know before trusting the figures, most severe first.
    pub warnings: Vec<Warning>,
}

/// A round that does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RoundOut {
    /// The round, from 1.
    pub round: u32,
    /// The row whose run spoilt it.
    pub row: String,
    /// Why, in words.
    pub reason: String,
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RowSummary {
    /// The [`Row::id`](super::Row::id).
    pub row: String,
    /// Runs that count.
    pub runs: u32,
    /// Operations per second.
    pub ops_per_s: Option<Estimate>,
    /// Median duration of an operation, in ms (the runs' medians, summarised).
    pub p50_ms: Option<Estimate>,
    /// 95th percentile of the duration, in ms (the runs' percentiles, summarised).
    pub p95_ms: Option<Estimate>,
    /// Median time to the first event of a stream, in ms; absent where there is no stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_event_p50_ms: Option<Estimate>,
    /// How long the operations of a sequence took; absent in other models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full: Option<SpreadSummary>,
    /// Their times to the first byte, where they can be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttfb: Option<SpreadSummary>,
    /// Mean time of the operations that are dropped from these, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_mean_ms: Option<Estimate>,
    /// Statements to the database per operation; absent without one that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql_statements_per_op: Option<Estimate>,
    /// Time that the database worked per operation, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql_ms_per_op: Option<Estimate>,
    /// Requests per operation.
    pub requests_per_op: Option<f64>,
    /// Bytes sent per operation, headers and framing included.
    pub sent_bytes_per_op: Option<Estimate>,
    /// Bytes received per operation, headers and framing included.
    pub received_bytes_per_op: Option<Estimate>,
    /// Bytes of request bodies per operation.
    pub sent_body_bytes_per_op: Option<f64>,
    /// Bytes of response bodies per operation.
    pub received_body_bytes_per_op: Option<f64>,
    /// Server CPU per operation, in µs.
    pub server_cpu_us_per_op: Option<Estimate>,
    /// Load process CPU per operation, in µs.
    pub client_cpu_us_per_op: Option<Estimate>,
    /// CPU that neither owns, per operation, in µs.
    pub other_cpu_us_per_op: Option<Estimate>,
    /// Cores that the server kept busy.
    pub server_cores_busy: Option<f64>,
    /// Cores that the load process kept busy.
    pub client_cores_busy: Option<f64>,
    /// Highest resident memory of the server over the runs, in bytes.
    pub server_peak_rss_bytes: Option<u64>,
    /// What limits the throughput.
    pub limited_by: LimitedBy,
    /// Gates that runs of this row tripped, each with the number of runs.
    pub gates: Vec<GateCount>,
}

/// A median with its spread. The interval is the exact order-statistic interval of the median with
/// at least 95 % coverage; below 6 runs there is none and only the range is known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// Median over the runs.
    pub median: f64,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// Smallest run.
    pub min: f64,
    /// Largest run.
    pub max: f64,
}

/// Centre and spread of the operations of each run of a sequence, summarised over the runs, in ms.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpreadSummary {
    /// Arithmetic mean.
    pub mean_ms: Estimate,
    /// Standard deviation.
    pub sd_ms: Estimate,
    /// Mean absolute deviation from the mean.
    pub mad_ms: Estimate,
    /// Median.
    pub median_ms: Estimate,
    /// Half of the 99.9 % interval of the mean by Student's t.
    pub half_interval_999_ms: Estimate,
}

/// What limits a row's throughput in a closed loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LimitedBy {
    /// The server used its cores fully.
    Server,
    /// The load process used its cores fully while the server had cores to spare: the throughput says
    /// little about the server; CPU per operation still does.
    Client,
    /// Both were busy.
    Both,
    /// Neither was: waiting, or the machine was busy with something else.
    Neither,
    /// Set by the offered rate of an open model.
    OfferedRate,
    /// One client makes one operation at a time.
    OneClient,
    /// Not readable here.
    Unknown,
}

/// A metric that rows are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Server CPU per operation; less is cheaper.
    ServerCpuUsPerOp,
    /// Load process CPU per operation; less is cheaper.
    ClientCpuUsPerOp,
    /// Operations per second; more is faster.
    OpsPerS,
    /// Median duration; less is faster.
    P50Ms,
    /// 95th percentile of the duration; less is faster.
    P95Ms,
}

/// Two rows of a group, one metric, paired by round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// The group.
    pub group: String,
    /// The metric.
    pub metric: Metric,
    /// Row in the numerator.
    pub row: String,
    /// Row in the denominator.
    pub against: String,
    /// Rounds in which both count.
    pub rounds: u32,
    /// The ratio `row / against`; absent when nothing could be compared.
    pub ratio: Option<RatioEstimate>,
    /// What it means.
    pub verdict: Verdict,
}

/// A ratio of two rows: the Hodges-Lehmann estimate of the paired log-ratio, exponentiated, with the
/// exact signed-rank interval (95 %, unadjusted for the number of comparisons).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RatioEstimate {
    /// The estimate.
    pub ratio: f64,
    /// Lower end; absent below 6 rounds.
    pub low: Option<f64>,
    /// Upper end; absent below 6 rounds.
    pub high: Option<f64>,
    /// Smallest ratio of one round.
    pub min: f64,
    /// Largest ratio of one round.
    pub max: f64,
}

/// What a comparison says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// The interval lies within the tie margin.
    Tie,
    /// The interval lies wholly outside the tie margin.
    Better {
        /// The better row (cheaper or faster).
        row: String,
    },
    /// The interval lies wholly on one side of 1 but touches the tie margin.
    SlightlyBetter {
        /// The better row.
        row: String,
    },
    /// The interval allows either direction or too large a difference to call it a tie.
    NotSettled {
        /// Further rounds that the present spread suggests; absent when no number would be honest.
        more_rounds: Option<u32>,
    },
    /// A row has no valid run, or the metric cannot be read here.
    NotMeasured,
}

/// The smallest difference that this machine could tell apart, from the same cell measured as two rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NoiseFloor {
    /// The repeated row.
    pub row: String,
    /// Its repetition.
    pub repetition: String,
    /// The ratio of the two, in server CPU per operation: what it should be is 1.
    pub ratio: RatioEstimate,
    /// Differences below this share cannot be told apart (0.04 = 4 %).
    pub share: f64,
    /// Whether the repetition came out different by the verdict rule; then no verdict of the session
    /// should be trusted.
    pub false_difference: bool,
}

/// Something a reader must know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "warning", rename_all = "snake_case")]
pub enum Warning {
    /// The server was a debug build.
    DebugBuild,
    /// Styles gave different answers.
    UnequalAnswers {
        /// Number of differences.
        differences: u32,
    },
    /// Too few rounds for intervals.
    TooFewRounds {
        /// Valid rounds.
        rounds: u32,
        /// Rounds needed.
        needed: u32,
    },
    /// Rounds were taken out.
    RoundsOut {
        /// How many.
        out: u32,
        /// Of how many.
        of: u32,
    },
    /// The repeated row came out different from itself.
    FalseDifference {
        /// Measured ratio.
        ratio: f64,
    },
    /// A row's server CPU rises or falls over the rounds (Mann-Kendall, 5 % for all rows together).
    Drift {
        /// The row.
        row: String,
        /// Kendall's tau, −1 to 1.
        tau: f64,
    },
    /// A run lies far from its row's others (modified z-score above 3.5); it is kept.
    OutlierRun {
        /// The row.
        row: String,
        /// The round.
        round: u32,
        /// The modified z-score.
        z: f64,
    },
    /// Some runs of a row tripped a machine gate.
    GatedRuns {
        /// The row.
        row: String,
        /// The gate and the number of runs.
        gate: GateCount,
    },
    /// CPU time cannot be read here.
    NoCpuMeter {
        /// Why.
        reason: String,
    },
    /// CPU is burnt on purpose in some rows.
    Surcharged {
        /// The rows.
        rows: Vec<String>,
    },
}
