//! The catalogue of claims as a table: what is said, and how it would be measured.

use comfy_table::{ContentArrangement, Table, TableStyle};

use crate::claims::catalogue::{Claim, Part, Source};

/// One line per claim, for a terminal of `width` columns.
#[must_use]
pub fn render(claims: &[(&Source, &Claim)], width: u16) -> String {
    let mut table = Table::new();
    table
        .load_style(TableStyle::new())
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .set_header(["Claim", "Source", "What it says", "How it is checked"]);
    for (source, claim) in claims {
        table.add_row([
            claim.id.clone(),
            source.id.clone(),
            claim.claim.clone(),
            how(source, claim),
        ]);
    }
    let mut sources: Vec<&Source> = claims.iter().map(|(source, _)| *source).collect();
    sources.dedup_by_key(|source| &source.id);
    let sources: Vec<String> = sources
        .iter()
        .map(|source| {
            let line = format!(
                "{}: {}; it measured {}.",
                source.id, source.title, source.stack
            );
            textwrap::fill(&line, usize::from(width.max(40)))
        })
        .collect();
    format!("{}\n\n{}\n", table.trim_fmt(), sources.join("\n"))
}

fn how(source: &Source, claim: &Claim) -> String {
    if let Some(reason) = &claim.not_measurable {
        return format!("not measurable: {reason}");
    }
    let mut ways: Vec<String> = claim.parts.iter().map(way).collect();
    ways.extend(claim.needs.iter().map(|scenario| {
        let what = source.not_built.get(scenario);
        let what = what.map_or_else(String::new, |what| format!(" ({what})"));
        format!("needs scenario {scenario}{what}, not built yet")
    }));
    ways.join("; ")
}

fn way(part: &Part) -> String {
    match part {
        Part::Quantity(_) | Part::Crossover(_) | Part::Agreement(_) => part.what().to_owned(),
        Part::Check(_) => format!("by doing it: {}", part.what()),
    }
}
