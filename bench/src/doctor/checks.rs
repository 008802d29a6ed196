//! One check each: what is found becomes a line of the report.

use std::{ffi::OsStr, fmt::Write as _, io, path::PathBuf};

use super::{Finding, Mark, program::find_program};
use crate::{
    number,
    record::{CpuMeter, Machine},
};

/// Programs that the repository's own tests compare with; measuring needs none of them.
const TEST_TOOLS: [&str; 4] = ["valgrind", "wrk", "h2load", "tshark"];

/// Facts without a judgement.
pub(super) fn machine_facts(machine: &Machine) -> Vec<Finding> {
    let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
    let mut processor = format!(
        "{}, {}",
        known(&machine.cpu_model),
        number::counted(machine.logical_cores.into(), "logical core")
    );
    if let Some(bytes) = machine.memory_bytes {
        // Writing to a string cannot fail.
        let _ = write!(processor, ", {} memory", number::memory(bytes));
    }
    let interrupts = match machine.irq_time_accounting {
        Some(true) => "kept apart from processes",
        Some(false) => "part of the interrupted process",
        None => "unknown",
    };
    let load = machine.load_average_x100.map_or_else(
        || "unknown".to_owned(),
        |hundredths| format!("{:.2}", f64::from(hundredths) / 100.0),
    );
    [
        format!("system: {} {}", machine.os, known(&machine.kernel)),
        format!("processor: {processor}"),
        format!(
            "hypervisor: {}",
            machine.hypervisor.as_deref().unwrap_or("none found")
        ),
        format!("frequency governor: {}", known(&machine.governor)),
        format!("interrupt time: {interrupts}"),
        format!("load average: {load}"),
        format!(
            "TCP congestion control: {}",
            known(&machine.tcp_congestion_control)
        ),
        format!("compiler: {}", known(&machine.rustc)),
    ]
    .map(|fact| Finding::new(Mark::Note, fact))
    .into()
}

/// Without the meter the machine's advice says why, and that only the CPU columns suffer.
pub(super) fn cpu_meter(meter: &CpuMeter) -> Option<Finding> {
    let readable = *meter == CpuMeter::ProcessCpuClock;
    readable.then(|| {
        Finding::new(
            Mark::Good,
            "CPU time is readable, by the process CPU clock (ns)",
        )
    })
}

pub(super) fn own_executable(executable: &io::Result<PathBuf>) -> Finding {
    match executable {
        Ok(path) => Finding::new(
            Mark::Good,
            format!("server and load start from {}", path.display()),
        ),
        Err(error) => Finding::new(
            Mark::Bad,
            format!(
                "the wrapper's own executable is gone ({error}), so server and load cannot start: \
                 build it again with `cargo build --release`"
            ),
        ),
    }
}

pub(super) fn build_profile(profile: &str) -> Finding {
    if profile == "release" {
        return Finding::new(Mark::Good, "release build");
    }
    Finding::new(
        Mark::Advice,
        format!("{profile} build, which is not measured: use `cargo run --release`"),
    )
}

/// Only the failure to listen on any port keeps from measuring, for the server under test takes
/// ports of the system's choice.
pub(super) fn port(port: u16, state: &io::Result<()>) -> Finding {
    match (port, state) {
        (0, Ok(())) => Finding::new(Mark::Good, "127.0.0.1 can be listened on"),
        (0, Err(error)) => Finding::new(
            Mark::Bad,
            format!("cannot listen on 127.0.0.1 ({error}): bring up the loopback interface"),
        ),
        (_, Ok(())) => Finding::new(Mark::Good, format!("port {port} is free for `serve`")),
        (_, Err(error)) => Finding::new(
            Mark::Advice,
            format!(
                "port {port} cannot be had ({error}): `serve` needs it free or another one chosen; \
                 `ss -ltnp` names who listens; measuring takes other ports"
            ),
        ),
    }
}

/// Never by netem: it takes root, and slows down everything that passes the interface.
pub(super) fn network_conditions(netem: Option<bool>) -> Finding {
    let kernel = match netem {
        Some(true) => "this kernel has `tc netem`, which is left alone",
        Some(false) => "this kernel has no `tc netem`",
        None => "whether this kernel has `tc netem` is unknown",
    };
    Finding::new(
        Mark::Note,
        format!(
            "network conditions: played by the built-in relay (`relay --check` tells how exactly); \
             {kernel}"
        ),
    )
}

pub(super) fn k6(search_path: Option<&OsStr>) -> Finding {
    let text = match find_program("k6", search_path) {
        Some(path) => format!("k6: {}", path.display()),
        None => "k6: not on PATH; not needed, the load process is built in".to_owned(),
    };
    Finding::new(Mark::Note, text)
}

pub(super) fn test_tools(search_path: Option<&OsStr>) -> Finding {
    let (present, absent): (Vec<&str>, Vec<&str>) = TEST_TOOLS
        .into_iter()
        .partition(|tool| find_program(tool, search_path).is_some());
    let list = |tools: &[&str]| match tools {
        [] => "none".to_owned(),
        _ => tools.join(", "),
    };
    let mut text = format!(
        "tools for the repository's tests: {} present",
        list(&present)
    );
    if !absent.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            ", {} missing (`scripts/setup` installs them)",
            list(&absent)
        );
    }
    Finding::new(Mark::Note, text)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::net::{Ipv4Addr, TcpListener};

    use super::*;

    #[test]
    fn a_taken_port_is_seen() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let number = taken.local_addr().unwrap().port();
        let state = TcpListener::bind((Ipv4Addr::LOCALHOST, number)).map(drop);
        let Finding { mark, text } = port(number, &state);
        assert_eq!(mark, Mark::Advice);
        assert!(text.contains(&number.to_string()), "{text}");
    }
}
