//! The page from top to bottom.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::{
    record::{GateCount, Metric, Session},
    report::{
        footnote::Footnotes,
        number::{counted, percent},
        remark::remarks,
        view::{self, Group},
        words,
    },
};

use super::{appendix, svg, table};

const STYLE: &str = include_str!("style.css");

/// The whole page. The session alone decides it: rendering it again gives the same bytes.
#[must_use]
pub fn render(session: &Session) -> String {
    let groups = view::groups(session);
    let notes = Footnotes::of(session);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Bookstore bench, " (words::started(session)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    header {
                        h1 { "Bookstore in four API styles" }
                        p.lead {
                            "Measured " (words::started(session)) " with bookstore-bench "
                            (words::version(session)) "."
                        }
                        @if let Some(state) = words::state(session) {
                            p.alert role="alert" { (state) }
                        }
                    }
                    (answers(session, &groups))
                    (trust(session))
                    section aria-labelledby="results" {
                        h2 #results { "Results" }
                        (table::render(session, &groups, &notes))
                    }
                    (verdicts(session, &groups))
                    (ratios(session, &groups))
                    (runs(session, &groups))
                    (shares(session, &groups))
                    (appendix::render(session))
                }
            }
        }
    };
    page.into_string() + "\n"
}

fn answers(session: &Session, groups: &[Group<'_>]) -> Markup {
    html! {
        section.answers aria-label="Answer" {
            @for group in groups {
                @if let Some(answer) = words::answer(session, group) {
                    article {
                        h3 { (group.label) }
                        p { (answer) }
                    }
                }
            }
        }
    }
}

/// A fact that bears on trust, and whether it is as it should be.
struct Fact {
    term: &'static str,
    value: String,
    detail: String,
    good: bool,
}

fn trust(session: &Session) -> Markup {
    let facts = facts(session);
    let remarks = remarks(session);
    html! {
        section aria-labelledby="trust" {
            h2 #trust { "Can you trust it?" }
            p { (words::noise_floor(session)) }
            dl.facts {
                @for fact in &facts {
                    div.fact.doubt[!fact.good] {
                        dt {
                            span.sign aria-hidden="true" { @if fact.good { "✓" } @else { "!" } }
                            (fact.term)
                        }
                        dd { strong { (fact.value) } span { (fact.detail) } }
                    }
                }
            }
            @if !remarks.is_empty() {
                ul.remarks {
                    @for remark in &remarks { li { (remark) } }
                }
            }
            p.small { (words::measured_with(session)) " " (words::measured_on(session)) }
        }
    }
}

fn facts(session: &Session) -> Vec<Fact> {
    let analysis = &session.analysis;
    let planned = session.settings.rounds;
    let made = session.runs.len();
    let gated = session
        .runs
        .iter()
        .filter(|run| !run.gates.is_empty())
        .count();
    let floor = analysis.noise_floor.as_ref();
    vec![
        Fact {
            term: "Noise floor",
            value: floor.map_or("unknown".to_owned(), |floor| percent(floor.share)),
            detail: "smallest difference that can be told apart".to_owned(),
            good: floor.is_some_and(|floor| !floor.false_difference),
        },
        Fact {
            term: "Rounds",
            value: format!("{} of {planned}", analysis.valid_rounds),
            detail: "count, each with every row once in random order".to_owned(),
            good: analysis.valid_rounds == planned,
        },
        Fact {
            term: "Gates",
            value: format!("{} of {} clean", made - gated, counted(made as u64, "run")),
            detail: worst_gate(analysis.rows.iter().flat_map(|row| &row.gates)),
            good: gated == 0,
        },
        equal_answers(session),
        Fact {
            term: "Build",
            value: session.server.build_profile.clone(),
            detail: format!(
                "allocator {}, log level {}",
                session.server.allocator, session.server.log_level
            ),
            good: !session.server.debug_assertions,
        },
        Fact {
            term: "CPU meter",
            value: words::cpu_meter(session),
            detail: match session.machine.irq_time_accounting {
                Some(true) => "interrupt time is not billed to processes".to_owned(),
                Some(false) => "interrupt time is billed to whoever runs".to_owned(),
                None => "interrupt accounting unknown".to_owned(),
            },
            good: words::has_cpu_meter(session),
        },
    ]
}

fn worst_gate<'a>(gates: impl Iterator<Item = &'a GateCount>) -> String {
    gates
        .max_by_key(|tripped| tripped.runs)
        .map_or("every gate passed".to_owned(), |tripped| {
            format!("most often {}", words::gate(&tripped.worst))
        })
}

