//! The meter against known amounts of CPU time.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    env, fs,
    io::{self, BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use bookstore_bench::{
    child::ChildProcess,
    meter::{LinuxMeter, Meter, MeterError, UnsupportedMeter, Window, system_meter},
    record::{CpuMeter, ProcessUsage},
};

/// CPU time that the two threads of the burner use, each by its own thread clock.
const BURN: [Duration; 2] = [Duration::from_millis(250), Duration::from_millis(400)];

fn thread_cpu() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes one `timespec` to the address it is given, which is a live local.
    let answer = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(answer, 0);
    Duration::new(
        time.tv_sec.try_into().unwrap(),
        time.tv_nsec.try_into().unwrap(),
    )
}

/// Spins until this thread has used that much CPU, and tells how much it was.
fn burn(amount: Duration) -> Duration {
    while thread_cpu() < amount {
        std::hint::spin_loop();
    }
    thread_cpu()
}

/// The role of the process that is measured: burns on two threads when told to, of which one has
/// ended and one still lives when it reports the sum.
fn burner() {
    let stdin = io::stdin();
    let mut commands = stdin.lock().lines();
    println!("\nready");
    commands.next().unwrap().unwrap();
    let ended = thread::spawn(|| burn(BURN[0]));
    let (report, burnt) = mpsc::channel();
    let (end, until_end) = mpsc::channel::<()>();
    let living = thread::spawn(move || {
        report.send(burn(BURN[1])).unwrap();
        // Ends when the sender is dropped.
        until_end.recv().unwrap_err();
    });
    let total = ended.join().unwrap() + burnt.recv().unwrap();
    println!("burnt {}", total.as_nanos());
    commands.next().unwrap().unwrap();
    drop(end);
    living.join().unwrap();
}

