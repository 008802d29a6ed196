//! What stands above and below the table.

use owo_colors::{OwoColorize, Style};

use crate::{
    record::{Metric, Session},
    report::{
        footnote::Footnotes,
        number,
        remark::remarks,
        section::sections,
        view::{self, Group},
        words,
    },
};

use super::table;

/// Narrowest width that is honoured; below it, lines run over.
const MIN_WIDTH: u16 = 40;
/// Widest line of prose; longer ones are hard to read.
const MAX_PROSE: usize = 100;

/// The whole result as text of at most `width` columns, with ANSI styles only if `colour`.
///
/// The session alone decides the text: rendering it again gives the same bytes.
#[must_use]
pub fn render(session: &Session, width: u16, colour: bool) -> String {
    let width = width.max(MIN_WIDTH);
    let mut page = Page {
        text: String::new(),
        width: usize::from(width).min(MAX_PROSE),
        colour,
    };
    let notes = Footnotes::of(session);

    if let Some(state) = words::state(session) {
        page.paragraph(&state, "", Style::new().yellow().bold());
        page.blank();
    }
    page.paragraph(&words::noise_floor(session), "", Style::new());
    page.blank();
    page.text
        .push_str(&table::render(session, &notes, width, colour));
    page.text.push('\n');
    let sections = sections(session);
    let has_sections = !sections.is_empty();
    for section in sections {
        let legend = section.legend;
        page.heading(section.title);
        page.text.push_str(&table::further(section, width));
        page.text.push('\n');
        page.paragraph(legend, "", Style::new().dimmed());
    }
    if has_sections {
        page.blank();
    }
    legend(&mut page, session, &notes);
    for group in view::groups(session) {
        verdicts(&mut page, session, &group);
    }
    trust(&mut page, session);
    page.heading("How it was measured");
    page.paragraph(&words::measured_with(session), "  ", Style::new());
    page.paragraph(&words::measured_on(session), "  ", Style::new());
    page.text
}

fn legend(page: &mut Page, session: &Session, notes: &Footnotes) {
    page.paragraph(&words::legend(session), "", Style::new().dimmed());
    for (mark, note) in notes.iter() {
        page.item(&format!("{mark} "), note, Style::new());
    }
}

fn verdicts(page: &mut Page, session: &Session, group: &Group<'_>) {
    let metric = Metric::ServerCpuUsPerOp;
    let main = view::pairs_with_reference(session, group, metric);
    let others = view::pairs_without_reference(session, group, metric);
    if main.is_empty() {
        return;
    }
    page.heading(group.label);
    for pair in &main {
        page.item(
            "  ",
            &format!("{}.", words::comparison(session, pair)),
            Style::new(),
        );
    }
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(words::brief).collect();
        page.item(
            "  ",
            &format!("Also: {}.", others.join("; ")),
            Style::new().dimmed(),
        );
    }
}

fn trust(page: &mut Page, session: &Session) {
    let remarks = remarks(session);
    if remarks.is_empty() {
        return;
    }
    page.heading(&format!(
        "Before you trust it ({})",
        number::counted(remarks.len() as u64, "remark")
    ));
    for remark in &remarks {
        page.item("  ! ", remark, Style::new().yellow());
    }
}

/// Text in the making.
struct Page {
    text: String,
    width: usize,
    colour: bool,
}

impl Page {
    fn heading(&mut self, heading: &str) {
        self.blank();
        self.paragraph(heading, "", Style::new().bold());
    }

    fn blank(&mut self) {
        self.text.push('\n');
    }

    fn paragraph(&mut self, text: &str, indent: &str, style: Style) {
        self.lines(text, indent, indent, style);
    }

    /// A paragraph that starts with `bullet`; its further lines align with the text.
    fn item(&mut self, bullet: &str, text: &str, style: Style) {
        let indent = " ".repeat(bullet.chars().count());
        self.lines(text, bullet, &indent, style);
    }

    fn lines(&mut self, text: &str, first: &str, further: &str, style: Style) {
        let options = textwrap::Options::new(self.width)
            .initial_indent(first)
            .subsequent_indent(further)
            .break_words(false);
        for line in textwrap::wrap(text, options) {
            if self.colour {
                self.text.push_str(&line.style(style).to_string());
            } else {
                self.text.push_str(&line);
            }
            self.text.push('\n');
        }
    }
}
