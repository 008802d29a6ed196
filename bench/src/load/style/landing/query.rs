//! The landings in GraphQL.

use bookstore_server::meteorites::{TAKEN, VERSION};
use http::{HeaderValue, header::ACCEPT};
use serde::{Deserialize, Serialize};

use super::{Record, check_ids, records};
use crate::load::{
    failure::Fault,
    style::{events::EVENT_STREAM, graphql},
    wire::{HttpAnswer, HttpRequest},
};

const VERSION_QUERY: &str = include_str!("../../../../../k6/lib/documents/version.graphql");
const LANDINGS: &str = include_str!("../../../../../k6/lib/documents/landings.graphql");
const POST: &str = include_str!("../../../../../k6/lib/documents/post-landings.graphql");
const SUBSCRIPTION: &str =
    include_str!("../../../../../k6/lib/documents/landings-one-by-one.graphql");

/// Asks for the version.
pub(in crate::load) fn version(host: &HeaderValue) -> HttpRequest {
    graphql::ask(host, VERSION_QUERY, None::<()>)
}

/// The version as data.
pub(in crate::load) fn check_version(answer: &HttpAnswer) -> Result<(), Fault> {
    #[derive(Deserialize)]
    struct Data {
        version: String,
    }
    let data: Data = graphql::data(answer)?;
    Fault::unless_equal("the text", data.version.as_str(), VERSION)
}

/// Asks for every record with all its fields.
pub(in crate::load) fn all(host: &HeaderValue) -> HttpRequest {
    graphql::ask(host, LANDINGS, None::<()>)
}

/// Every record.
pub(in crate::load) fn check_all(answer: &HttpAnswer) -> Result<(), Fault> {
    #[derive(Deserialize)]
    struct Data {
        landings: Vec<Record>,
    }
    let data: Data = graphql::data(answer)?;
    check_ids(data.landings.iter().map(|record| record.id))
}

/// Sends every record, encoded anew, as a variable.
pub(in crate::load) fn upload(host: &HeaderValue) -> HttpRequest {
    #[derive(Serialize)]
    struct Variables {
        landings: &'static [Record],
    }
    let landings = records();
    graphql::ask(host, POST, Some(Variables { landings }))
}

/// The word that says that they were taken.
pub(in crate::load) fn check_taken(answer: &HttpAnswer) -> Result<(), Fault> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Data {
        post_landings: String,
    }
    let data: Data = graphql::data(answer)?;
    Fault::unless_equal("the text", data.post_landings.as_str(), TAKEN)
}

/// Subscribes to every record by server-sent events.
pub(in crate::load) fn one_by_one(host: &HeaderValue) -> HttpRequest {
    graphql::ask(host, SUBSCRIPTION, None::<()>).with_header(ACCEPT, EVENT_STREAM)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: HeaderValue = HeaderValue::from_static("localhost:5300");

    #[test]
    fn request_bodies_have_their_sizes() {
        assert_eq!(version(&HOST).body_len(), 21);
        assert_eq!(all(&HOST).body_len(), 109);
        assert_eq!(upload(&HOST).body_len(), 223_109);
        assert_eq!(one_by_one(&HOST).body_len(), 121);
    }
}
