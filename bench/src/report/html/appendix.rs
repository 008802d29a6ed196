//! The appendix: raw values, the command to repeat it, the session as JSON.

use maud::{Markup, PreEscaped, html};

use crate::{
    record::{Run, Session},
    report::{
        number::{self, ABSENT},
        view, words,
    },
};

/// Most runs that the page lists; the rest is in `results.csv`.
const MAX_RUNS: usize = 250;
/// Longest JSON that the page carries, so that the file stays below 300 kB.
const MAX_JSON_BYTES: usize = 150_000;

pub(super) fn render(session: &Session) -> Markup {
    html! {
        section aria-labelledby="appendix" {
            h2 #appendix { "Appendix" }
            h3 { "Repeat this measurement" }
            pre { code { (session.command) } }
            details {
                summary { "Raw values of every run" }
                (raw_values(session))
            }
            (facts(session))
            (json(session))
        }
    }
}

fn raw_values(session: &Session) -> Markup {
    let runs = session.runs.iter().take(MAX_RUNS);
    let left = session.runs.len().saturating_sub(MAX_RUNS);
    html! {
        @if left > 0 {
            p.small { (number::counted(left as u64, "further run")) " in results.csv." }
        }
        div.scroll {
            table.raw {
                thead {
                    tr {
                        th scope="col" { "Round" }
                        th scope="col" { "Row" }
                        th.figure scope="col" { "Operations" }
                        th.figure scope="col" { "Failed" }
                        th.figure scope="col" { "Ops/s" }
                        th.figure scope="col" { "p50 " span.unit { "ms" } }
                        th.figure scope="col" { "p95 " span.unit { "ms" } }
                        th.figure scope="col" { "p99 " span.unit { "ms" } }
                        th.figure scope="col" { "Server " span.unit { "µs/op" } }
                        th.figure scope="col" { "Client " span.unit { "µs/op" } }
                        th.figure scope="col" { "Other " span.unit { "µs/op" } }
                        th scope="col" { "Gates" }
                    }
                }
                tbody { @for run in runs { (raw_line(session, run)) } }
            }
        }
    }
}

fn raw_line(session: &Session, run: &Run) -> Markup {
    let gates: Vec<String> = run.gates.iter().map(words::gate).collect();
    let cpu = |value: Option<f64>| value.map_or(ABSENT.to_owned(), |value| format!("{value:.2}"));
    html! {
        tr.out[!view::counts(session, run)] {
            td { (run.round) "." (run.slot) }
            td { (run.row) }
            td.figure { (number::count(run.load.operations)) }
            td.figure { (number::count(run.load.failed_operations)) }
            td.figure { (number::bytes(run.load.ops_per_s())) }
            td.figure { (format!("{:.3}", run.load.latency.p50_ms)) }
            td.figure { (format!("{:.3}", run.load.latency.p95_ms)) }
            td.figure { (format!("{:.3}", run.load.latency.p99_ms)) }
            td.figure { (cpu(run.server_cpu_us_per_op())) }
            td.figure { (cpu(run.client_cpu_us_per_op())) }
            td.figure { (cpu(run.other_cpu_us_per_op())) }
            td { (gates.join("; ")) }
        }
    }
}

fn facts(session: &Session) -> Markup {
    let machine = &session.machine;
    let server = &session.server;
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| ABSENT.to_owned());
    let facts = [
        ("Kernel", text(&machine.kernel)),
        ("Processor", text(&machine.cpu_model)),
        ("Hypervisor", text(&machine.hypervisor)),
        ("Governor", text(&machine.governor)),
        (
            "TCP congestion control",
            text(&machine.tcp_congestion_control),
        ),
        (
            "Load average before",
            machine.load_average_x100.map_or(ABSENT.to_owned(), |load| {
                format!("{:.2}", f64::from(load) / 100.0)
            }),
        ),
        ("Server version", server.version.clone()),
        ("Server revision", text(&server.git_revision)),
        (
            "GraphQL documents",
            if server.graphql_document_cache {
                "cached after validation"
            } else {
                "parsed for every request"
            }
            .to_owned(),
        ),
    ];
    html! {
        details {
            summary { "Machine and server" }
            table.raw {
                tbody {
                    @for (name, value) in facts { tr { th scope="row" { (name) } td { (value) } } }
                }
            }
        }
    }
}

fn json(session: &Session) -> Markup {
    let json = serde_json::to_string(session)
        .expect("a session has no map whose keys are not strings, nor anything else JSON lacks");
    html! {
        @if json.len() > MAX_JSON_BYTES {
            p.small { "The session is too long to be carried here: see results.json." }
        } @else {
            p.small { "This page carries the whole session as JSON in the element " code { "#session" } "." }
            script #session type="application/json" {
                // `<` occurs in JSON only inside strings; escaped, no text can close the element.
                (PreEscaped(json.replace('<', "\\u003c")))
            }
        }
    }
}
