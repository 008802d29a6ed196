//! What the server says in its settings (RFC 9113, section 6.5.2).

use super::{
    error::{Failure, Reason},
    frame::FRAME_SIZE,
};

/// Bytes that may be under way before anybody says otherwise.
pub(super) const WINDOW: i64 = 65_535;
/// The largest window there can be.
pub(super) const MOST_WINDOW: i64 = 0x7fff_ffff;

/// Streams at once before the server has said anything: what it should allow for at least (RFC 9113,
/// section 6.5.2).
const BEFORE_SETTINGS: usize = 100;

/// What this side must keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// Bytes that a new stream may send.
    pub(super) window: i64,
    /// Most content of a frame.
    pub(super) frame: usize,
    /// Most streams at once.
    pub(super) streams: usize,
    /// Most bytes of the table of headers.
    pub(super) table: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            window: WINDOW,
            frame: 16_384,
            streams: BEFORE_SETTINGS,
            table: 4096,
        }
    }
}

impl Limits {
    /// Takes the content of a SETTINGS frame.
    pub(super) fn take(&mut self, content: &[u8]) -> Result<(), Failure> {
        let (settings, rest) = content.as_chunks::<6>();
        if !rest.is_empty() {
            return Err(FRAME_SIZE);
        }
        for &[a, b, c, d, e, f] in settings {
            let value = u32::from_be_bytes([c, d, e, f]);
            match u16::from_be_bytes([a, b]) {
                1 => self.table = value as usize,
                2 if value != 0 => return Err(bad("the server pushes")),
                3 => self.streams = value as usize,
                4 if i64::from(value) > MOST_WINDOW => {
                    let text = "the initial window is too large";
                    return Err(Failure::Violation(Reason::FLOW_CONTROL_ERROR, text));
                }
                4 => self.window = value.into(),
                5 if !(16_384..1 << 24).contains(&value) => {
                    return Err(bad("the largest frame has an impossible size"));
                }
                5 => self.frame = value as usize,
                _ => {}
            }
        }
        Ok(())
    }
}

fn bad(text: &'static str) -> Failure {
    Failure::Violation(Reason::PROTOCOL_ERROR, text)
}
