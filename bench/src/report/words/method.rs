//! How, with what and how completely a session was measured.

use clap::ValueEnum as _;

use crate::{
    driver::DriverKind,
    record::{
        CpuMeter, LoadModel, Maximum, NoiseFloor, Sequence, Session, SessionState, without_rate,
    },
    report::{
        number::{self, count, counted, exact, memory, percent, plain},
        view,
    },
};

/// What a reader must know of an incomplete session; `None` when every planned run was made.
#[must_use]
pub fn state(session: &Session) -> Option<String> {
    let why = match &session.state {
        SessionState::Complete => return None,
        SessionState::Running => "still measuring".to_owned(),
        SessionState::Interrupted => "interrupted".to_owned(),
        SessionState::Failed { error } => format!("stopped by an error ({error})"),
    };
    Some(format!(
        "Not complete: {why} after {} of {}. Counted so far: {}.",
        count(session.runs.len() as u64),
        counted(view::planned_runs(session) as u64, "planned run"),
        counted(session.analysis.valid_rounds.into(), "round"),
    ))
}

/// The smallest difference that can be told apart, as one or two sentences.
#[must_use]
pub fn noise_floor(session: &Session) -> String {
    let Some(NoiseFloor {
        row, ratio, share, ..
    }) = &session.analysis.noise_floor
    else {
        return "The noise floor of this machine is not known: no row was measured twice."
            .to_owned();
    };
    format!(
        "On this machine today differences under {} cannot be told apart: {} against itself gave {} ({}).",
        percent(*share),
        view::full_label(session, row),
        number::ratio(ratio.ratio),
        number::ratio_span(ratio),
    )
}

/// Rounds, windows, users and driver, as one sentence.
#[must_use]
pub fn measured_with(session: &Session) -> String {
    let settings = &session.settings;
    let [rounds, profile, others @ ..] = clauses(session);
    format!(
        "{rounds} of {} each ({profile}), {}, seed {}.",
        counted(session.rows.len() as u64, "run"),
        others.join(", "),
        settings.seed,
    )
}

/// The same without what every session has for itself, clause by clause.
#[must_use]
pub fn method(session: &Session) -> Vec<String> {
    clauses(session).into()
}

fn clauses(session: &Session) -> [String; 7] {
    let settings = &session.settings;
    let model = match settings.model {
        LoadModel::Closed => "closed loop".to_owned(),
        LoadModel::Open { rate_per_s } => {
            format!("open model at {} operations/s", exact(rate_per_s))
        }
        LoadModel::Sequential(sequence) => words_of(sequence),
    };
    let driver = session.engine(None).map_or_else(
        || {
            let workers = counted(settings.load_workers.into(), "worker");
            format!("{} with {workers}", settings.driver)
        },
        ToString::to_string,
    );
    let others: Vec<String> = DriverKind::value_variants()
        .iter()
        .filter_map(|kind| session.engine(Some(*kind)))
        .map(|engine| format!(" (in rows that name it {engine})"))
        .collect();
    [
        counted(settings.rounds.into(), "round"),
        format!("{} profile", settings.profile),
        format!(
            "window {} s after {} s of warm-up",
            exact(settings.duration_s),
            exact(settings.warmup_s)
        ),
        counted(settings.vus.into(), "VU"),
        model,
        format!("driver {driver}{}", others.concat()),
        format!(
            "server with {}",
            counted(settings.server_workers.into(), "worker")
        ),
    ]
}

/// What rates in % came to, a sentence for each group that has some.
#[must_use]
pub fn offered_rates(session: &Session) -> Vec<String> {
    let of_group = |maximum: &Maximum| {
        let (slowest, most) = maximum.slowest()?;
        let mut percents: Vec<f64> = session
            .rows
            .iter()
            .filter(|row| without_rate(&row.group) == maximum.group)
            .filter_map(|row| row.condition.rate_percent)
            .collect();
        percents.sort_by(f64::total_cmp);
        percents.dedup();
        let offered: Vec<String> = percents
            .into_iter()
            .filter_map(|percent| {
                let rate = plain(maximum.offered(percent)?);
                Some(format!("rate={percent}% is {rate} operations/s"))
            })
            .collect();
        Some(format!(
            "Before the rounds the slowest of {} ({slowest}) did {} operations/s in a closed loop: {}.",
            maximum.group,
            plain(most),
            offered.join(", "),
        ))
    };
    session.maxima.iter().filter_map(of_group).collect()
}

fn words_of(sequence: Sequence) -> String {
    let Sequence {
        repetitions,
        drop,
        pause_ms,
    } = sequence;
    format!(
        "one client with {} one after the other, the first {} dropped, {} ms of pause after each",
        counted(repetitions.into(), "operation"),
        count(drop.into()),
        exact(pause_ms)
    )
}

/// Machine, versions and time, as one sentence.
#[must_use]
pub fn measured_on(session: &Session) -> String {
    let machine = &session.machine;
    let mut facts = vec![match &machine.kernel {
        Some(kernel) => format!("{} {kernel}", machine.os),
        None => machine.os.clone(),
    }];
    facts.extend(machine.cpu_model.clone());
    facts.push(counted(machine.logical_cores.into(), "core"));
    facts.extend(machine.memory_bytes.map(memory));
    facts.extend(
        machine
            .hypervisor
            .as_ref()
            .map(|name| format!("virtual ({name})")),
    );
    facts.push(format!("bookstore-bench {}", version(session)));
    facts.push(format!("{} build", session.server.build_profile));
    facts.extend(machine.rustc.clone());
    format!("{}; {}.", facts.join(", "), started(session))
}

/// Version and git revision of the wrapper.
#[must_use]
pub fn version(session: &Session) -> String {
    match &session.tool_revision {
        Some(revision) => format!("{} ({revision})", session.tool_version),
        None => session.tool_version.clone(),
    }
}

/// When the session began, to the minute.
#[must_use]
pub fn started(session: &Session) -> String {
    session
        .started_at
        .strftime("%Y-%m-%d %H:%M UTC")
        .to_string()
}

/// How CPU time was read, in a few words.
#[must_use]
pub fn cpu_meter(session: &Session) -> String {
    match &session.machine.cpu_meter {
        CpuMeter::ProcessCpuClock => "process CPU clock, all threads".to_owned(),
        CpuMeter::Unavailable { reason } => format!("not readable: {reason}"),
    }
}

/// Whether CPU time could be read.
#[must_use]
pub fn has_cpu_meter(session: &Session) -> bool {
    session.machine.cpu_meter == CpuMeter::ProcessCpuClock
}
