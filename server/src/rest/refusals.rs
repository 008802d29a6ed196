//! The refusals that operations have in common, as the `OpenAPI` document lists them.

use std::collections::BTreeMap;

use utoipa::{
    IntoResponses,
    openapi::{Content, Ref, RefOr, Response, ResponseBuilder},
};

use super::problem::PROBLEM_JSON;

/// What every read of one thing can be refused for.
pub struct ReadRefusals;

impl IntoResponses for ReadRefusals {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[
            (400, "The path or the query is not understood"),
            (404, "There is no such thing"),
        ])
    }
}

/// What an order can be refused for.
pub struct OrderRefusals;

impl IntoResponses for OrderRefusals {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[
            (400, "The body is not JSON"),
            (
                409,
                "A book is not in the catalogue, or too few copies are left",
            ),
            (413, "The body is too large"),
            (415, "The content type is not JSON"),
            (422, "The JSON does not describe a valid order"),
        ])
    }
}

fn problems(refusals: &[(u16, &str)]) -> BTreeMap<String, RefOr<Response>> {
    let problem = |description: &str| {
        let content = Content::new(Some(Ref::from_schema_name("Problem")));
        ResponseBuilder::new()
            .description(description)
            .content(PROBLEM_JSON, content)
            .build()
    };
    refusals
        .iter()
        .map(|(status, description)| (status.to_string(), RefOr::T(problem(description))))
        .collect()
}
