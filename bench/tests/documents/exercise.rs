//! Trying a command, shortened where the real one takes minutes.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{self, Stdio},
};

use bookstore_bench::catalogue::Catalogue;

use crate::{command::Command, short::FLAGS, top};

/// What is measured when a command does not say.
const FEW_CELLS: [&str; 2] = ["--cells", "b-rest-bff,b-graphql"];

/// Which claims are checked.
const FEW_CLAIMS: &str = "C12,C29";

/// Words after which nothing is measured.
const SUBCOMMANDS: [&str; 7] = [
    "verify", "doctor", "schema", "cells", "--help", "report", "relay",
];

/// Tries a command as far as a test can.
pub fn exercise(command: &Command) -> Result<(), String> {
    match command {
        Command::Bench(arguments) => bench(arguments),
        Command::Script(script) => is_script(&top().join(script)),
        Command::K6(script) => is_k6_script(script),
        Command::CargoTest { package, target } => has_tests(package.as_deref(), target.as_deref()),
        Command::CargoBuild => Ok(()),
    }
}

fn bench(arguments: &[String]) -> Result<(), String> {
    let first = arguments.first().map_or("", String::as_str);
    if first == "serve" {
        return serves(arguments);
    }
    if first == "script" {
        return compares(arguments);
    }
    let mut bench = wrapper(arguments);
    if first == "relay" {
        // It runs until it is stopped, or measures for a minute; its flags are read all the same.
        bench.arg("--help");
    }
    let folder = tempfile::tempdir().unwrap();
    if first == "claims" {
        bench.args(["--id", FEW_CLAIMS]);
        bench.args(FLAGS).arg("--out").arg(folder.path());
        bench.args(["--driver", "load"]);
    } else if !SUBCOMMANDS.contains(&first) {
        bench.args(FLAGS).arg("--out").arg(folder.path());
        let says_what = ["--cells", "--lines"]
            .iter()
            .any(|flag| arguments.iter().any(|given| given == flag));
        if !says_what {
            bench.args(FEW_CELLS);
        }
    }
    let output = bench.output().unwrap();
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "ended with {}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    ))
}

/// Starts the server on free ports, reads both addresses, and ends it.
fn serves(arguments: &[String]) -> Result<(), String> {
    let mut server = wrapper(arguments)
        .args(["--http-port", "0", "--h2c-port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let listening = lines
        .map_while(Result::ok)
        .take(2)
        .filter(|line| {
            let address = line.strip_prefix("listening on ");
            address.is_some_and(|url| url.starts_with("http://") || url.starts_with("https://"))
        })
        .count();
    let _ = server.kill();
    server.wait().unwrap();
    if listening == 2 {
        Ok(())
    } else {
        Err("does not say where it listens".to_owned())
    }
}

/// Compares a script, with our own runner in k6's place.
fn compares(arguments: &[String]) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let k6 = folder.path().join("k6");
    let bench = env!("CARGO_BIN_EXE_bookstore-bench");
    let text = format!(
        "#!/bin/sh\n\
         if [ \"$1\" = version ]; then echo 'k6 v2.4.0'; exit 0; fi\n\
         exec '{bench}' script \"$@\"\n"
    );
    fs::write(&k6, text).unwrap();
    fs::set_permissions(&k6, fs::Permissions::from_mode(0o755)).unwrap();
    let stand_in = k6.display().to_string();
    let arguments: Vec<String> = (arguments.iter())
        .map(|word| if word == "k6" { &stand_in } else { word }.clone())
        .collect();
    let output = wrapper(&arguments).current_dir(top()).output().unwrap();
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn wrapper(arguments: &[String]) -> process::Command {
    let mut command = process::Command::new(env!("CARGO_BIN_EXE_bookstore-bench"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn is_script(path: &Path) -> Result<(), String> {
    let facts = fs::metadata(path).map_err(|error| error.to_string())?;
    if facts.permissions().mode() & 0o111 == 0 {
        return Err("is not executable".to_owned());
    }
    let check = process::Command::new("bash").arg("-n").arg(path).output();
    let check = check.map_err(|error| error.to_string())?;
    if check.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&check.stderr).into_owned())
    }
}

fn is_k6_script(script: &str) -> Result<(), String> {
    if !top().join(script).is_file() {
        return Err("there is no such script".to_owned());
    }
    match Catalogue::built_in().cell_of_script(script) {
        Some(_) => Ok(()),
        None => Err("no cell of the catalogue has this script".to_owned()),
    }
}

fn has_tests(package: Option<&str>, target: Option<&str>) -> Result<(), String> {
    let Some(package) = package else {
        return Ok(());
    };
    let folder = folder_of(package).ok_or_else(|| format!("there is no package {package}"))?;
    let Some(target) = target else {
        return Ok(());
    };
    let tests = folder.join("tests");
    let there = [
        tests.join(target).join("main.rs"),
        tests.join(format!("{target}.rs")),
    ]
    .iter()
    .any(|file| file.is_file());
    if there {
        Ok(())
    } else {
        Err(format!("package {package} has no test target {target}"))
    }
}

fn folder_of(package: &str) -> Option<std::path::PathBuf> {
    let name = format!("name = \"{package}\"");
    fs::read_dir(top())
        .unwrap()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|folder| {
            fs::read_to_string(folder.join("Cargo.toml"))
                .is_ok_and(|manifest| manifest.lines().any(|line| line == name))
        })
}
