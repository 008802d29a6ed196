//! The command line, which is that of k6's `run`.

use std::{str::FromStr, time::Duration};

use clap::{Args, Subcommand};

use crate::{duration::parse_duration, rate::parse_rate};

const EXAMPLE: &str = "\
Example: orders of two lines from ten virtual users for five seconds, to the server of `serve`:
  bookstore-bench load run a-rest -u 10 -d 5s";

/// `load run SCRIPT …`, as one would start k6.
#[derive(Clone, Debug, Subcommand)]
pub enum LoadCommand {
    /// Drives the load of one script's cell with compiled clients
    #[command(after_help = EXAMPLE, after_long_help = EXAMPLE)]
    Run(LoadArgs),
}

/// What to drive and how; the flags are k6's where k6 has them.
#[derive(Args, Clone, Debug)]
pub struct LoadArgs {
    /// The script whose cell is driven; only its file name counts, for example a-rest.js
    pub script: String,

    /// Virtual users
    #[arg(short = 'u', long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub vus: u32,

    /// How long new operations start, for example 30s or 1m30s [default: 30s; 10m with --iterations]
    #[arg(short, long, value_parser = parse_duration)]
    pub duration: Option<Duration>,

    /// Operations in total, shared by the virtual users
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub iterations: Option<u64>,

    /// Start this many operations per second, whether or not earlier ones have ended (open model)
    #[arg(long, value_name = "N", value_parser = parse_rate, conflicts_with = "iterations")]
    pub rate: Option<f64>,

    /// `BASE_URL`, `GRPC_ADDR`, `LINES`, `CALLS`, `DURATION`, `RATE`, `REPETITIONS`, `DROP`, `PAUSE`,
    /// `HTTP_VERSION` (1.1 or 2), `CONNECTION` (kept or new), `TLS_TRUST` (the file of a certificate: TLS,
    /// and trust in that alone) or `BENCH_SUMMARY`; goes before the environment
    #[arg(short = 'e', long = "env", value_name = "KEY=VALUE")]
    pub variables: Vec<Variable>,

    /// Threads that drive virtual users [default: half of the cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_024))]
    pub workers: Option<u32>,

    /// An operation without a complete answer after this time has failed
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    pub timeout: Duration,

    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// One `-e KEY=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Name of the variable.
    pub key: String,
    /// Its value.
    pub value: String,
}

impl FromStr for Variable {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((key, value)) if !key.is_empty() => Ok(Self {
                key: key.to_owned(),
                value: value.to_owned(),
            }),
            _ => Err("write it as KEY=VALUE, for example LINES=50".to_owned()),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(subcommand)]
        command: LoadCommand,
    }

    fn parse(line: &str) -> Result<LoadArgs, String> {
        let words = std::iter::once("load").chain(line.split(' '));
        match Cli::try_parse_from(words) {
            Ok(Cli {
                command: LoadCommand::Run(args),
            }) => Ok(args),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn the_command_line_of_k6_is_understood() {
        let args = parse(
            "run k6/a-rest.js --vus 5 --duration 1m30s -e LINES=50 -e A=b=c --rate 100/s --workers 2 --quiet",
        )
        .unwrap();
        assert_eq!(args.script, "k6/a-rest.js");
        assert_eq!((args.vus, args.workers), (5, Some(2)));
        assert_eq!(args.duration, Some(Duration::from_secs(90)));
        assert_eq!(args.rate, Some(100.0));
        assert_eq!(args.timeout, Duration::from_secs(10));
        assert!(args.quiet);
        assert_eq!(args.variables.len(), 2);
        assert_eq!(args.variables[1].value, "b=c");

        let short = parse("run b-rest -u 3 -i 7 -d 2s").unwrap();
        assert_eq!((short.vus, short.iterations), (3, Some(7)));
    }

    #[test]
    fn bad_values_are_named() {
        for (line, named) in [
            ("run a-rest.js --vus 0", "0"),
            ("run a-rest.js --duration soon", "soon"),
            ("run a-rest.js --rate=-1/s", "-1/s"),
            ("run a-rest.js --rate=0", "`0`"),
            ("run a-rest.js --rate=NaN", "NaN"),
            ("run a-rest.js -e LINES", "LINES"),
            ("run a-rest.js --iterations 0", "0"),
            ("run a-rest.js --iterations 5 --rate 5", "--rate"),
            ("run", "SCRIPT"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(named), "{line}: {error}");
        }
    }
}
