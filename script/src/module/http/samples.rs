//! The samples of an HTTP exchange.

use std::{cell::RefCell, net::IpAddr, rc::Rc};

use http::Method;

use super::{connection::Timings, failure::Failure};
use crate::{
    metric::{Builtin, Recorder, TagSet},
    options::Options,
};

/// What tells the tag sets of exchanges apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Labels<'a> {
    /// Id of the tag set that the request brings along.
    pub(super) base: usize,
    pub(super) method: &'a Method,
    pub(super) url: &'a Rc<str>,
    pub(super) name: Option<&'a Rc<str>>,
    /// 0 without an answer.
    pub(super) status: u16,
    /// Empty without an answer.
    pub(super) proto: &'static str,
    /// Empty without TLS.
    pub(super) tls_version: &'static str,
    /// The server's address, where it became known.
    pub(super) ip: Option<IpAddr>,
    pub(super) expected: Option<bool>,
    pub(super) failure: Option<&'a Failure>,
}

/// Labels that are remembered, with their tag set.
#[derive(Debug)]
struct Known {
    base: usize,
    method: Method,
    url: Rc<str>,
    name: Option<Rc<str>>,
    status: u16,
    proto: &'static str,
    tls_version: &'static str,
    ip: Option<IpAddr>,
    expected: Option<bool>,
    failure: Option<Failure>,
    tags: TagSet,
}

impl Known {
    fn new(labels: &Labels<'_>, tags: TagSet) -> Self {
        Self {
            base: labels.base,
            method: labels.method.clone(),
            url: Rc::clone(labels.url),
            name: labels.name.cloned(),
            status: labels.status,
            proto: labels.proto,
            tls_version: labels.tls_version,
            ip: labels.ip,
            expected: labels.expected,
            failure: labels.failure.cloned(),
            tags,
        }
    }

    fn labels(&self) -> Labels<'_> {
        Labels {
            base: self.base,
            method: &self.method,
            url: &self.url,
            name: self.name.as_ref(),
            status: self.status,
            proto: self.proto,
            tls_version: self.tls_version,
            ip: self.ip,
            expected: self.expected,
            failure: self.failure.as_ref(),
        }
    }
}

/// Records exchanges; the last few tag sets are remembered.
#[derive(Debug, Default)]
pub(super) struct Samples {
    known: RefCell<Vec<Known>>,
}

/// Labels that are remembered.
const KNOWN: usize = 16;

impl Samples {
    /// Records the samples of one exchange.
    pub(super) fn record(
        &self,
        recorder: &Recorder,
        options: &Options,
        base: &TagSet,
        labels: &Labels<'_>,
        timings: &Timings,
    ) {
        let tags = self.tags(recorder, options, base, labels);
        recorder.record(Builtin::HttpReqs.id(), &tags, 1.0);
        let durations = [
            (Builtin::HttpReqDuration, timings.duration()),
            (Builtin::HttpReqBlocked, timings.blocked),
            (Builtin::HttpReqConnecting, timings.connecting),
            (Builtin::HttpReqTlsHandshaking, timings.tls_handshaking),
            (Builtin::HttpReqSending, timings.sending),
            (Builtin::HttpReqWaiting, timings.waiting),
            (Builtin::HttpReqReceiving, timings.receiving),
        ];
        let durations = durations.map(|(metric, duration)| {
            let ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
            (metric.id(), ns)
        });
        recorder.record_all_ns(&tags, &durations);
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
        labels: &Labels<'_>,
    ) -> TagSet {
        let mut known = self.known.borrow_mut();
        if let Some(known) = known.iter().find(|known| known.labels() == *labels) {
            return known.tags.clone();
        }
        let tags = make(recorder, options, base, labels);
        if known.len() == KNOWN {
            known.remove(0);
        }
        known.push(Known::new(labels, tags.clone()));
        tags
    }
}

fn make(recorder: &Recorder, options: &Options, base: &TagSet, labels: &Labels<'_>) -> TagSet {
    let status = labels.status.to_string();
    let code = match labels.failure {
        Some(failure) => failure.code.to_string(),
        None if labels.status >= 400 => (1000 + labels.status).to_string(),
        None => String::new(),
    };
    let name = labels.name.unwrap_or(labels.url);
    let error = labels.failure.map(|failure| failure.message.as_str());
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
