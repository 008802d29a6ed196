//! What the variables of the environment may say.

use std::time::Duration;

use http::{Uri, uri::Authority};

use crate::{
    catalogue::{Catalogue, Cell, Style},
    duration::parse_duration,
    load::{LoadError, style::work::MOST_PATIENCE},
};

const MOST_LINES: u32 = 100_000;

pub(super) fn parse_calls(text: &str, most: u32) -> Result<u32, LoadError> {
    let problem = || format!("give a whole number from 1 to {most}");
    let calls = text.parse().ok().filter(|calls| (1..=most).contains(calls));
    calls.ok_or_else(|| unusable("CALLS", text, problem()))
}

/// A number of landings.
pub(super) fn parse_records(text: &str, most: u32) -> Result<u32, LoadError> {
    let records = text.parse().ok();
    let records = records.filter(|records| (1..=most).contains(records));
    records.ok_or_else(|| {
        let problem = format!("give a whole number from 1 to {most}");
        unusable("LIMIT", text, problem)
    })
}

pub(super) fn opens_connections(connection: Option<&str>) -> Result<bool, LoadError> {
    match connection {
        None => Ok(false),
        Some("new") => Ok(true),
        Some(text) => Err(unusable(
            "CONNECTION",
            text,
            "give new, or leave it out".to_owned(),
        )),
    }
}

pub(super) fn patience(text: &str) -> Result<Duration, LoadError> {
    match parse_duration(text) {
        Ok(patience) if !patience.is_zero() && patience <= MOST_PATIENCE => Ok(patience),
        _ => Err(unusable(
            "PATIENCE",
            text,
            format!("give a time up to {} ms", MOST_PATIENCE.as_millis()),
        )),
    }
}

pub(super) fn speaks_http2(cell: &Cell, version: Option<&str>) -> Result<bool, LoadError> {
    match version {
        None => Ok(false),
        Some("1.1") if cell.style != Style::Grpc => Ok(false),
        Some("2") if cell.http2 => Ok(true),
        Some(text) => {
            let cells = Catalogue::built_in().cells;
            let known = cells.iter().filter(|cell| cell.http2);
            let known: Vec<&str> = known.map(|cell| &*cell.id).collect();
            Err(unusable(
                "HTTP_VERSION",
                text,
                format!(
                    "{} cannot be driven so; give 2 for {} alone, and 1.1 for what is not gRPC",
                    cell.id,
                    known.join(", ")
                ),
            ))
        }
    }
}

pub(super) fn parse_lines(text: &str) -> Result<u32, LoadError> {
    match text.parse() {
        Ok(lines @ 1..=MOST_LINES) => Ok(lines),
        _ => Err(unusable(
            "LINES",
            text,
            format!("give a whole number from 1 to {MOST_LINES}"),
        )),
    }
}

/// Host and port of the server; with TLS the scheme is https, and only then.
pub(super) fn authority_of_url(url: &str, is_encrypted: bool) -> Result<String, LoadError> {
    let problem = || {
        let problem = if is_encrypted {
            "give scheme, host and port alone, like https://127.0.0.1:5300; without TLS_TRUST for http"
        } else {
            "give scheme, host and port alone, like http://127.0.0.1:5300; for https add TLS_TRUST \
             with the file of the server's certificate"
        };
        unusable("BASE_URL", url, problem.to_owned())
    };
    let scheme = if is_encrypted { "https" } else { "http" };
    let uri: Uri = url.parse().map_err(|_| problem())?;
    match (uri.scheme_str(), uri.authority(), uri.path(), uri.query()) {
        (Some(found), Some(authority), "/", None)
            if found == scheme && !authority.as_str().contains('@') =>
        {
            Ok(authority.as_str().to_owned())
        }
        _ => Err(problem()),
    }
}

pub(super) fn authority_with_port(address: &str) -> Result<String, LoadError> {
    let problem = || {
        unusable(
            "GRPC_ADDR",
            address,
            "give host and port, like 127.0.0.1:5301".to_owned(),
        )
    };
    let authority: Authority = address.parse().map_err(|_| problem())?;
    if authority.port_u16().is_none() || address.contains('@') {
        return Err(problem());
    }
    Ok(address.to_owned())
}

pub(in crate::load) fn unusable(name: &'static str, value: &str, problem: String) -> LoadError {
    LoadError::Variable {
        name,
        value: value.to_owned(),
        problem,
    }
}
