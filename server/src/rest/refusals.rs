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

/// What a list of records can be refused for.
pub struct RecordRefusals;

impl IntoResponses for RecordRefusals {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[
            (400, "The body is not JSON"),
            (413, "The body is too large"),
            (415, "The content type is not JSON"),
            (422, "The JSON does not describe such records"),
        ])
    }
}

/// What every answer about the household can be refused for.
const HOUSEHOLD: [(u16, &str); 4] = [
    (401, "A token is asked for, and none that is good was sent"),
    (500, "The database failed"),
    (503, "The database is busy, or the server is ending"),
    (507, "The disk of the database is full"),
];

/// What a list of the household's users can be refused for.
pub struct UsersRefusals;

impl IntoResponses for UsersRefusals {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&HOUSEHOLD)
    }
}

/// What a read of the household can be refused for.
pub struct HouseholdRefusals;

impl IntoResponses for HouseholdRefusals {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses = problems(&HOUSEHOLD);
        responses.extend(problems(&[
            (400, "The path or the query is not understood"),
            (404, "There is no such thing, or the list would be empty"),
            (422, "The query asks for what does not exist"),
        ]));
        responses
    }
}

/// What a change of the household can be refused for.
pub struct ChangeRefusals;

impl IntoResponses for ChangeRefusals {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses = problems(&HOUSEHOLD);
        responses.extend(problems(&[
            (400, "The path is not understood, or the body is no JSON"),
            (404, "There is no such thing"),
            (409, "Another user has the name"),
            (413, "The body is too large"),
            (415, "The content type is not JSON"),
            (422, "The JSON does not describe what can be kept"),
        ]));
        responses
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
