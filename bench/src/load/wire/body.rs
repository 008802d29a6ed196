//! A body that arrives in pieces.

use bytes::{Bytes, BytesMut};

/// More than any answer of the Bookstore; a server that sends on and on must not fill the memory.
pub(super) const MOST_BODY_BYTES: usize = 64 << 20;

/// Joins the pieces of a body; a single piece, the usual case, is not copied.
#[derive(Debug, Default)]
pub(super) struct BodyPieces {
    first: Bytes,
    joined: BytesMut,
}

impl BodyPieces {
    /// Appends a piece; `false` when the body is now longer than any answer.
    pub(super) fn push(&mut self, piece: Bytes) -> bool {
        if self.joined.is_empty() && self.first.is_empty() {
            self.first = piece;
            return self.first.len() <= MOST_BODY_BYTES;
        }
        if self.joined.is_empty() {
            self.joined.extend_from_slice(&self.first);
        }
        self.joined.extend_from_slice(&piece);
        self.joined.len() <= MOST_BODY_BYTES
    }

    pub(super) fn into_bytes(self) -> Bytes {
        if self.joined.is_empty() {
            self.first
        } else {
            self.joined.freeze()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_joined_in_order() {
        let mut pieces = BodyPieces::default();
        for piece in ["", "ab", "", "c"] {
            assert!(pieces.push(Bytes::from_static(piece.as_bytes())));
        }
        assert_eq!(pieces.into_bytes(), "abc");
    }

    #[test]
    fn an_endless_body_is_noticed() {
        let mut pieces = BodyPieces::default();
        let piece = Bytes::from(vec![0; MOST_BODY_BYTES / 2]);
        assert!(pieces.push(piece.clone()));
        assert!(pieces.push(piece.clone()));
        assert!(!pieces.push(piece));
    }
}
