//! Other load generators: wrk for HTTP/1.1, h2load for HTTP/2.

use std::{fmt::Write, fs, path::Path, process::Command};

use anyhow::{Context, anyhow, ensure};
use floor::{Protocol, RecordedRequest};

use crate::process::{self, Finished};

/// Headers that every generator writes itself.
const OWN_HEADERS: [&str; 3] = ["host", "content-length", "connection"];

/// The program that rivals `load` in a protocol.
pub fn program(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Http1 => "wrk",
        Protocol::H2c => "h2load",
    }
}

/// Repeats one request for whole seconds on `connections` connections, one request at a time on each,
/// from one thread. Returns the generator's own CPU in µs per operation.
pub fn drive(
    protocol: Protocol,
    url: &str,
    request: &RecordedRequest,
    connections: u32,
    seconds: u32,
) -> anyhow::Result<f64> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let target = format!("{url}{}", request.target());
    let (finished, operations) = match protocol {
        Protocol::Http1 => {
            let finished = wrk(folder.path(), &target, request, connections, seconds)?;
            let operations = wrk_operations(&finished.stdout);
            (finished, operations)
        }
        Protocol::H2c => {
            let finished = h2load(folder.path(), &target, request, connections, seconds)?;
            let operations = h2load_operations(&finished.stdout);
            (finished, operations)
        }
    };
    let operations = operations.ok_or_else(|| {
        anyhow!(
            "{} reports failed requests or none at all:\n{}",
            program(protocol),
            finished.stdout.trim_end()
        )
    })?;
    Ok(finished.cpu.as_secs_f64() * 1e6 / operations as f64)
}

fn wrk(
    folder: &Path,
    target: &str,
    request: &RecordedRequest,
    connections: u32,
    seconds: u32,
) -> anyhow::Result<Finished> {
    let script = folder.join("request.lua");
    fs::write(&script, wrk_script(request)?).context("cannot write wrk's script")?;
    process::run(
        Command::new("wrk")
            .args(["--threads", "1", "--connections", &connections.to_string()])
            .args(["--duration", &format!("{seconds}s"), "--script"])
            .arg(&script)
            .arg(target),
    )
}

fn h2load(
    folder: &Path,
    target: &str,
    request: &RecordedRequest,
    connections: u32,
    seconds: u32,
) -> anyhow::Result<Finished> {
    let body = folder.join("body");
    fs::write(&body, &request.body).context("cannot write h2load's body")?;
    let mut command = Command::new("h2load");
    command
        .args(["--threads", "1", "--clients", &connections.to_string()])
        .args(["--max-concurrent-streams", "1"])
        .args(["--duration", &seconds.to_string(), "--data"])
        .arg(&body);
    for (name, value) in headers(request)? {
        command.args(["--header", &format!("{name}: {value}")]);
    }
    process::run(command.arg(target))
}

/// Headers that a generator has to be told.
pub fn headers(request: &RecordedRequest) -> anyhow::Result<Vec<(&str, &str)>> {
    let mut headers = Vec::new();
    for (name, value) in &request.headers {
        if OWN_HEADERS.contains(&name.as_str()) {
            continue;
        }
        let value = value
            .to_str()
            .with_context(|| format!("header {name} is no text"))?;
        headers.push((name.as_str(), value));
    }
    Ok(headers)
}

/// A Lua script that fixes method, headers and body; every byte is escaped, so that none can end a
/// string early.
fn wrk_script(request: &RecordedRequest) -> anyhow::Result<String> {
    ensure!(
        request
            .method
            .as_str()
            .bytes()
            .all(|byte| byte.is_ascii_uppercase()),
        "method {} is not one that wrk can send",
        request.method
    );
    let mut script = format!("wrk.method = \"{}\"\n", request.method);
    for (name, value) in headers(request)? {
        let _ = writeln!(
            script,
            "wrk.headers[\"{}\"] = \"{}\"",
            escaped(name.as_bytes()),
            escaped(value.as_bytes())
        );
    }
    if !request.body.is_empty() {
        let _ = writeln!(script, "wrk.body = \"{}\"", escaped(&request.body));
    }
    Ok(script)
}

fn escaped(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "\\{byte:03}");
        text
    })
}

/// Requests in wrk's report; `None` when one of them failed.
fn wrk_operations(report: &str) -> Option<u64> {
    if report.contains("Non-2xx") || report.contains("Socket errors") {
        return None;
    }
    let line = report.lines().find(|line| line.contains(" requests in "))?;
    let count = line.split_whitespace().next()?.parse().ok()?;
    (count > 0).then_some(count)
}

/// Succeeded requests in h2load's report; `None` when one failed.
fn h2load_operations(report: &str) -> Option<u64> {
    let line = report
        .lines()
        .find_map(|line| line.strip_prefix("requests: "))?;
    let count = |what: &str| -> Option<u64> {
        let part = line.split(", ").find(|part| part.ends_with(what))?;
        part.split_whitespace().next()?.parse().ok()
    };
    if count("failed")? + count("errored")? + count("timeout")? > 0 {
        return None;
    }
    count("succeeded").filter(|&count| count > 0)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use bytes::Bytes;
    use http::{HeaderMap, HeaderValue, Method, Uri};

    use super::*;

    #[test]
    fn wrk_reports_are_read() {
        let fine = "Running 2s test @ http://127.0.0.1:1/\n  1 threads and 20 connections\n  \
                    79123 requests in 2.00s, 9.3MB read\nRequests/sec:  39561.50\n";
        assert_eq!(wrk_operations(fine), Some(79_123));
        let refused = format!("{fine}  Non-2xx or 3xx responses: 3\n");
        assert_eq!(wrk_operations(&refused), None);
        let broken = format!("{fine}  Socket errors: connect 0, read 1, write 0, timeout 0\n");
        assert_eq!(wrk_operations(&broken), None);
        assert_eq!(wrk_operations("  0 requests in 2.00s, 0B read"), None);
        assert_eq!(wrk_operations(""), None);
    }

    #[test]
    fn h2load_reports_are_read() {
        let report = |succeeded: u64, failed: u64| {
            format!(
                "finished in 2.00s, 10.00 req/s, 1KB/s\nrequests: 30 total, 30 started, 30 done, \
                 {succeeded} succeeded, {failed} failed, 0 errored, 0 timeout\n"
            )
        };
        assert_eq!(h2load_operations(&report(30, 0)), Some(30));
        assert_eq!(h2load_operations(&report(29, 1)), None);
        assert_eq!(h2load_operations(&report(0, 0)), None);
        assert_eq!(h2load_operations("nothing"), None);
    }

    #[test]
    fn the_script_repeats_the_recorded_request_and_leaves_wrks_own_headers_to_it() {
        let mut headers = HeaderMap::new();
        headers.insert("host", HeaderValue::from_static("h"));
        headers.insert("x", HeaderValue::from_static("a"));
        let request = RecordedRequest {
            method: Method::POST,
            uri: Uri::from_static("/p?q=1"),
            headers,
            body: Bytes::from_static(b"\0\"\n"),
        };
        assert_eq!(
            wrk_script(&request).unwrap(),
            "wrk.method = \"POST\"\nwrk.headers[\"\\120\"] = \"\\097\"\nwrk.body = \"\\000\\034\\010\"\n"
        );
        assert_eq!(request.target(), "/p?q=1");
    }
}
