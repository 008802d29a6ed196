//! Claims for a terminal.

use comfy_table::{Attribute, Cell, Color, ContentArrangement, LineStyle, Table, TableStyle};

use super::{legend, words};
use crate::record::{ClaimFinding, ClaimVerdict, ClaimsRecord, PartFinding};

/// Each claim with its verdict and reason, and beneath it what it was judged by.
#[must_use]
pub fn render(record: &ClaimsRecord, width: u16, colour: bool) -> String {
    let mut table = Table::new();
    table
        .load_style(
            TableStyle::new()
                .header_separator(LineStyle::none().fill('─').junction('─'))
                .bottom_border(LineStyle::none().fill('─').junction('─')),
        )
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .set_header([
            "Claim",
            "What it says, and what it is measured by",
            "Published",
            "Here",
            "Verdict",
        ]);
    if colour {
        table.enforce_styling().style_text_only();
    } else {
        table.force_no_tty();
    }
    for (nth, finding) in record.findings.iter().enumerate() {
        if nth > 0 {
            table.add_row([""]);
        }
        table.add_row(head(finding));
        for part in &finding.parts {
            table.add_row(row(part));
        }
        table.add_row([String::new(), words::reason(finding)]);
    }
    let mut text = table.trim_fmt();
    text.push_str("\n\n");
    let state = legend::state(record);
    for line in state
        .into_iter()
        .chain([legend::counts(record), legend::about(record)])
    {
        text += &textwrap::fill(&line, usize::from(width.max(40)));
        text.push('\n');
    }
    text
}

fn head(finding: &ClaimFinding) -> Vec<Cell> {
    let verdict = Cell::new(words::verdict(&finding.verdict)).add_attribute(Attribute::Bold);
    vec![
        Cell::new(&finding.id).add_attribute(Attribute::Bold),
        Cell::new(&finding.claim),
        Cell::new(""),
        Cell::new(""),
        match colour_of(&finding.verdict) {
            Some(colour) => verdict.fg(colour),
            None => verdict,
        },
    ]
}

fn row(part: &PartFinding) -> Vec<Cell> {
    vec![
        Cell::new(""),
        Cell::new(format!("· {}", part.what)),
        Cell::new(words::published(part)),
        Cell::new(words::ours(part)),
        Cell::new(words::verdict(&part.verdict)),
    ]
}

fn colour_of(verdict: &ClaimVerdict) -> Option<Color> {
    match verdict {
        ClaimVerdict::Holds | ClaimVerdict::HoldsSmaller | ClaimVerdict::HoldsLarger => {
            Some(Color::Green)
        }
        ClaimVerdict::Flips | ClaimVerdict::DoesNotHold => Some(Color::Red),
        ClaimVerdict::TieHere | ClaimVerdict::NotSettled { .. } => Some(Color::Yellow),
        ClaimVerdict::NotMeasurable { .. }
        | ClaimVerdict::NeedsScenario { .. }
        | ClaimVerdict::NotMeasured
        | ClaimVerdict::Beside => None,
    }
}
