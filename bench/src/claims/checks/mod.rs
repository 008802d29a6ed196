//! Claims that are checked by doing it: each check asks a server of its own and says what it saw.

mod caching;
mod composed;
mod costly_query;
mod deadline;
mod deprecation;
mod evolution;
mod header_compression;
mod metrics;
mod new_screen;
mod one_path;
mod protocol;
mod streaming;
mod unused_fields;

use std::net::SocketAddr;

use serde::Deserialize;

use crate::{
    record::CheckOutcome,
    verify::{Peer, VerifyError},
};

/// A check, as the claims name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckName {
    /// HTTP/1.1 gets nowhere on the gRPC port, and gRPC-Web is answered on the HTTP/1.1 port.
    GrpcNeedsHttp2,
    /// Another selection is answered by GraphQL as it stands; the screen's other operations lack it.
    NewScreenByQueryAlone,
    /// A costly query is refused, an ordinary one answered.
    LimitsRejectCostlyQuery,
    /// With the limits off, a small query costs the server more than a hundred ordinary ones.
    CostlyQueryIsAnsweredWithoutLimits,
    /// Events come as a stream in every style.
    EveryStyleStreams,
    /// Work two hops away is over within 50 ms of its caller giving up, where gRPC passes the deadline on.
    DeadlineEndsWorkDownstream,
    /// The four REST answers hold fields that the screen does not show.
    RestCarriesUnusedFields,
    /// Different queries, and a failing one, look alike by path and status.
    OnePathForEveryQuery,
    /// With its own code the new screen is answered by REST, and gRPC's contract still lacks it.
    NewScreenTakesCode,
    /// GraphQL's answers by GET can be cached and revalidated, those by POST cannot.
    GraphqlCachesByGet,
    /// Answers of gRPC and gRPC-Web can neither be cached nor revalidated, while REST's can.
    GrpcIsNotCached,
    /// An old client reads answers that have a new field.
    AddedFieldBreaksNobody,
    /// An old client that misses a field: JSON fails to decode, protobuf reads a default, GraphQL
    /// refuses the query by name.
    RemovedFieldBreaksDifferently,
    /// A renamed field is the same field for protobuf and another one for JSON and GraphQL.
    FieldNumbersSurviveRenaming,
    /// A deprecated field is answered in every style; REST warns in its document and beside the answer,
    /// gRPC in its descriptor and in generated code, GraphQL in its schema.
    DeprecationWarnsDifferently,
    /// On one connection header fields that repeat the first call's are indexes.
    RepeatedHeadsAreShort,
    /// GraphQL in front of gRPC services answers what they do.
    GraphqlComposesGrpc,
}

/// What a check saw.
struct Seen {
    passed: bool,
    seen: String,
}

impl CheckName {
    /// Every check.
    pub const ALL: [Self; 17] = [
        Self::GrpcNeedsHttp2,
        Self::NewScreenByQueryAlone,
        Self::LimitsRejectCostlyQuery,
        Self::CostlyQueryIsAnsweredWithoutLimits,
        Self::EveryStyleStreams,
        Self::DeadlineEndsWorkDownstream,
        Self::RestCarriesUnusedFields,
        Self::OnePathForEveryQuery,
        Self::NewScreenTakesCode,
        Self::GraphqlCachesByGet,
        Self::GrpcIsNotCached,
        Self::AddedFieldBreaksNobody,
        Self::RemovedFieldBreaksDifferently,
        Self::FieldNumbersSurviveRenaming,
        Self::DeprecationWarnsDifferently,
        Self::RepeatedHeadsAreShort,
        Self::GraphqlComposesGrpc,
    ];

