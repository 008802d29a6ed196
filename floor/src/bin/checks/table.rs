//! One table, for a terminal or as Markdown.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table as Terminal, presets};

/// Headings and rows of text; the first column names, the others hold figures.
pub struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(headings: &[&'static str]) -> Self {
        Self {
            headings: headings.to_vec(),
            rows: Vec::new(),
        }
    }

    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    pub fn render(&self, markdown: bool) -> String {
        if markdown {
            self.markdown()
        } else {
            self.terminal()
        }
    }

    fn markdown(&self) -> String {
        let mut text = format!("| {} |\n", self.headings.join(" | "));
        let rules = (0..self.headings.len()).map(|column| if column == 0 { "---" } else { "---:" });
        let _ = writeln!(text, "| {} |", rules.collect::<Vec<_>>().join(" | "));
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text
    }

    fn terminal(&self) -> String {
        let mut table = Terminal::new();
        table
            .load_style(presets::NOTHING)
            .set_header(&self.headings);
        for row in &self.rows {
            table.add_row(row);
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        format!("{table}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_and_terminal_hold_the_same_cells() {
        let mut table = Table::new(&["cell", "ours"]);
        table.push(vec!["b-rest".to_owned(), "12.5".to_owned()]);
        assert_eq!(
            table.render(true),
            "| cell | ours |\n| --- | ---: |\n| b-rest | 12.5 |\n"
        );
        let terminal = table.render(false);
        assert!(
            terminal.contains("b-rest") && terminal.contains("12.5"),
            "{terminal}"
        );
    }
}
