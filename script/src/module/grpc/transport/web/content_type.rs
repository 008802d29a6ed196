//! What an answer's content type says of its body.

use crate::module::grpc::status::Status;

/// Messages in protobuf, as they are.
pub(super) const BINARY: &str = "application/grpc-web+proto";
/// Messages in protobuf, the whole body in base64.
pub(super) const TEXT: &str = "application/grpc-web-text+proto";

/// Whether a body is in base64. Letter case and parameters do not matter, and a type without a
/// sub-format means protobuf.
pub(super) fn is_text(content_type: &[u8]) -> Result<bool, Status> {
    let shown = String::from_utf8_lossy(content_type);
    let media_type = shown.split(';').next().unwrap_or_default();
    let media_type = media_type.trim().to_ascii_lowercase();
    let (format, sub_format) = media_type.split_once('+').unwrap_or((&media_type, "proto"));
    let is_text = match format {
        "application/grpc-web" => false,
        "application/grpc-web-text" => true,
        "application/grpc" => {
            return Err(Status::unknown(format!(
                "answer is native gRPC (content type {shown:?}), not gRPC-Web; does a gRPC-Web \
                 layer stand before the server?"
            )));
        }
        _ => {
            return Err(Status::unknown(format!(
                "answer has content type {shown:?}, which is not gRPC-Web"
            )));
        }
    };
    if sub_format != "proto" {
        return Err(Status::internal(format!(
            "answer has content type {shown:?}; protobuf was asked for"
        )));
    }
    Ok(is_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_liberally() {
        for (text, expected) in [
            ("application/grpc-web+proto", Ok(false)),
            ("Application/gRPC-Web", Ok(false)),
            (" application/grpc-web-text ; charset=utf-8", Ok(true)),
            ("application/grpc-web+json", Err(13)),
            ("application/grpc", Err(2)),
            ("text/html", Err(2)),
            ("", Err(2)),
        ] {
            let found = is_text(text.as_bytes()).map_err(|status| status.code);
            assert_eq!(found, expected, "{text}");
        }
    }
}
