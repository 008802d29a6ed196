//! The `OpenAPI` 3.1 document of the adapter.

use utoipa::OpenApi;

use super::{
    catalog, events, expenses, greeting, meteorites, problem::Problem, reservations, screens,
};

/// Its information comes from here and not from the package, so that a version bump of the package
/// is not a change of the interface.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Bookstore",
        version = "1",
        description = "Books, their stock, and reservations of it.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        reservations::reserve,
        catalog::book,
        catalog::stock,
        catalog::reviews,
        catalog::author,
        screens::book_detail,
        events::watch,
        greeting::message,
        meteorites::version,
        meteorites::all,
        meteorites::take,
        meteorites::lines,
        meteorites::first,
    ),
    components(schemas(Problem))
)]
struct Document;

/// What the document says of users and expenses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DescribedExpenses {
    /// Nothing: they are not served.
    #[default]
    None,
    /// That they are served to everyone.
    Open,
    /// That they are served to those who show a token.
    ToTokenHolders,
}

/// The document as JSON text.
///
/// # Panics
/// Never: a document that is made at compile time has a JSON form.
#[must_use]
pub fn document(described: DescribedExpenses) -> String {
    let mut document = Document::openapi();
    match described {
        DescribedExpenses::None => {}
        DescribedExpenses::Open => document.merge(expenses::document(false)),
        DescribedExpenses::ToTokenHolders => document.merge(expenses::document(true)),
    }
    document
        .to_json()
        .expect("maps with text keys have a JSON form")
}
