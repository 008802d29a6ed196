//! What differs in the way both sides were measured.

use super::Side;
use crate::{
    number::{count, counted, exact},
    record::{LoadModel, Session},
};

/// One sentence per difference, those that matter most first.
pub(super) fn warnings(old: &Side, new: &Side) -> Vec<String> {
    match (old.session(), new.session()) {
        (Some(old), Some(new)) => differences(old, new),
        (None, None) => Vec::new(),
        _ => vec![
            "The article's table was measured with k6 2.4 against a .NET server on another machine, once \
             and without a spread: absolute figures say nothing, order and ratios may."
                .to_owned(),
        ],
    }
}

/// A setting by name, and how it is shown.
type Setting = (&'static str, fn(&Session) -> String);

const SETTINGS: [Setting; 17] = [
    ("driver", engine),
    ("build of the server", |session| {
        session.server.build_profile.clone()
    }),
    ("processor", |session| {
        shown(session.machine.cpu_model.as_ref())
    }),
    ("cores", |session| session.machine.logical_cores.to_string()),
    ("system", |session| {
        format!(
            "{} {}",
            session.machine.os,
            shown(session.machine.kernel.as_ref())
        )
    }),
    ("hypervisor", |session| {
        shown(session.machine.hypervisor.as_ref())
    }),
    ("interrupt time accounting", |session| {
        shown(session.machine.irq_time_accounting.as_ref())
    }),
    ("frequency governor", |session| {
        shown(session.machine.governor.as_ref())
    }),
    ("workers of the server", |session| {
        session.settings.server_workers.to_string()
    }),
    ("workers of the load process", |session| {
        session.settings.load_workers.to_string()
    }),
    ("virtual users", |session| {
        count(session.settings.vus.into())
    }),
    ("load model", model),
    ("window", |session| {
        format!("{} s", exact(session.settings.duration_s))
    }),
    ("warm-up", |session| {
        format!("{} s", exact(session.settings.warmup_s))
    }),
    ("log level", |session| session.server.log_level.clone()),
    ("GraphQL document cache", |session| {
        if session.server.graphql_document_cache {
            "on"
        } else {
            "off"
        }
        .to_owned()
    }),
    ("version", |session| {
        format!(
            "{} ({})",
            session.tool_version,
            shown(session.tool_revision.as_ref())
        )
    }),
];

fn differences(old: &Session, new: &Session) -> Vec<String> {
    let differing = SETTINGS.iter().filter_map(|(name, show)| {
        let (old, new) = (show(old), show(new));
        (old != new).then(|| format!("Different {name}: {old}, then {new}."))
    });
    let planted = [old, new]
        .iter()
        .any(|session| !session.settings.surcharges.is_empty());
    let planted = planted.then(|| "CPU was burnt on purpose in one of them.".to_owned());
    differing.chain(planted).collect()
}

fn engine(session: &Session) -> String {
    session.engine(None).map_or_else(
        || session.settings.driver.clone(),
        |engine| format!("{} {}", engine.name, engine.version),
    )
}

fn model(session: &Session) -> String {
    match session.settings.model {
        LoadModel::Closed => "closed loop".to_owned(),
        LoadModel::Open { rate_per_s } => format!("{} operations/s", exact(rate_per_s)),
        LoadModel::Sequential(sequence) => format!(
            "{} in sequence ({} dropped, {} ms of pause)",
            counted(sequence.repetitions.into(), "operation"),
            count(sequence.drop.into()),
            exact(sequence.pause_ms)
        ),
    }
}

fn shown<T: ToString>(value: Option<&T>) -> String {
    value.map_or_else(|| "unknown".to_owned(), ToString::to_string)
}
