//! What is compared: each cell of the catalogue at each of its order sizes.

use anyhow::{bail, ensure};
use bookstore_bench::catalogue::{Catalogue, Cell, Style};
use floor::Protocol;

/// A cell with one order size.
#[derive(Clone, Debug)]
pub struct Row {
    /// The id that a session would give it, for example `L50-a-grpc` or `b-rest`.
    pub id: String,
    /// The catalogue's cell.
    pub cell: Cell,
    /// Lines of an order, where the scenario has them.
    pub lines: Option<u32>,
}

impl Row {
    /// What the cell is spoken in.
    pub fn protocol(&self) -> Protocol {
        match self.cell.style {
            Style::Grpc => Protocol::H2c,
            Style::Rest | Style::GrpcWeb | Style::GraphQl => Protocol::Http1,
        }
    }

    fn new(cell: &Cell, lines: Option<u32>) -> Self {
        let id = lines.map_or_else(|| cell.id.clone(), |lines| format!("L{lines}-{}", cell.id));
        Self {
            id,
            cell: cell.clone(),
            lines,
        }
    }
}

/// The rows of the named cells, or when none is named of all cells that differ for the server.
pub fn rows(catalogue: &Catalogue, cells: &[String]) -> anyhow::Result<Vec<Row>> {
    if let Some(unknown) = cells.iter().find(|id| catalogue.cell(id).is_none()) {
        let known: Vec<_> = catalogue
            .cells
            .iter()
            .map(|cell| cell.id.as_str())
            .collect();
        bail!(
            "there is no cell `{unknown}`; there are {}",
            known.join(", ")
        );
    }
    let mut rows = Vec::new();
    for cell in &catalogue.cells {
        let scenario = catalogue.scenario_of(cell);
        // Several calls are, for the server, calls that other cells make one by one; the floor has one
        // whole answer for a request, whatever flags the target has; and both sides can only be compared
        // where scripts and compiled clients make the same calls.
        let is_call_again = scenario.is_some_and(|scenario| scenario.most_calls.is_some());
        let is_wanted = if cells.is_empty() {
            cell.script.is_some()
                && cell.same_as.is_none()
                && cell.server.is_empty()
                && !is_call_again
        } else {
            cells.contains(&cell.id)
        };
        if !is_wanted {
            continue;
        }
        let sizes = scenario.map_or(&[][..], |scenario| &scenario.lines);
        if sizes.is_empty() {
            rows.push(Row::new(cell, None));
        }
        rows.extend(sizes.iter().map(|&lines| Row::new(cell, Some(lines))));
    }
    ensure!(!rows.is_empty(), "no cell is left to measure");
    Ok(rows)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_cell_has_one_row_for_each_order_size() {
        let catalogue = Catalogue::built_in();
        let chosen = ["a-grpc".to_owned(), "b-rest".to_owned()];
        let rows = rows(&catalogue, &chosen).unwrap();
        let ids: Vec<_> = rows.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(ids, ["L2-a-grpc", "L50-a-grpc", "b-rest"]);
        assert_eq!(rows[0].protocol(), Protocol::H2c);
        assert_eq!(rows[2].protocol(), Protocol::Http1);
    }

    #[test]
    fn an_unknown_cell_is_named_beside_the_known_ones() {
        let error = rows(&Catalogue::built_in(), &["a-soap".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("`a-soap`"), "{error}");
        assert!(error.to_string().contains("b-graphql"), "{error}");
    }
}
