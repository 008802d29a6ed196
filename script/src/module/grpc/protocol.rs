//! What differs between the modules `k6/net/grpc` and `k6/x/grpcweb`, besides the transport.

use super::{plan::NonFinite, status::Status};

/// The protocol of a client, and with it the module that it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    /// `k6/net/grpc`, as in k6.
    Grpc,
    /// `k6/x/grpcweb`, as in the extension of this repository.
    Web,
}

impl Protocol {
    /// A server that answered a unary call with another number of messages than one.
    pub(super) fn cardinality(self, text: &str) -> Status {
        match self {
            // grpc-go's code.
            Self::Grpc => Status::internal(format!("cardinality violation: {text}")),
            // <https://github.com/grpc/grpc/blob/master/doc/statuscodes.md>
            Self::Web => Status::unimplemented(format!("cardinality violation: {text}")),
        }
    }

    /// How the requests of `invoke` treat values that JSON has not.
    pub(super) fn in_calls(self) -> NonFinite {
        match self {
            Self::Grpc => NonFinite::Kept,
            Self::Web => NonFinite::KeptWithBytes,
        }
    }

    /// How the messages of streams do.
    pub(super) fn in_streams(self) -> NonFinite {
        match self {
            Self::Grpc => NonFinite::Null,
            Self::Web => NonFinite::KeptWithBytes,
        }
    }
}
