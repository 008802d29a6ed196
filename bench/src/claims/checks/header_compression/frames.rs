//! Header blocks among the frames of a connection (RFC 9113).

const FRAME_HEAD_BYTES: usize = 9;
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;
/// Flags of a HEADERS frame.
const PADDED: u8 = 0x8;
const PRIORITY: u8 = 0x20;
/// Stream dependency and weight.
const PRIORITY_BYTES: usize = 5;

/// A header block and the frames that carried it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// The stream that it belongs to.
    pub(super) stream: u32,
    /// Bytes of its frames, their heads included.
    pub(super) frame_bytes: usize,
    /// The block.
    pub(super) bytes: Vec<u8>,
}

/// The header blocks in what was sent one way, without a client's preface, in order.
pub(super) fn blocks(mut bytes: &[u8]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    while let Some((head, rest)) = bytes.split_at_checked(FRAME_HEAD_BYTES) {
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
        let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        let payload = rest.get(..length).unwrap_or_default();
        match head[3] {
            HEADERS => blocks.push(Block {
                stream,
                frame_bytes: FRAME_HEAD_BYTES + length,
                bytes: fragment(head[4], payload).to_vec(),
            }),
            CONTINUATION => {
                if let Some(block) = blocks.last_mut() {
                    block.frame_bytes += FRAME_HEAD_BYTES + length;
                    block.bytes.extend_from_slice(payload);
                }
            }
            _ => {}
        }
        bytes = rest.get(length..).unwrap_or_default();
    }
    blocks
}

/// The part of a HEADERS frame that is its header block.
fn fragment(flags: u8, mut payload: &[u8]) -> &[u8] {
    if flags & PADDED != 0 {
        let padding = payload.first().map_or(0, |&length| usize::from(length));
        let end = payload.len().saturating_sub(padding);
        payload = payload.get(1..end).unwrap_or_default();
    }
    if flags & PRIORITY != 0 {
        payload = payload.get(PRIORITY_BYTES..).unwrap_or_default();
    }
    payload
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_blocks_are_told_from_other_frames() {
        let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
        let head = [0, 0, 2, HEADERS, 4, 0, 0, 0, 1, 0x82, 0x86];
        let data = [0, 0, 1, 0, 1, 0, 0, 0, 1, 7];
        let trailers = [0, 0, 1, HEADERS, 1, 0, 0, 0, 1, 0x88];
        let more = [0, 0, 1, CONTINUATION, 4, 0, 0, 0, 1, 0x89];
        let cut = [0, 0, 9];
        let bytes = [&settings[..], &head, &data, &trailers, &more, &cut].concat();
        let block = |frame_bytes, bytes: &[u8]| Block {
            stream: 1,
            frame_bytes,
            bytes: bytes.to_vec(),
        };
        assert_eq!(
            blocks(&bytes),
            [block(11, &[0x82, 0x86]), block(20, &[0x88, 0x89])]
        );
    }

    #[test]
    fn padding_and_priority_are_no_part_of_a_block() {
        let both = [1, 0, 0, 0, 0, 16, 0x82, 0];
        assert_eq!(fragment(PADDED | PRIORITY, &both), [0x82]);
        assert_eq!(fragment(PADDED, &[9, 0x82]), [0_u8; 0]);
    }
}
