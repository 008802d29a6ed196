//! The command `capture`: the bytes that `load` counts against a capture of the loopback interface.

use std::{
    io::{BufRead, BufReader, Read},
    net::{Ipv4Addr, Shutdown, TcpStream},
    path::Path,
    process::{Child, ChildStderr, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow, bail, ensure};
use bookstore_bench::catalogue::Catalogue;

use crate::{
    child,
    cli::Capture,
    load::{self, Length},
    programs::{self, Programs},
    row::{self, Row},
    server::Server,
    streams::{FIELDS, Payload, Streams},
};

/// Link, IP and TCP headers with all their options; lengths are read from the headers.
const BYTES_KEPT_PER_PACKET: &str = "160";
const KERNEL_BUFFER_MIB: &str = "64";
/// How long captured packets may take to reach the file.
const FILE_DEADLINE: Duration = Duration::from_secs(30);

/// Checks every row and prints one line for each.
pub fn run(programs: &Programs, options: &Capture) -> anyhow::Result<()> {
    ensure!(
        cfg!(target_os = "linux"),
        "the capture reads Linux's loopback interface; this system has none by that name"
    );
    let bench = programs.bench()?;
    programs::require("dumpcap")?;
    programs::require("tshark")?;
    let rows = row::rows(&Catalogue::built_in(), &options.cells)?;
    let mut different = 0;
    for row in &rows {
        let (counted, captured) =
            both(&bench, row, options).with_context(|| format!("capturing {}", row.id))?;
        let verdict = if counted == captured {
            "equal"
        } else {
            different += 1;
            "DIFFERENT"
        };
        println!(
            "{:<13} {} operations: counted {} sent, {} received; captured {} sent, {} received: {verdict}",
            row.id,
            options.operations,
            counted.sent,
            counted.received,
            captured.sent,
            captured.received
        );
    }
    ensure!(
        different == 0,
        "the bytes of {different} of {} rows differ",
        rows.len()
    );
    Ok(())
}

/// What `load` counted and what the wire carried.
fn both(bench: &Path, row: &Row, options: &Capture) -> anyhow::Result<(Payload, Payload)> {
    let server = Server::target(bench, 1, None)?;
    let url = server.url(row.protocol())?.to_owned();
    let port = port_of(&url)?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let file = folder.path().join("wire.pcapng");
    let dumpcap = Dumpcap::start(&file, port)?;
    let length = Length::Operations(options.operations);
    let summary = load::drive(bench, row, &url, options.vus, length)?.summary;
    ensure!(
        summary.operations == u64::from(options.operations),
        "the load process made {} operations instead of {}",
        summary.operations,
        options.operations
    );
    let last = last_connection(port)?;
    // Closes whatever is still open, so that every stream has an end.
    server.stop()?;
    let streams = await_streams(&file, port, last)?;
    dumpcap.stop()?;
    let counted = Payload {
        sent: summary.sent_bytes,
        received: summary.received_bytes,
    };
    Ok((counted, streams.payload()?))
}

fn port_of(url: &str) -> anyhow::Result<u16> {
    let (_, port) = url.rsplit_once(':').context("an address without port")?;
    port.parse().with_context(|| format!("`{port}` is no port"))
}

/// Opens and closes a connection after all others: once it is in the file, everything is. Returns its
/// client port.
fn last_connection(port: u16) -> anyhow::Result<u16> {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))
        .context("the server does not accept a last connection")?;
    let client_port = stream.local_addr()?.port();
    stream.shutdown(Shutdown::Both)?;
    Ok(client_port)
}

/// Reads the file until it holds the last connection and the end of every other; leaves the last out.
fn await_streams(file: &Path, port: u16, last: u16) -> anyhow::Result<Streams> {
    let deadline = Instant::now() + FILE_DEADLINE;
    loop {
        let mut streams = Streams::read(&dissect(file)?, port)?;
        if streams.has(last) && streams.open() == 0 {
            streams.remove(last);
            return Ok(streams);
        }
        if Instant::now() > deadline {
            bail!(
                "after {FILE_DEADLINE:?} the capture still misses the end of {} connections",
                streams.open()
            );
        }
        thread::sleep(Duration::from_millis(200));
    }
}

fn dissect(file: &Path) -> anyhow::Result<String> {
    let mut command = Command::new("tshark");
    command.arg("-r").arg(file).args(["-n", "-T", "fields"]);
    for field in FIELDS {
        command.args(["-e", field]);
    }
    // While dumpcap writes, the last packet may be cut short: tshark then prints all before it and
    // fails. What is missing shows up as an open stream.
    let output = command.output().context("cannot run tshark")?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A running capture; dropping it kills it.
struct Dumpcap {
    child: Child,
    messages: BufReader<ChildStderr>,
}

impl Dumpcap {
    /// Starts capturing and waits until the file is open, which is after the filter is in place.
    fn start(file: &Path, port: u16) -> anyhow::Result<Self> {
        let mut child = Command::new("dumpcap")
            .args(["-q", "-i", "lo", "-f", &format!("tcp port {port}")])
            .args(["-s", BYTES_KEPT_PER_PACKET, "-B", KERNEL_BUFFER_MIB, "-w"])
            .arg(file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot start dumpcap")?;
        let stderr = child
            .stderr
            .take()
            .context("standard error was not piped")?;
        let mut dumpcap = Self {
            child,
            messages: BufReader::new(stderr),
        };
        let mut said = String::new();
        while dumpcap.messages.read_line(&mut said)? > 0 {
            if said
                .lines()
                .last()
                .is_some_and(|line| line.starts_with("File: "))
            {
                return Ok(dumpcap);
            }
        }
        bail!(
            "dumpcap cannot capture on `lo`; run this as root, or as a member of a group that may \
             capture:\n{}",
            said.trim_end()
        );
    }

    /// Ends the capture; fails when packets were lost on the way.
    fn stop(mut self) -> anyhow::Result<()> {
        child::signal(self.child.id(), libc::SIGINT).context("cannot end dumpcap")?;
        let mut said = String::new();
        self.messages.read_to_string(&mut said)?;
        let status = self.child.wait()?;
        ensure!(status.success(), "dumpcap failed ({status}): {said}");
        let dropped = dropped(&said)
            .ok_or_else(|| anyhow!("dumpcap did not say how many packets it dropped: {said}"))?;
        ensure!(
            dropped == 0,
            "the capture dropped {dropped} packets, so it proves nothing; run it again on a quieter machine"
        );
        Ok(())
    }
}

impl Drop for Dumpcap {
    fn drop(&mut self) {
        // Both fail only when it has ended already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Dropped packets in dumpcap's line `Packets received/dropped on interface 'lo': 100/0 (…)`.
fn dropped(said: &str) -> Option<u64> {
    let (_, counts) = said.split_once("received/dropped on interface '")?;
    let (_, counts) = counts.split_once("': ")?;
    let (_, dropped) = counts.split_whitespace().next()?.split_once('/')?;
    dropped.parse().ok()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn dropped_packets_are_read_from_what_dumpcap_says() {
        let said = "Packets captured: 5\nPackets received/dropped on interface 'Loopback: lo': 7/2 \
                    (pcap:2/dumpcap:0/flushed:0/ps_ifdrop:0) (77.8%)\n";
        assert_eq!(dropped(said), Some(2));
        assert_eq!(dropped("nothing"), None);
    }

    #[test]
    fn the_port_is_read_from_an_address() {
        assert_eq!(port_of("http://127.0.0.1:5300").unwrap(), 5300);
        assert!(port_of("http://127.0.0.1:").is_err());
    }
}
