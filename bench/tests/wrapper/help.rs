//! What `--help` says: every flag in a sentence, on lines that fit a terminal.

use bookstore_bench::cli::Cli;
use clap::{Command, CommandFactory as _};

use crate::sitting::wrapper;

/// The command lines of all commands and subcommands.
fn paths(command: &Command, path: &[String]) -> Vec<Vec<String>> {
    let mut all = vec![path.to_vec()];
    for subcommand in command.get_subcommands() {
        if subcommand.get_name() != "help" {
            let below = [path, &[subcommand.get_name().to_owned()]].concat();
            all.extend(paths(subcommand, &below));
        }
    }
    all
}

fn help(path: &[String]) -> String {
    let output = wrapper().args(path).arg("--help").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{path:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn no_line_is_longer_than_a_hundred_columns() {
    let paths = paths(&Cli::command(), &[]);
    assert!(paths.len() > 8, "{paths:?}");
    for path in paths {
        for line in help(&path).lines() {
            assert!(line.chars().count() <= 100, "{path:?}: {line}");
        }
    }
}

#[test]
fn every_flag_and_command_is_explained() {
    fn check(command: &Command) {
        for flag in command.get_arguments() {
            let text = flag.get_long_help().or(flag.get_help());
            let words = text.map_or(0, |text| text.to_string().split(' ').count());
            assert!(words > 1, "{}: {flag:?}", command.get_name());
        }
        for subcommand in command.get_subcommands() {
            assert!(
                subcommand.get_about().is_some(),
                "{}",
                subcommand.get_name()
            );
            check(subcommand);
        }
    }
    check(&Cli::command());
}

#[test]
fn the_flags_of_a_measurement_read_like_this() {
    insta::assert_snapshot!("help", help(&[]));
}
