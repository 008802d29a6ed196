//! A GraphQL server in front of gRPC services.

use super::Seen;
use crate::verify::{self, Peer, VerifyError};

/// Compares everything that `verify` does; GraphQL's answers come from the gRPC services.
pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    let outcome = verify::compare_all(peer).await?.answers;
    let differences = outcome.differences.len();
    Ok(Seen {
        passed: differences == 0,
        seen: format!(
            "GraphQL that asks the gRPC services for everything gave the same as the other styles: {} answers \
             were compared, {differences} differ",
            outcome.compared,
        ),
    })
}