fn equal_answers(session: &Session) -> Fact {
    let (value, detail, good) = match &session.equal_answers {
        None => (
            "not checked".to_owned(),
            "styles may do different work".to_owned(),
            false,
        ),
        Some(answers) if answers.differences.is_empty() => (
            "equal".to_owned(),
            format!(
                "{} compared across the styles",
                counted(answers.compared.into(), "answer")
            ),
            true,
        ),
        Some(answers) => (
            counted(answers.differences.len() as u64, "difference"),
            answers.differences.join("; "),
            false,
        ),
    };
    Fact {
        term: "Answers",
        value,
        detail,
        good,
    }
}

fn verdicts(session: &Session, groups: &[Group<'_>]) -> Markup {
    let metric = Metric::ServerCpuUsPerOp;
    html! {
        section aria-labelledby="verdicts" {
            h2 #verdicts { "Server CPU, pair by pair" }
            div.columns {
                @for group in groups {
                    div {
                        h3 { (group.label) }
                        ul.verdicts {
                            @for pair in &view::pairs_with_reference(session, group, metric) {
                                li { (words::comparison(session, pair)) "." }
                            }
                            @for pair in &view::pairs_without_reference(session, group, metric) {
                                li.minor { (words::brief(pair)) "." }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn ratios(session: &Session, groups: &[Group<'_>]) -> Markup {
    let others = [
        Metric::ClientCpuUsPerOp,
        Metric::OpsPerS,
        Metric::P50Ms,
        Metric::P95Ms,
    ];
    let panel = |metric, size| svg::forest::render(session, groups, metric, size);
    html! {
        section aria-labelledby="ratios" {
            h2 #ratios { "Ratios to the reference" }
            p.small {
                "Left of 1 the style has less than the reference, right of 1 more. Filled marks are \
                 settled, hollow ones are not; dashed lines are ranges of too few rounds. The grey \
                 band is a tie (within " (percent(session.settings.tie_margin)) ")."
            }
            @if let Some(panel) = panel(Metric::ServerCpuUsPerOp, svg::forest::FULL) { (panel) }
            div.pair {
                @for metric in others {
                    @if let Some(panel) = panel(metric, svg::forest::HALF) { (panel) }
                }
            }
        }
    }
}

fn runs(session: &Session, groups: &[Group<'_>]) -> Markup {
    html! {
        section aria-labelledby="runs" {
            h2 #runs { "Every run in time order" }
            p.small {
                "Each mark is one run: how far its server CPU per operation lies from the median of \
                 its row. A slope is drift, a lone mark an outlier; hollow marks tripped a gate or lie in a round that is left out."
                @let every = svg::runs::every_round(session);
                @if every > 1 { " Of this long session one round in " (every) " is drawn." }
            }
            @for group in groups {
                @if let Some(strip) = svg::runs::render(session, group) { (strip) }
            }
        }
    }
}

fn shares(session: &Session, groups: &[Group<'_>]) -> Markup {
    html! {
        section aria-labelledby="shares" {
            h2 #shares { "Where the time and the bytes go" }
            (svg::bars::cpu(session, groups))
            (svg::bars::bytes(session, groups))
        }
    }
}
