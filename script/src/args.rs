//! The command line of `run`, as k6 has it.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use clap::Args;

use crate::{
    engine,
    error::RunError,
    options::{Layer, Stage, list, parse_duration, parse_stage},
};

/// Runs a k6 script for HTTP and gRPC without k6.
#[derive(Args, Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[expect(clippy::doc_markdown, reason = "these are help texts")]
pub struct ScriptArgs {
    /// The script
    pub file: PathBuf,
    /// Virtual users
    #[arg(short = 'u', long)]
    pub vus: Option<u64>,
    /// How long, for example 30s
    #[arg(short, long, value_parser = duration)]
    pub duration: Option<Duration>,
    /// Iterations that all virtual users share
    #[arg(short, long)]
    pub iterations: Option<u64>,
    /// A stage DURATION:TARGET; may be repeated
    #[arg(short, long = "stage", value_name = "DURATION:TARGET", value_parser = stage)]
    pub stages: Vec<Stage>,
    /// Adds a variable to __ENV; may be repeated
    #[arg(short, long = "env", value_name = "NAME=VALUE", value_parser = pair)]
    pub env: Vec<(String, String)>,
    /// Writes every sample: json=FILE
    #[arg(short, long = "out", value_name = "OUTPUT")]
    pub out: Vec<String>,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
    /// Messages of console.debug() too
    #[arg(short, long)]
    pub verbose: bool,
    /// Adds a tag to every sample; may be repeated
    #[arg(long = "tag", value_name = "NAME=VALUE", value_parser = pair)]
    pub tags: Vec<(String, String)>,
    /// Tags that samples carry, separated by commas
    #[arg(long, value_name = "LIST")]
    pub system_tags: Option<String>,
    /// What the summary tells of trends, for example avg,p(95)
    #[arg(long, value_name = "LIST")]
    pub summary_trend_stats: Option<String>,
    /// Unit of times in the summary: s, ms or us
    #[arg(long, value_name = "UNIT")]
    pub summary_time_unit: Option<String>,
    /// Writes the summary as JSON
    #[arg(long, value_name = "FILE")]
    pub summary_export: Option<PathBuf>,
    /// compact, full or disabled
    #[arg(long, value_name = "MODE")]
    pub summary_mode: Option<SummaryMode>,
    /// Passes thresholds over
    #[arg(long)]
    pub no_thresholds: bool,
    /// Passes setup() over
    #[arg(long)]
    pub no_setup: bool,
    /// Passes teardown() over
    #[arg(long)]
    pub no_teardown: bool,
    /// Failed requests throw
    #[arg(long)]
    pub throw: bool,
    /// Answers are thrown away unless a request asks for them
    #[arg(long)]
    pub discard_response_bodies: bool,
    /// Every server's certificate is trusted
    #[arg(long)]
    pub insecure_skip_tls_verify: bool,
    /// Every request opens a connection
    #[arg(long)]
    pub no_connection_reuse: bool,
    /// Connections are closed after every iteration
    #[arg(long)]
    pub no_vu_connection_reuse: bool,
    /// Requests of one batch() that run at once
    #[arg(long)]
    pub batch: Option<u64>,
    /// Requests of one batch() to one host that run at once
    #[arg(long)]
    pub batch_per_host: Option<u64>,
    /// Redirects that a request follows at most
    #[arg(long)]
    pub max_redirects: Option<u64>,
    /// User-Agent of requests that set none
    #[arg(long)]
    pub user_agent: Option<String>,
    /// How long an iteration takes at least
    #[arg(long, value_parser = duration)]
    pub min_iteration_duration: Option<Duration>,
    /// Whether __ENV has the variables of the system; it has without this flag
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub include_system_env_vars: Option<bool>,
    /// Threads that drive the virtual users
    #[arg(long)]
    pub workers: Option<usize>,
}

/// How much of a summary is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
#[expect(clippy::doc_markdown, reason = "these are help texts")]
pub enum SummaryMode {
    /// The totals.
    #[default]
    Compact,
    /// Groups and scenarios too.
    Full,
    /// None, and no handleSummary()
    Disabled,
}

impl ScriptArgs {
    /// What the flags say about options.
    pub(crate) fn layer(&self) -> Layer {
        let set = |flag: bool| flag.then_some(true);
        let tags: BTreeMap<_, _> = self.tags.iter().cloned().collect();
        Layer {
            vus: self.vus,
            duration: self.duration,
            iterations: self.iterations,
            stages: Some(self.stages.clone()).filter(|stages| !stages.is_empty()),
            no_thresholds: set(self.no_thresholds),
            no_setup: set(self.no_setup),
            no_teardown: set(self.no_teardown),
            max_redirects: self.max_redirects,
            user_agent: self.user_agent.clone(),
            batch: self.batch,
            batch_per_host: self.batch_per_host,
            throw: set(self.throw),
            no_connection_reuse: set(self.no_connection_reuse),
            no_vu_connection_reuse: set(self.no_vu_connection_reuse),
            min_iteration_duration: self.min_iteration_duration,
            trend_stats: self.summary_trend_stats.as_deref().map(list),
            time_unit: self.summary_time_unit.clone(),
            system_tags: self
                .system_tags
                .as_deref()
                .map(|tags| list(tags).into_iter().collect()),
            tags: Some(tags).filter(|tags| !tags.is_empty()),
            discard_response_bodies: set(self.discard_response_bodies),
            insecure_skip_tls_verify: set(self.insecure_skip_tls_verify),
            ..Layer::default()
        }
    }

    /// The content of `__ENV`: the system's variables, what names this engine, and `-e`.
    pub(crate) fn environment(
        &self,
        system: impl Iterator<Item = (String, String)>,
    ) -> BTreeMap<String, String> {
        let includes_system = self.include_system_env_vars.unwrap_or(true);
        let mut environment: BTreeMap<String, String> =
            system.filter(|_| includes_system).collect();
        environment.insert("BENCH_ENGINE".to_owned(), "script".to_owned());
        environment.insert(
            "BENCH_ENGINE_VERSION".to_owned(),
            format!("{} ({})", env!("CARGO_PKG_VERSION"), engine::version()),
        );
        if let Ok(workers) = self.worker_count() {
            environment.insert("BENCH_ENGINE_WORKERS".to_owned(), workers.to_string());
        }
        environment.extend(self.env.iter().cloned());
        environment
    }

    /// Threads that drive the virtual users: one for up to two cores, else half of the cores and
    /// at most four, unless the command line says otherwise.
    ///
    /// # Errors
    /// When 0 was asked for.
    pub(crate) fn worker_count(&self) -> Result<usize, RunError> {
        match self.workers {
            Some(0) => Err(RunError::Argument {
                name: "workers",
                value: "0".to_owned(),
                expected: "a whole number from 1 on",
            }),
            Some(workers) => Ok(workers),
            None => {
                let cores = std::thread::available_parallelism().map_or(1, usize::from);
                Ok((cores / 2).clamp(1, 4))
            }
        }
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text).ok_or_else(|| "give a duration such as 30s or 1m30s".to_owned())
}

fn stage(text: &str) -> Result<Stage, String> {
    parse_stage(text).ok_or_else(|| "give a stage such as 10s:5".to_owned())
}

fn pair(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .ok_or_else(|| "give NAME=VALUE".to_owned())
}