struct Burner {
    process: Child,
    stdin: ChildStdin,
    stdout: io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Burner {
    const ROLE: &str = "BOOKSTORE_BENCH_TEST_BURNER";

    fn start(test: &str) -> Self {
        let mut process = Command::new(env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture"])
            .env(Self::ROLE, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = process.stdin.take().unwrap();
        let stdout = BufReader::new(process.stdout.take().unwrap()).lines();
        Self {
            process,
            stdin,
            stdout,
        }
    }

    fn line_with(&mut self, prefix: &str) -> String {
        let mut lines = self.stdout.by_ref().map(Result::unwrap);
        lines
            .find_map(|line| line.strip_prefix(prefix).map(str::to_owned))
            .unwrap()
    }

    fn go_on(&mut self) {
        self.stdin.write_all(b"go on\n").unwrap();
    }
}

fn assert_within(share: f64, measured: f64, expected: f64) {
    let off = (measured - expected).abs() / expected;
    assert!(
        off <= share,
        "{measured} is off {expected} by {:.2} %",
        off * 100.0
    );
}

/// Plays two roles: the test, and, started again by it, the process that is measured.
#[test]
fn two_burning_threads_are_read_within_two_percent_though_one_has_ended() {
    if env::var_os(Burner::ROLE).is_some() {
        return burner();
    }
    let meter = system_meter();
    assert_eq!(meter.kind(), CpuMeter::ProcessCpuClock);
    let name = "two_burning_threads_are_read_within_two_percent_though_one_has_ended";
    let mut burner = Burner::start(name);
    burner.line_with("ready");
    let pid = burner.process.id();
    let (before, machine_before) = (meter.process(pid).unwrap(), meter.machine().unwrap());
    burner.go_on();
    let report: f64 = burner.line_with("burnt ").parse().unwrap();
    let burnt_us = report / 1000.0;
    let (after, machine_after) = (meter.process(pid).unwrap(), meter.machine().unwrap());
    burner.go_on();
    assert!(burner.process.wait().unwrap().success());

    let usage = before.usage_until(&after).unwrap();
    assert!(burnt_us >= 650_000.0);
    assert_within(0.02, usage.cpu_us.unwrap(), burnt_us);
    // In steps of 10 ms each, cut off.
    let sampled = usage.user_cpu_us_sampled.unwrap() + usage.system_cpu_us_sampled.unwrap();
    assert!(
        (sampled - burnt_us).abs() < 0.02 * burnt_us + 40_000.0,
        "{sampled} of {burnt_us}"
    );
    assert!(usage.peak_rss_bytes.unwrap() > 100_000);

    let machine = machine_before.usage_until(&machine_after);
    assert!(
        machine.busy_us + machine.steal_us > 0.9 * burnt_us,
        "{machine:?} of {burnt_us}"
    );
    assert!(
        machine.busy_us < 1.1 * machine.capacity_us + 40_000.0,
        "{machine:?}"
    );
}

fn shell(script: &str) -> ChildProcess {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).stdout(Stdio::piped());
    ChildProcess::spawn("the shell", command).unwrap()
}

/// A loop of the shell's own, a few hundred milliseconds long.
const BUSY: &str = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; exit 5";

#[test]
fn the_clock_of_an_ended_child_agrees_with_wait4() {
    let exit = shell(BUSY).wait().unwrap();
    assert_eq!(exit.status.code(), Some(5));
    let by_wait4 = (exit.user_cpu + exit.system_cpu).as_nanos();
    assert!(by_wait4 > 10_000_000, "{exit:?}");
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    assert_within(0.01, exit.cpu_ns.unwrap() as f64, by_wait4 as f64);
    assert!(exit.ran_for >= Duration::from_millis(10));
    assert_eq!(exit.usage().run_queue_wait_us, None);
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let by_clock_us = exit.cpu_ns.unwrap() as f64 / 1000.0;
    assert_eq!(exit.usage().cpu_us, Some(by_clock_us));
}

#[test]
fn waiting_is_bounded_and_the_end_is_told_as_often_as_asked() {
    let child = shell("exec sleep 600");
    assert_eq!(child.exit().unwrap(), None);
    assert_eq!(child.wait_for(Duration::from_millis(20)).unwrap(), None);
    child.kill();
    let exit = child.wait().unwrap();
    assert_eq!(child.exit().unwrap(), Some(exit));
    assert_eq!(child.stop(Duration::ZERO).unwrap(), exit);
}

#[test]
fn a_window_holds_server_load_and_machine() {
    let meter = system_meter();
    let server = shell("exec sleep 600");
    let window = Window::open(meter.as_ref(), Some(server.pid())).unwrap();
    let load = shell(BUSY).wait().unwrap();
    let usage = window.close(meter.as_ref(), &load).unwrap();
    assert!((usage.window_s - load.ran_for.as_secs_f64()).abs() < 1e-9);
    assert!(usage.client.cpu_us.unwrap() > usage.server.cpu_us.unwrap());
    assert!(usage.server.run_queue_wait_us.is_some());
    assert!(usage.machine.unwrap().capacity_us > 0.0);
}

#[test]
fn a_window_without_a_readable_system_has_empty_columns() {
    let meter = UnsupportedMeter::new("no clock");
    assert_eq!(
        meter.kind(),
        CpuMeter::Unavailable {
            reason: "no clock".to_owned()
        }
    );
    let window = Window::open(&meter, Some(std::process::id())).unwrap();
    let usage = window
        .close(&meter, &shell("exit 0").wait().unwrap())
        .unwrap();
    assert_eq!(usage.server, ProcessUsage::default());
    assert_eq!(usage.machine, None);
}

#[test]
fn a_server_that_vanishes_in_the_window_is_an_error() {
    let meter = system_meter();
    let server = shell("exec sleep 600");
    let window = Window::open(meter.as_ref(), Some(server.pid())).unwrap();
    let pid = server.pid();
    drop(server);
    let error = window
        .close(meter.as_ref(), &shell("exit 0").wait().unwrap())
        .unwrap_err();
    assert!(
        matches!(error, MeterError::Vanished { pid: gone } if gone == pid),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .contains(&format!("process {pid} is gone")),
        "{error}"
    );
}

#[test]
fn what_cannot_be_read_is_an_error_that_names_the_file_and_the_reason_for_no_meter() {
    let proc = tempfile::tempdir().unwrap();
    let own = proc.path().join(std::process::id().to_string());
    fs::create_dir(&own).unwrap();
    let stat = own.join("stat");
    fs::write(&stat, "1 (x)").unwrap();
    let meter = LinuxMeter::with_proc(proc.path());
    let error = meter.process(std::process::id()).unwrap_err();
    assert!(matches!(error, MeterError::Malformed { .. }), "{error}");
    assert!(
        error.to_string().contains(stat.to_str().unwrap()),
        "{error}"
    );
    assert_eq!(
        meter.kind(),
        CpuMeter::Unavailable {
            reason: error.to_string()
        }
    );
}

#[test]
fn without_proc_the_machine_is_an_error_and_not_idle() {
    let empty = tempfile::tempdir().unwrap();
    let error = LinuxMeter::with_proc(empty.path()).machine().unwrap_err();
    assert!(error.to_string().contains("is /proc mounted?"), "{error}");
}
