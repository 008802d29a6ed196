//! What a waiting person sees: a bar on a terminal, a line per round elsewhere.

use std::{
    io::{IsTerminal as _, stderr},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::{print::tell, record::Row};

/// Progress through the planned runs.
pub struct Progress {
    bar: ProgressBar,
    rounds: u32,
    /// Without a terminal a line per round is enough; `None` when nothing is wanted.
    last_round: Option<u32>,
}

impl Progress {
    /// A bar for `rounds` rounds of `runs` runs in all; silent with `quiet`.
    #[must_use]
    pub fn new(runs: u64, rounds: u32, quiet: bool) -> Self {
        let bar = if quiet {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(runs)
        };
        let style =
            ProgressStyle::with_template("{bar:30} {pos:>3}/{len} runs, {eta} left  {wide_msg}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        if !quiet {
            bar.enable_steady_tick(Duration::from_millis(500));
        }
        let last_round = (!quiet && !stderr().is_terminal()).then_some(0);
        Self {
            bar,
            rounds,
            last_round,
        }
    }

    /// A run of `row` begins that comes before the rounds and is no part of them.
    pub fn prepare(&mut self, row: &Row) {
        let text = format!(
            "before the rounds: full load of {} {}",
            row.group_label, row.label
        );
        if self.last_round.is_some() {
            tell(&text);
        }
        self.bar.set_message(text);
    }

    /// A run of `row` begins.
    pub fn begin(&mut self, round: u32, row: &Row) {
        self.bar.set_message(format!(
            "round {round} of {}: {} {}",
            self.rounds, row.group_label, row.label
        ));
        if self.last_round.is_some_and(|last| last != round) {
            self.last_round = Some(round);
            tell(&format!("round {round} of {}", self.rounds));
        }
    }

    /// A run has ended.
    pub fn end(&self) {
        self.bar.inc(1);
    }

    /// Nothing more will come.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
