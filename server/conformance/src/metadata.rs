//! The suite's headers and HTTP's.

use http::{HeaderMap, HeaderName, HeaderValue};
use tonic::{Status, metadata::MetadataMap};

use crate::suite::Header;

/// `headers` as HTTP has them; values of one name keep their order.
///
/// # Errors
/// `INVALID_ARGUMENT` for what HTTP cannot carry.
pub fn to_http(headers: &[Header]) -> Result<HeaderMap, Status> {
    let mut map = HeaderMap::new();
    for header in headers {
        let name = HeaderName::try_from(&header.name)
            .map_err(|error| Status::invalid_argument(format!("{:?}: {error}", header.name)))?;
        for value in &header.value {
            let value = HeaderValue::try_from(value)
                .map_err(|error| Status::invalid_argument(format!("{value:?}: {error}")))?;
            map.append(name.clone(), value);
        }
    }
    Ok(map)
}

/// `metadata` as the suite has it. Binary values stay in base64, as on the wire.
pub fn from_metadata(metadata: &MetadataMap) -> Vec<Header> {
    let headers = metadata.as_ref();
    headers
        .keys()
        .map(|name| Header {
            name: name.to_string(),
            value: headers
                .get_all(name)
                .iter()
                .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
                .collect(),
        })
        .collect()
}

/// The milliseconds that `grpc-timeout` gives, if it is there. The server has checked its form.
pub fn timeout_ms(metadata: &MetadataMap) -> Option<i64> {
    let text = metadata.get("grpc-timeout")?.to_str().ok()?;
    let (count, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let count: i64 = count.parse().ok()?;
    match unit {
        "H" => Some(count * 3_600_000),
        "M" => Some(count * 60_000),
        "S" => Some(count * 1_000),
        "m" => Some(count),
        "u" => Some(count / 1_000),
        "n" => Some(count / 1_000_000),
        _ => None,
    }
}
