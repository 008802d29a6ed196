//! The built-in summary for people.

use std::{fmt::Write as _, time::Duration};

use super::{
    MetricTotal, Totals, Values,
    format::{percent, plain, value},
    group::Group,
    totals::Verdict,
};
use crate::{
    SummaryMode,
    metric::{CheckCount, Contains},
    options::Options,
};

/// Sections of metrics, by the beginnings of their names.
const SECTIONS: [(&str, &[&str]); 4] = [
    ("HTTP", &["http_reqs", "http_req_"]),
    ("EXECUTION", &["vus", "iteration", "dropped_iterations"]),
    ("NETWORK", &["data_sent", "data_received"]),
    ("GRPC", &["grpc_"]),
];
/// Beginnings of names that have no line of their own.
const HIDDEN: [&str; 2] = ["checks", "group_duration"];
/// Beginnings of names that have one in the full summary alone.
const HIDDEN_IN_COMPACT: [&str; 6] = [
    "http_req_blocked",
    "http_req_connecting",
    "http_req_receiving",
    "http_req_sending",
    "http_req_tls_handshaking",
    "http_req_waiting",
];

/// The text, with an empty line before and behind it.
pub(crate) fn text_summary(totals: &Totals, options: &Options, mode: SummaryMode) -> String {
    let mut text = String::from("\n");
    if totals
        .metrics
        .iter()
        .any(|metric| !metric.thresholds.is_empty())
    {
        text.push_str("\n  █ THRESHOLDS \n");
        write_thresholds(&mut text, totals, options);
    }
    text.push_str("\n\n  █ TOTAL RESULTS \n");
    let elapsed = totals.elapsed;
    write_checks(&mut text, &totals.checks, elapsed);
    write_metrics(&mut text, &totals.metrics, options, mode);
    if mode == SummaryMode::Full {
        for group in &Group::root(totals).groups {
            write_group(&mut text, totals, options, group, 0);
        }
        for (name, metrics) in &totals.by_scenario {
            let _ = write!(text, "\n\n  █ SCENARIO: {name} \n");
            write_metrics(&mut text, metrics, options, mode);
        }
    }
    text.push_str("\n\n");
    text
}

/// A group with its checks and metrics, and those in it.
fn write_group(text: &mut String, totals: &Totals, options: &Options, group: &Group, depth: usize) {
    let (indent, mark) = ("  ".repeat(depth), if depth == 0 { '█' } else { '↳' });
    let _ = write!(text, "\n\n  {indent}{mark} GROUP: {} \n", group.name);
    let checks: Vec<CheckCount> = (totals.checks.iter())
        .filter(|check| check.group == group.path)
        .cloned()
        .collect();
    write_checks(text, &checks, totals.elapsed);
    let metrics = totals.by_group.iter().find(|(path, _)| *path == group.path);
    if let Some((_, metrics)) = metrics {
        write_metrics(text, metrics, options, SummaryMode::Full);
    }
    for inner in &group.groups {
        write_group(text, totals, options, inner, depth + 1);
    }
}

/// Writing to a string cannot fail, so the results of `write!` are dropped.
fn write_thresholds(text: &mut String, totals: &Totals, options: &Options) {
    for metric in totals
        .metrics
        .iter()
        .filter(|metric| !metric.thresholds.is_empty())
    {
        let has_heading = |parent: &String| {
            let mut metrics = totals.metrics.iter();
            metrics.any(|metric| metric.name == *parent && !metric.thresholds.is_empty())
        };
        let heading = metric.parent.as_ref().filter(|parent| has_heading(parent));
        let _ = match (heading, metric.name.find('{')) {
            (Some(_), Some(part)) => write!(text, "\n      {}\n", &metric.name[part..]),
            _ => write!(text, "\n    {}\n", metric.name),
        };
        for verdict in &metric.thresholds {
            let mark = if verdict.ok { '✓' } else { '✗' };
            let Verdict {
                source, aggregate, ..
            } = verdict;
            let shown = match metric.values {
                Values::Rate { .. } => percent(verdict.value),
                Values::Trend(_) => value(verdict.value, metric.contains, options.time_unit()),
                _ => plain(verdict.value),
            };
            let _ = writeln!(text, "    {mark} '{source}' {aggregate}={shown}");
        }
    }
}

