//! All findings together.

use std::fmt;

use super::{Finding, Mark, Surroundings, checks};

/// All findings; prints as the report, one line each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// In the order of the report.
    pub findings: Vec<Finding>,
}

impl Diagnosis {
    /// Judges what is around the wrapper.
    #[must_use]
    pub fn of(surroundings: &Surroundings) -> Self {
        let Surroundings {
            machine,
            ports,
            executable,
            build_profile,
            netem,
            search_path,
        } = surroundings;
        let search_path = search_path.as_deref();
        let mut findings = checks::machine_facts(machine);
        findings.extend(checks::cpu_meter(&machine.cpu_meter));
        findings.push(checks::own_executable(executable));
        findings.push(checks::build_profile(build_profile));
        findings.extend(ports.iter().map(|(port, state)| checks::port(*port, state)));
        findings.push(checks::network_conditions(*netem));
        findings.push(checks::k6(search_path));
        findings.push(checks::test_tools(search_path));
        let advice = machine.advice.iter();
        findings.extend(advice.map(|advice| Finding::new(Mark::Advice, advice)));
        Self { findings }
    }

    /// Whether measuring is possible at all.
    #[must_use]
    pub fn can_measure(&self) -> bool {
        self.findings
            .iter()
            .all(|finding| finding.mark != Mark::Bad)
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Finding { mark, text } in &self.findings {
            writeln!(formatter, "{mark} {text}")?;
        }
        let advice = self
            .findings
            .iter()
            .filter(|finding| finding.mark == Mark::Advice)
            .count();
        match (self.can_measure(), advice) {
            (false, _) => writeln!(
                formatter,
                "\nMeasuring is impossible until every ✗ is fixed."
            ),
            (true, 0) => writeln!(formatter, "\nReady to measure."),
            (true, _) => writeln!(
                formatter,
                "\nReady to measure; lines with ! tell how to do it better."
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{io, path::PathBuf};

    use super::*;
    use crate::record::{CpuMeter, Machine};

    fn quiet_machine() -> Machine {
        Machine {
            os: "linux".to_owned(),
            kernel: Some("6.1.0".to_owned()),
            cpu_model: Some("Some CPU".to_owned()),
            logical_cores: 8,
            memory_bytes: Some(3 << 29),
            hypervisor: None,
            governor: Some("performance".to_owned()),
            irq_time_accounting: Some(false),
            load_average_x100: Some(7),
            tcp_congestion_control: Some("cubic".to_owned()),
            cpu_meter: CpuMeter::ProcessCpuClock,
            rustc: Some("rustc 1.95.0".to_owned()),
            advice: Vec::new(),
        }
    }

    fn healthy() -> Surroundings {
        Surroundings {
            machine: quiet_machine(),
            ports: vec![(0, Ok(())), (5300, Ok(())), (5301, Ok(()))],
            executable: Ok(PathBuf::from("/opt/bookstore-bench")),
            build_profile: "release".to_owned(),
            netem: Some(false),
            search_path: None,
        }
    }

    #[test]
    fn a_healthy_machine_reads_well() {
        insta::assert_snapshot!(Diagnosis::of(&healthy()), @r"
        · system: linux 6.1.0
        · processor: Some CPU, 8 logical cores, 1.5 GiB memory
        · hypervisor: none found
        · frequency governor: performance
        · interrupt time: part of the interrupted process
        · load average: 0.07
        · TCP congestion control: cubic
        · compiler: rustc 1.95.0
        ✓ CPU time is readable, by the process CPU clock (ns)
        ✓ server and load start from /opt/bookstore-bench
        ✓ release build
        ✓ 127.0.0.1 can be listened on
        ✓ port 5300 is free for `serve`
        ✓ port 5301 is free for `serve`
        · network conditions: played by the built-in relay (`relay --check` tells how exactly); this kernel has no `tc netem`
        · k6: not on PATH; not needed, the load process is built in
        · tools for the repository's tests: none present, valgrind, wrk, h2load, tshark missing (`scripts/setup` installs them)

        Ready to measure.
        ");
    }

    #[test]
    fn trouble_that_measuring_survives_is_named_with_its_remedy() {
        let in_use = io::Error::from(io::ErrorKind::AddrInUse);
        let mut surroundings = Surroundings {
            ports: vec![(0, Ok(())), (5300, Err(in_use))],
            build_profile: "debug".to_owned(),
            ..healthy()
        };
        surroundings.machine.cpu_meter = CpuMeter::Unavailable {
            reason: "no clock".to_owned(),
        };
        surroundings.machine.advice = vec!["CPU columns stay empty: no clock".to_owned()];
        let diagnosis = Diagnosis::of(&surroundings);
        assert!(diagnosis.can_measure());
        insta::assert_snapshot!(diagnosis, @r"
        · system: linux 6.1.0
        · processor: Some CPU, 8 logical cores, 1.5 GiB memory
        · hypervisor: none found
        · frequency governor: performance
        · interrupt time: part of the interrupted process
        · load average: 0.07
        · TCP congestion control: cubic
        · compiler: rustc 1.95.0
        ✓ server and load start from /opt/bookstore-bench
        ! debug build, which is not measured: use `cargo run --release`
        ✓ 127.0.0.1 can be listened on
        ! port 5300 cannot be had (address in use): `serve` needs it free or another one chosen; `ss -ltnp` names who listens; measuring takes other ports
        · network conditions: played by the built-in relay (`relay --check` tells how exactly); this kernel has no `tc netem`
        · k6: not on PATH; not needed, the load process is built in
        · tools for the repository's tests: none present, valgrind, wrk, h2load, tshark missing (`scripts/setup` installs them)
        ! CPU columns stay empty: no clock

        Ready to measure; lines with ! tell how to do it better.
        ");
    }

    #[test]
    fn without_loopback_or_executable_nothing_can_be_measured() {
        let denied = || io::Error::from(io::ErrorKind::PermissionDenied);
        let no_loopback = Surroundings {
            ports: vec![(0, Err(denied()))],
            ..healthy()
        };
        let no_executable = Surroundings {
            executable: Err(denied()),
            ..healthy()
        };
        for surroundings in [no_loopback, no_executable] {
            let diagnosis = Diagnosis::of(&surroundings);
            assert!(!diagnosis.can_measure());
            assert!(
                diagnosis.to_string().contains("permission denied"),
                "{diagnosis}"
            );
            assert!(
                diagnosis.to_string().ends_with("until every ✗ is fixed.\n"),
                "{diagnosis}"
            );
        }
    }
}