    /// Its name in the claims and in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::GrpcNeedsHttp2 => "grpc_needs_http2",
            Self::NewScreenByQueryAlone => "new_screen_by_query_alone",
            Self::LimitsRejectCostlyQuery => "limits_reject_costly_query",
            Self::CostlyQueryIsAnsweredWithoutLimits => "costly_query_is_answered_without_limits",
            Self::EveryStyleStreams => "every_style_streams",
            Self::DeadlineEndsWorkDownstream => "deadline_ends_work_downstream",
            Self::RestCarriesUnusedFields => "rest_carries_unused_fields",
            Self::OnePathForEveryQuery => "one_path_for_every_query",
            Self::NewScreenTakesCode => "new_screen_takes_code",
            Self::GraphqlCachesByGet => "graphql_caches_by_get",
            Self::GrpcIsNotCached => "grpc_is_not_cached",
            Self::AddedFieldBreaksNobody => "added_field_breaks_nobody",
            Self::RemovedFieldBreaksDifferently => "removed_field_breaks_differently",
            Self::FieldNumbersSurviveRenaming => "field_numbers_survive_renaming",
            Self::DeprecationWarnsDifferently => "deprecation_warns_differently",
            Self::RepeatedHeadsAreShort => "repeated_heads_are_short",
            Self::GraphqlComposesGrpc => "graphql_composes_grpc",
        }
    }

    /// Flags that its server is started with.
    #[must_use]
    pub fn server_arguments(self) -> &'static [&'static str] {
        match self {
            Self::NewScreenTakesCode => &["--second-screen", "on"],
            Self::GraphqlComposesGrpc => &["--graphql-upstream", "own", "--graphql-batching", "on"],
            Self::GraphqlCachesByGet | Self::GrpcIsNotCached => {
                &["--cache-max-age", "60", "--graphql-persisted", "automatic"]
            }
            Self::CostlyQueryIsAnsweredWithoutLimits => &[
                "--graphql-max-complexity",
                "1000000",
                "--graphql-max-depth",
                "1000",
            ],
            Self::DeadlineEndsWorkDownstream => &["--relayed-work", "on"],
            _ => &[],
        }
    }

    async fn ask(self, peer: Peer) -> Result<Seen, VerifyError> {
        match self {
            Self::GrpcNeedsHttp2 => protocol::ask(peer).await,
            Self::NewScreenByQueryAlone => new_screen::ask(peer).await,
            Self::LimitsRejectCostlyQuery => costly_query::ask(peer).await,
            Self::CostlyQueryIsAnsweredWithoutLimits => {
                costly_query::ask_without_limits(peer).await
            }
            Self::EveryStyleStreams => streaming::ask(peer).await,
            Self::DeadlineEndsWorkDownstream => deadline::ask(peer).await,
            Self::RestCarriesUnusedFields => unused_fields::ask(peer).await,
            Self::OnePathForEveryQuery => one_path::ask(peer).await,
            Self::NewScreenTakesCode => new_screen::ask_with_code(peer).await,
            Self::GraphqlCachesByGet => caching::ask_graphql(peer).await,
            Self::GrpcIsNotCached => caching::ask_grpc(peer).await,
            Self::AddedFieldBreaksNobody => evolution::added(peer).await,
            Self::RemovedFieldBreaksDifferently => evolution::removed(peer).await,
            Self::FieldNumbersSurviveRenaming => evolution::renamed(peer).await,
            Self::DeprecationWarnsDifferently => deprecation::ask(peer).await,
            Self::RepeatedHeadsAreShort => header_compression::ask(peer).await,
            Self::GraphqlComposesGrpc => composed::ask(peer).await,
        }
    }
}

/// Makes the checks against the server at these addresses.
///
/// # Errors
/// The server does not answer, or answers something that cannot be read as its style's convention.
pub fn run(
    checks: &[CheckName],
    http1: SocketAddr,
    h2c: SocketAddr,
) -> Result<Vec<CheckOutcome>, VerifyError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(VerifyError::Runtime)?;
    let peer = Peer { http1, h2c };
    let mut outcomes = Vec::new();
    for &check in checks {
        let Seen { passed, seen } = runtime.block_on(check.ask(peer))?;
        outcomes.push(CheckOutcome {
            check: check.name().to_owned(),
            passed,
            seen,
        });
    }
    Ok(outcomes)
}
