//! The catalogue as a table: what can be measured.

use comfy_table::{ContentArrangement, Table, TableStyle};

use crate::catalogue::{Catalogue, Scenario};

/// One line per cell of the catalogue, in its order, for a terminal of `width` columns.
#[must_use]
pub fn render(catalogue: &Catalogue, width: u16) -> String {
    let mut table = Table::new();
    table
        .load_style(TableStyle::new())
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .set_header([
            "Cell",
            "Style",
            "One operation",
            "Requests",
            "Rounds",
            "Default",
            "Source",
        ]);
    for cell in &catalogue.cells {
        let what = catalogue
            .scenario_of(cell)
            .map_or("", |scenario| &scenario.title);
        table.add_row([
            cell.id.clone(),
            cell.label.clone(),
            what.to_owned(),
            cell.requests_per_op.to_string(),
            cell.rounds_per_op.to_string(),
            if cell.default { "yes" } else { "no" }.to_owned(),
            cell.source.clone(),
        ]);
    }
    let sizes = catalogue
        .scenarios
        .iter()
        .filter(|scenario| !scenario.lines.is_empty());
    let notes: Vec<String> = sizes.map(|scenario| note(scenario, width)).collect();
    format!("{}\n\n{}\n", table.trim_fmt(), notes.join("\n"))
}

/// The order sizes of a scenario that has them.
fn note(scenario: &Scenario, width: u16) -> String {
    let sizes: Vec<String> = scenario.lines.iter().map(ToString::to_string).collect();
    let note = format!(
        "Scenario {} is measured with {} lines per order unless --lines says otherwise.",
        scenario.id,
        sizes.join(" and ")
    );
    textwrap::fill(&note, usize::from(width.max(40)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Cell;

    #[test]
    fn every_cell_has_its_line() {
        let catalogue = Catalogue::built_in();
        let text = render(&catalogue, 160);
        for Cell { id, label, .. } in &catalogue.cells {
            assert!(
                text.lines()
                    .any(|line| line.trim_start().starts_with(id) && line.contains(label)),
                "{id} in\n{text}"
            );
        }
        assert!(text.contains("Scenario a is measured with 2 and 50 lines per order"));
    }
}
