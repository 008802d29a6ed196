//! The samples of an HTTP exchange.

use std::{cell::RefCell, net::IpAddr, rc::Rc};

use super::{connection::Timings, failure::Failure};
use crate::{
    metric::{Builtin, Recorder, TagSet},
    options::Options,
};

/// What tells the tag sets of exchanges apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Labels {
    /// Id of the tag set that the request brings along.
    pub(super) base: usize,
    pub(super) method: http::Method,
    pub(super) url: Rc<str>,
    pub(super) name: Option<Rc<str>>,
    /// 0 without an answer.
    pub(super) status: u16,
    /// Empty without an answer.
    pub(super) proto: &'static str,
    /// Empty without TLS.
    pub(super) tls_version: &'static str,
    /// The server's address, where it became known.
    pub(super) ip: Option<IpAddr>,
    pub(super) expected: Option<bool>,
    pub(super) failure: Option<Failure>,
}

/// Records exchanges; the last few tag sets are remembered.
#[derive(Debug, Default)]
pub(super) struct Samples {
    known: RefCell<Vec<(Labels, TagSet)>>,
}

/// Tag sets that are remembered.
const KNOWN: usize = 16;

impl Samples {
    /// Records the samples of one exchange.
    pub(super) fn record(
        &self,
        recorder: &Recorder,
        options: &Options,
        base: &TagSet,
        labels: &Labels,
        timings: &Timings,
    ) {
        let tags = self.tags(recorder, options, base, labels);
        recorder.record(Builtin::HttpReqs.id(), &tags, 1.0);
        for (metric, duration) in [
            (Builtin::HttpReqDuration, timings.duration()),
            (Builtin::HttpReqBlocked, timings.blocked),
            (Builtin::HttpReqConnecting, timings.connecting),
            (Builtin::HttpReqTlsHandshaking, timings.tls_handshaking),
            (Builtin::HttpReqSending, timings.sending),
            (Builtin::HttpReqWaiting, timings.waiting),
            (Builtin::HttpReqReceiving, timings.receiving),
        ] {
            let ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
            recorder.record_ns(metric.id(), &tags, ns);
        }
        if let Some(expected) = labels.expected {
            let failed = f64::from(u8::from(!expected));
            recorder.record(Builtin::HttpReqFailed.id(), &tags, failed);
        }
    }

    fn tags(
        &self,
        recorder: &Recorder,
        options: &Options,
        base: &TagSet,
        labels: &Labels,
    ) -> TagSet {
        let mut known = self.known.borrow_mut();
        if let Some((_, tags)) = known.iter().find(|(seen, _)| seen == labels) {
            return tags.clone();
        }
        let tags = make(recorder, options, base, labels);
        if known.len() == KNOWN {
            known.remove(0);
        }
        known.push((labels.clone(), tags.clone()));
        tags
    }
}

fn make(recorder: &Recorder, options: &Options, base: &TagSet, labels: &Labels) -> TagSet {
    let status = labels.status.to_string();
    let code = match &labels.failure {
        Some(failure) => failure.code.to_string(),
        None if labels.status >= 400 => (1000 + labels.status).to_string(),
        None => String::new(),
    };
    let name = labels.name.as_deref().unwrap_or(&labels.url);
    let error = labels
        .failure
        .as_ref()
        .map(|failure| failure.message.as_str());
    let expected = labels
        .expected
        .map(|expected| if expected { "true" } else { "false" });
    let ip = labels.ip.map(|ip| ip.to_string());
    let tags = [
        ("ip", ip.as_deref()),
        ("method", Some(labels.method.as_str())),
        ("url", Some(name)),
        ("name", Some(name)),
        ("status", Some(status.as_str())),
        (
            "proto",
            Some(labels.proto).filter(|proto| !proto.is_empty()),
        ),
        (
            "tls_version",
            Some(labels.tls_version).filter(|version| !version.is_empty()),
        ),
        ("expected_response", expected),
        ("error", error),
        (
            "error_code",
            Some(code.as_str()).filter(|code| !code.is_empty()),
        ),
    ];
    let tags = tags
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
        .filter(|(key, _)| options.has_system_tag(key));
    recorder.tags().with(base, tags)
}
