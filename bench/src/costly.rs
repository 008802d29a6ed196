//! GraphQL queries that are small and cost much, one of each shape.

use std::fmt::Write as _;

/// Levels of the deep query; the parser takes 64 brackets.
const LEVELS: usize = 60;
/// Fields of the wide query, and books of the aliased one.
const COPIES: usize = 1_200;
/// Aliases on each of the three levels of the amplified query.
const ALIASES: usize = 20;

/// How a query gets to cost much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// By nesting; this schema has no circle, so fragments nest in each other.
    Deep,
    /// By asking one thing for the same field over and over.
    Wide,
    /// By asking for the same thing over and over.
    Aliased,
    /// By fragments and lists within each other, so that each level multiplies those below.
    Amplified,
}

impl Shape {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Deep, Self::Wide, Self::Aliased, Self::Amplified];

    /// The shape's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Deep => "deep",
            Self::Wide => "wide",
            Self::Aliased => "aliased",
            Self::Amplified => "list-amplified",
        }
    }

    /// The document.
    #[must_use]
    pub fn document(self) -> String {
        match self {
            Self::Deep => deep(),
            Self::Wide => format!("{{book(id:1){{{}}}}}", aliases(COPIES, "t", "title")),
            Self::Aliased => format!("{{{}}}", aliases(COPIES, "b", "book(id:1){reviews{text}}")),
            Self::Amplified => amplified(),
        }
    }
}

fn deep() -> String {
    let mut document = String::from("{book(id:1){");
    for level in 0..LEVELS {
        // Writing to a String cannot fail.
        let _ = write!(document, "...{{t{level}:title ");
    }
    document + &"}".repeat(LEVELS) + "}}"
}

fn amplified() -> String {
    format!(
        "{{{}}}fragment B on Book{{{}}}fragment R on Review{{{}}}",
        aliases(ALIASES, "b", "book(id:1){...B}"),
        aliases(ALIASES, "r", "reviews{...R}"),
        aliases(ALIASES, "t", "text"),
    )
}

/// The same field under so many names.
fn aliases(count: usize, prefix: &str, field: &str) -> String {
    let mut text = String::new();
    for nth in 0..count {
        let _ = write!(text, "{prefix}{nth}:{field} ");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_short_enough_to_be_read() {
        let bytes = Shape::ALL.map(|shape| shape.document().len());
        assert_eq!(bytes, [904, 13_304, 37_292, 974]);
    }
}
