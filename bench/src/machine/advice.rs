//! Advice on the state of the machine: what bears on the figures and what to do about it.

use super::State;
use crate::{number, record::CpuMeter};

/// A busy machine: more than this many programs wanted a CPU on average over the last minute.
const BUSY_LOAD: f64 = 0.5;
/// A hypervisor that takes this share of the CPU time bears on the figures.
const NOTABLE_STEAL: f64 = 0.005;
/// With fewer cores the server and the load process get into each other's way.
const ENOUGH_CORES: u32 = 4;

/// One piece of advice, in whole sentences.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Advice {
    /// CPU time cannot be read.
    #[error("The CPU columns stay empty: {reason}.")]
    NoCpuMeter {
        /// Why.
        reason: String,
    },
    /// Other programs are busy.
    #[error(
        "The load average is {load:.2}: other programs use the CPU; close them, or wait a minute, \
         before measuring."
    )]
    Busy {
        /// Load average over one minute.
        load: f64,
    },
    /// Too few cores for two busy processes.
    #[error(
        "Cores for server and load together: {cores}. They share them, so read CPU per operation and \
         not throughput; a machine with {ENOUGH_CORES} or more cores is better."
    )]
    FewCores {
        /// Logical cores.
        cores: u32,
    },
    /// The clock frequency follows the load.
    #[error(
        "The frequency governor is {governor}, so CPU time depends on the clock of the moment; set it \
         with `sudo cpupower frequency-set -g performance`."
    )]
    Governor {
        /// The governor.
        governor: String,
    },
    /// On battery the clock is lowered.
    #[error("The machine runs on battery, which lowers its clock; plug it in.")]
    Battery,
    /// A virtual machine whose host is shared.
    #[error(
        "This is a virtual machine ({hypervisor}) whose host took {} of the CPU time since boot; prefer a \
         dedicated machine, or more rounds.",
        number::percent(*steal_share)
    )]
    Steal {
        /// The hypervisor.
        hypervisor: String,
        /// Share of all CPU time since boot.
        steal_share: f64,
    },
    /// Interrupt time is not part of a process's CPU time.
    #[error(
        "This kernel takes interrupt time out of a process's CPU time \
         (CONFIG_IRQ_TIME_ACCOUNTING): compare µs/op only with machines whose kernel does too."
    )]
    IrqTimeApart,
    /// Whether interrupt time is part of a process's CPU time is unknown.
    #[error(
        "It cannot be told whether this kernel takes interrupt time out of a process's CPU time: compare \
         µs/op with other machines only after a look at CONFIG_IRQ_TIME_ACCOUNTING in their kernels."
    )]
    IrqTimeUnknown,
}

impl Advice {
    /// What to say about a machine; empty when there is nothing to better.
    #[must_use]
    pub fn on(state: &State, cpu_meter: &CpuMeter, logical_cores: u32) -> Vec<Self> {
        let meter = match cpu_meter {
            CpuMeter::ProcessCpuClock => None,
            CpuMeter::Unavailable { reason } => Some(Self::NoCpuMeter {
                reason: reason.clone(),
            }),
        };
        let busy = state
            .load_average
            .filter(|load| *load > BUSY_LOAD)
            .map(|load| Self::Busy { load });
        let cores = (logical_cores < ENOUGH_CORES).then_some(Self::FewCores {
            cores: logical_cores,
        });
        let governor = state
            .governor
            .clone()
            .filter(|governor| governor != "performance")
            .map(|governor| Self::Governor { governor });
        let battery = state.on_battery.then_some(Self::Battery);
        let steal = state
            .steal_share
            .filter(|share| *share > NOTABLE_STEAL)
            .map(|steal_share| {
                let hypervisor = state
                    .hypervisor
                    .clone()
                    .unwrap_or_else(|| "unknown".to_owned());
                Self::Steal {
                    hypervisor,
                    steal_share,
                }
            });
        let irq_time = match (cpu_meter, state.irq_time_accounting) {
            (CpuMeter::Unavailable { .. }, _) | (_, Some(false)) => None,
            (_, Some(true)) => Some(Self::IrqTimeApart),
            (_, None) => Some(Self::IrqTimeUnknown),
        };
        [meter, busy, cores, governor, battery, steal, irq_time]
            .into_iter()
            .flatten()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet() -> State {
        State {
            governor: Some("performance".to_owned()),
            irq_time_accounting: Some(false),
            load_average: Some(0.1),
            steal_share: Some(0.0),
            ..State::default()
        }
    }

    #[test]
    fn a_quiet_machine_gets_no_advice() {
        assert_eq!(Advice::on(&quiet(), &CpuMeter::ProcessCpuClock, 8), []);
    }

    #[test]
    fn everything_amiss_is_named_with_its_value() {
        let state = State {
            governor: Some("powersave".to_owned()),
            irq_time_accounting: Some(true),
            load_average: Some(3.25),
            hypervisor: Some("KVM".to_owned()),
            steal_share: Some(0.021),
            on_battery: true,
            ..State::default()
        };
        let advice = Advice::on(&state, &CpuMeter::ProcessCpuClock, 2);
        let words: Vec<String> = advice.iter().map(Advice::to_string).collect();
        let expected = [
            "3.25",
            "together: 2.",
            "powersave",
            "on battery",
            "(KVM) whose host took 2.1 %",
            "IRQ_TIME",
        ];
        assert_eq!(words.len(), expected.len(), "{words:#?}");
        for (line, part) in words.iter().zip(expected) {
            assert!(line.contains(part), "{line:?} does not contain {part:?}");
        }
    }

    #[test]
    fn without_a_meter_the_reason_is_given_and_interrupt_time_does_not_matter() {
        let meter = CpuMeter::Unavailable {
            reason: "no clock".to_owned(),
        };
        let state = State {
            irq_time_accounting: None,
            ..quiet()
        };
        assert_eq!(
            Advice::on(&state, &meter, 8),
            [Advice::NoCpuMeter {
                reason: "no clock".to_owned()
            }]
        );
        assert_eq!(
            Advice::on(&state, &CpuMeter::ProcessCpuClock, 8),
            [Advice::IrqTimeUnknown]
        );
    }
}
