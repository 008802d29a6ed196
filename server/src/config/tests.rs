//! What the flags mean, and which values are refused.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use clap::{CommandFactory, Parser};

use super::*;

#[derive(Debug, Parser)]
struct Command {
    #[command(flatten)]
    server: ServerConfig,
}

fn parse(arguments: &[&str]) -> Result<ServerConfig, clap::Error> {
    Command::try_parse_from([&["serve"], arguments].concat()).map(|command| command.server)
}

#[test]
fn defaults_are_the_documented_ones() {
    let config = parse(&[]).unwrap();
    assert_eq!((config.http_port, config.h2c_port), (5300, 5301));
    assert_eq!(config.bind, IpAddr::V4(Ipv4Addr::LOCALHOST));
    assert_eq!(config.workers, available_cores());
    assert_eq!(config.log_level, LogLevel::Warn);
    assert_eq!(config.stock, StockLevel::Unlimited);
    assert_eq!(config.limits().max_lines, 5_000);
    assert_eq!(config.rest().max_body_bytes, 1_048_576);
    assert_eq!(config.rpc().max_message_bytes, 1_048_576);
    assert_eq!(config.graphql().max_body_bytes, 1_048_576);
    assert_eq!(config.grace(), Duration::from_secs(10));
    assert_eq!(config.expenses, None);
    assert_eq!(config.surcharge, None);
    assert_eq!(config.backend_delay, None);
    assert_eq!(config.rest().freshness, None);
    assert_eq!(config.graphql().freshness, None);
    assert_eq!(config.graphql().persisted, PersistedDocuments::Off);
}

#[test]
fn bad_values_are_named_with_their_remedy() {
    for (arguments, remedy) in [
        (["--workers", "0"], "from 1 to 1024"),
        (["--http-port", "65536"], "from 0 to 65535"),
        (["--h2c-port", "http"], "from 0 to 65535"),
        (["--shutdown-grace", "-1"], "from 0 to 65535"),
        (["--bind", "localhost"], "for example 127.0.0.1"),
        (["--stock", "-1"], "`unlimited`"),
        (["--max-lines", "many"], "whole number"),
        (["--max-body-bytes", "2000000000"], "from 1 to 1073741824"),
        (["--backend-delay", "5"], "for example 5ms"),
        (["--backend-delay", "-1"], "for example 5ms"),
        (["--backend-delay", "61s"], "for example 5ms"),
        (["--cache-max-age", "-1"], "from 0 to 31536000"),
        (["--graphql-persisted", "on"], "allow-list"),
        (["--expenses", "off"], "leave --expenses out"),
        (["--expenses", "mysql://db"], "the path of a file"),
        (
            ["--expenses", "postgres://db:port"],
            "postgres://USER:PASSWORD@HOST:PORT/DATABASE",
        ),
        (["--expenses-connections", "0"], "from 1 to 64"),
        (
            ["--expenses-tokens", "some"],
            "possible values: off, rest, all",
        ),
        (["--expenses-cors", "on"], "possible values: off, rest, all"),
        (
            ["--expenses-request-log", "graphql"],
            "possible values: off, rest, all",
        ),
        (
            ["--expenses-resolvers", "lazy"],
            "possible values: join, batch, naive",
        ),
        (["--expenses-users", "0"], "from 1 to 100000"),
        (["--expenses-count", "100001"], "from 1 to 100000"),
        (["--expenses-tags", "4"], "from 0 to 3"),
        (["--surcharge", "NaN"], "for example 0.15"),
        (["--surcharge", "0"], "for example 0.15"),
        (["--surcharge", "-0.5"], "for example 0.15"),
        (
            ["--log-level", "loud"],
            "possible values: off, error, warn, info, debug",
        ),
        (
            ["--graphql-introspection", "true"],
            "possible values: on, off",
        ),
    ] {
        let message = parse(&arguments).unwrap_err().to_string();
        assert!(message.contains(arguments[0]), "{message}");
        assert!(
            message.contains(&format!("'{}'", arguments[1])),
            "{message}"
        );
        assert!(message.contains(remedy), "{message}");
    }
}

#[test]
fn every_flag_is_explained_and_has_an_environment_variable() {
    let command = Command::command();
    for flag in command.get_arguments() {
        let help = flag
            .get_long_help()
            .or(flag.get_help())
            .unwrap()
            .to_string();
        assert!(help.len() > 20, "{flag:?}");
        let variable = flag.get_env().unwrap().to_str().unwrap();
        assert!(variable.starts_with("BOOKSTORE_"), "{variable}");
    }
}

#[test]
fn graphql_switches_reach_its_settings() {
    let config = parse(&[
        "--graphql-introspection=off",
        "--graphql-document-cache=off",
    ]);
    let graphql = config.unwrap().graphql();
    assert!(!graphql.introspection && !graphql.document_cache);
}