fn write_checks(text: &mut String, checks: &[CheckCount], elapsed: Duration) {
    let (passes, fails) = checks.iter().fold((0, 0), |(passes, fails), check| {
        (passes + check.passes, fails + check.fails)
    });
    let total = passes + fails;
    if total == 0 {
        return;
    }
    let rate = total as f64 / elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
    let share = |part: u64| percent(part as f64 / total as f64);
    let _ = writeln!(text, "\n    checks_total.......: {total} {}/s", plain(rate));
    let _ = writeln!(
        text,
        "    checks_succeeded...: {} {passes} out of {total}",
        share(passes)
    );
    let _ = writeln!(
        text,
        "    checks_failed......: {} {fails} out of {total}\n",
        share(fails)
    );
    for check in checks {
        if check.fails == 0 {
            let _ = writeln!(text, "    ✓ {}", check.name);
            continue;
        }
        let (passes, fails) = (check.passes, check.fails);
        let percent = 100 * passes / (passes + fails);
        let _ = writeln!(
            text,
            "    ✗ {}\n      ↳  {percent}% — ✓ {passes} / ✗ {fails}",
            check.name
        );
    }
}

fn write_metrics(text: &mut String, metrics: &[MetricTotal], options: &Options, mode: SummaryMode) {
    let in_compact = HIDDEN_IN_COMPACT
        .iter()
        .filter(|_| mode != SummaryMode::Full);
    let hidden: Vec<_> = HIDDEN.iter().chain(in_compact).collect();
    let shown: Vec<&MetricTotal> = (metrics.iter())
        .filter(|metric| {
            !hidden
                .iter()
                .any(|hidden| metric.name.starts_with(**hidden))
        })
        .collect();
    let longest = shown
        .iter()
        .map(|metric| label(metric).chars().count())
        .max();
    let width = longest.unwrap_or_default() + 3;
    let in_section = |metric: &MetricTotal, names: &[&str]| {
        names.iter().any(|name| metric.name.starts_with(name))
    };
    let is_custom =
        |metric: &MetricTotal| !SECTIONS.iter().any(|(_, names)| in_section(metric, names));
    write_section(
        text,
        "CUSTOM",
        shown.iter().copied().filter(|metric| is_custom(metric)),
        width,
        options,
    );
    for (title, names) in SECTIONS {
        let members = shown
            .iter()
            .copied()
            .filter(|metric| in_section(metric, names));
        write_section(text, title, members, width, options);
    }
}

fn write_section<'a>(
    text: &mut String,
    title: &str,
    metrics: impl Iterator<Item = &'a MetricTotal>,
    width: usize,
    options: &Options,
) {
    let mut is_first = true;
    for metric in metrics {
        if is_first {
            let _ = write!(text, "\n    {title}\n");
            is_first = false;
        }
        let label = label(metric);
        let dots = ".".repeat(width.saturating_sub(label.chars().count()));
        let _ = writeln!(text, "    {label}{dots}: {}", numbers(metric, options));
    }
}

/// The name, or the tags of a part under its metric.
fn label(metric: &MetricTotal) -> String {
    match (&metric.parent, metric.name.split_once('{')) {
        (Some(_), Some((_, tags))) => {
            format!("  {{ {} }}", tags.strip_suffix('}').unwrap_or(tags).trim())
        }
        _ => metric.name.clone(),
    }
}

fn numbers(metric: &MetricTotal, options: &Options) -> String {
    let show = |number: f64| value(number, metric.contains, options.time_unit());
    match &metric.values {
        Values::Counter { count, rate } => format!("{} {}/s", show(*count), show(*rate)),
        Values::Gauge { value, min, max } => {
            format!("{} min={} max={}", show(*value), show(*min), show(*max))
        }
        Values::Rate {
            rate,
            passes,
            fails,
        } => format!("{} {passes} out of {}", percent(*rate), passes + fails),
        Values::Trend(_) => {
            let stats = metric.values.named(options).into_iter();
            let stats = stats.map(|(name, number)| match name.as_str() {
                "count" => format!("count={}", value(number, Contains::Default, None)),
                _ => format!("{name}={}", show(number)),
            });
            stats.collect::<Vec<_>>().join(" ")
        }
    }
}
