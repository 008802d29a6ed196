//! Claims as Markdown: the findings, with the command that repeats them.

use std::fmt::Write as _;

use super::{legend, sessions, words};
use crate::record::{ClaimFinding, ClaimsRecord};

/// What holds and what flips, how it was measured, and how to repeat it.
#[must_use]
pub fn render(record: &ClaimsRecord) -> String {
    let mut paragraphs = vec!["# Findings: what others claim, measured here".to_owned()];
    paragraphs.extend(legend::state(record).map(|state| format!("**{}**", escaped(&state))));
    paragraphs.push(escaped(&legend::counts(record)));
    paragraphs.push(legend::by_verdict(record));
    paragraphs.push(escaped(&legend::about(record)));
    paragraphs.push(legend::meaning(record));
    paragraphs.push("## What each was judged by".to_owned());
    paragraphs.push(table(record));
    paragraphs.push("## How it was measured".to_owned());
    paragraphs.extend(sessions::paragraphs(record));
    paragraphs.push(format!("To repeat it:\n\n```sh\n{}\n```", record.command));
    paragraphs.join("\n\n") + "\n"
}

fn table(record: &ClaimsRecord) -> String {
    let mut text = String::from(
        "| Claim | What it says | Measured by | Published | Here | Verdict | Why |\n|---|---|---|---|---|---|---|\n",
    );
    for finding in &record.findings {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {} |", cells(finding).join(" | "));
    }
    text.truncate(text.trim_end().len());
    text
}

fn cells(finding: &ClaimFinding) -> [String; 7] {
    let each = |shown: &dyn Fn(&crate::record::PartFinding) -> String| {
        let lines: Vec<String> = finding
            .parts
            .iter()
            .map(|part| escaped(&shown(part)))
            .collect();
        lines.join("<br>")
    };
    [
        escaped(&finding.id),
        format!(
            "{} *({})*",
            escaped(&finding.claim),
            escaped(&finding.place)
        ),
        each(&|part| format!("{}: {}", part.what, words::verdict(&part.verdict))),
        each(&words::published),
        each(&words::ours),
        format!("**{}**", words::verdict(&finding.verdict)),
        escaped(&words::reason(finding)),
    ]
}

/// Text with Markdown's own signs made literal.
pub(super) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for sign in text.chars() {
        if matches!(sign, '*' | '_' | '|' | '<' | '[') {
            shown.push('\\');
        }
        shown.push(sign);
    }
    shown
}
