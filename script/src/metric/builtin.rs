//! Metrics that every test has.

use super::{Contains, Kind, Metric, MetricId};

/// A built-in metric; the names and kinds are k6's
/// (<https://grafana.com/docs/k6/latest/using-k6/metrics/reference/>).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// Virtual users that run now.
    Vus,
    /// Virtual users that are initialised.
    VusMax,
    /// Complete iterations.
    Iterations,
    /// How long complete iterations took.
    IterationDuration,
    /// Iterations that were due and could not start.
    DroppedIterations,
    /// Checks.
    Checks,
    /// How long groups took.
    GroupDuration,
    /// HTTP requests.
    HttpReqs,
    /// HTTP requests that were answered unexpectedly or not at all.
    HttpReqFailed,
    /// Sending, waiting and receiving.
    HttpReqDuration,
    /// Until a connection was there.
    HttpReqBlocked,
    /// TCP handshake.
    HttpReqConnecting,
    /// TLS handshake.
    HttpReqTlsHandshaking,
    /// Until the request was written.
    HttpReqSending,
    /// From then to the first byte of the answer.
    HttpReqWaiting,
    /// From then to its last byte.
    HttpReqReceiving,
    /// Unary gRPC calls.
    GrpcReqDuration,
    /// Bytes written to sockets.
    DataSent,
    /// Bytes read from sockets.
    DataReceived,
    /// Bytes of request bodies. k6 has no such metric, so it is recorded when a threshold names it.
    DataSentBody,
    /// Bytes of answers' bodies; recorded as the one before.
    DataReceivedBody,
}

impl Builtin {
    /// All of them, in the order of their ids.
    pub const ALL: [Self; 21] = [
        Self::Vus,
        Self::VusMax,
        Self::Iterations,
        Self::IterationDuration,
        Self::DroppedIterations,
        Self::Checks,
        Self::GroupDuration,
        Self::HttpReqs,
        Self::HttpReqFailed,
        Self::HttpReqDuration,
        Self::HttpReqBlocked,
        Self::HttpReqConnecting,
        Self::HttpReqTlsHandshaking,
        Self::HttpReqSending,
        Self::HttpReqWaiting,
        Self::HttpReqReceiving,
        Self::GrpcReqDuration,
        Self::DataSent,
        Self::DataReceived,
        Self::DataSentBody,
        Self::DataReceivedBody,
    ];

    /// Its id in every registry.
    #[must_use]
    pub fn id(self) -> MetricId {
        MetricId(self as usize)
    }

    /// Its name in scripts and summaries.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.describe().0
    }

    pub(super) fn metric(self) -> Metric {
        let (name, kind, contains) = self.describe();
        Metric {
            name: name.to_owned(),
            kind,
            contains,
            submetrics: Vec::new(),
        }
    }

    fn describe(self) -> (&'static str, Kind, Contains) {
        use Contains::{Data, Default, Time};
        use Kind::{Counter, Gauge, Rate, Trend};
        match self {
            Self::Vus => ("vus", Gauge, Default),
            Self::VusMax => ("vus_max", Gauge, Default),
            Self::Iterations => ("iterations", Counter, Default),
            Self::IterationDuration => ("iteration_duration", Trend, Time),
            Self::DroppedIterations => ("dropped_iterations", Counter, Default),
            Self::Checks => ("checks", Rate, Default),
            Self::GroupDuration => ("group_duration", Trend, Time),
            Self::HttpReqs => ("http_reqs", Counter, Default),
            Self::HttpReqFailed => ("http_req_failed", Rate, Default),
            Self::HttpReqDuration => ("http_req_duration", Trend, Time),
            Self::HttpReqBlocked => ("http_req_blocked", Trend, Time),
            Self::HttpReqConnecting => ("http_req_connecting", Trend, Time),
            Self::HttpReqTlsHandshaking => ("http_req_tls_handshaking", Trend, Time),
            Self::HttpReqSending => ("http_req_sending", Trend, Time),
            Self::HttpReqWaiting => ("http_req_waiting", Trend, Time),
            Self::HttpReqReceiving => ("http_req_receiving", Trend, Time),
            Self::GrpcReqDuration => ("grpc_req_duration", Trend, Time),
            Self::DataSent => ("data_sent", Counter, Data),
            Self::DataReceived => ("data_received", Counter, Data),
            Self::DataSentBody => ("data_sent_body", Counter, Data),
            Self::DataReceivedBody => ("data_received_body", Counter, Data),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_places_in_the_list() {
        for (place, builtin) in Builtin::ALL.into_iter().enumerate() {
            assert_eq!(builtin.id(), MetricId(place));
        }
    }
}
