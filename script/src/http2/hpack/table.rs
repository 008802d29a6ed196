//! The tables of headers (RFC 7541, section 2.3).

use std::collections::VecDeque;

/// What a header counts besides its bytes.
pub(super) const OVERHEAD: usize = 32;
/// The largest table that this side keeps: the default.
pub(super) const MOST_BYTES: usize = 4096;

type Field = (Box<[u8]>, Box<[u8]>);

/// The headers sent or received before, after those that everybody knows.
#[derive(Debug)]
pub(super) struct Table {
    /// The latest first.
    entries: VecDeque<Field>,
    bytes: usize,
    most: usize,
    /// Grows with every change.
    version: u64,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            entries: VecDeque::new(),
            bytes: 0,
            most: MOST_BYTES,
            version: 0,
        }
    }
}

/// Where a header is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Name and value.
    Field(usize),
    /// Only the name.
    Name(usize),
    Nothing,
}

impl Table {
    /// The header at an index, from 1.
    pub(super) fn get(&self, index: usize) -> Option<(&[u8], &[u8])> {
        let index = index.checked_sub(1)?;
        if let Some((name, value)) = STATIC.get(index) {
            return Some((name.as_bytes(), value.as_bytes()));
        }
        let (name, value) = self.entries.get(index - STATIC.len())?;
        Some((name, value))
    }

    pub(super) fn find(&self, name: &[u8], value: &[u8]) -> Found {
        let mut found = Found::Nothing;
        let fixed = STATIC
            .iter()
            .map(|(name, value)| (name.as_bytes(), value.as_bytes()));
        let own = self.entries.iter().map(|(name, value)| (&**name, &**value));
        for (place, (known, its_value)) in fixed.chain(own).enumerate() {
            if known != name {
                continue;
            }
            if its_value == value {
                return Found::Field(place + 1);
            }
            if found == Found::Nothing {
                found = Found::Name(place + 1);
            }
        }
        found
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    pub(super) fn insert(&mut self, name: &[u8], value: &[u8]) {
        self.version += 1;
        let bytes = name.len() + value.len() + OVERHEAD;
        self.shrink(self.most.saturating_sub(bytes));
        if bytes <= self.most {
            self.bytes += bytes;
            self.entries.push_front((name.into(), value.into()));
        }
    }

    /// Changes how many bytes there may be.
    pub(super) fn resize(&mut self, most: usize) {
        self.version += 1;
        self.most = most;
        self.shrink(most);
    }

    fn shrink(&mut self, most: usize) {
        while self.bytes > most
            && let Some((name, value)) = self.entries.pop_back()
        {
            self.bytes -= name.len() + value.len() + OVERHEAD;
        }
    }
}

/// RFC 7541, appendix A.
#[rustfmt::skip]
const STATIC: [(&str, &str); 61] = [
    (":authority", ""), (":method", "GET"), (":method", "POST"), (":path", "/"),
    (":path", "/index.html"), (":scheme", "http"), (":scheme", "https"), (":status", "200"),
    (":status", "204"), (":status", "206"), (":status", "304"), (":status", "400"),
    (":status", "404"), (":status", "500"), ("accept-charset", ""),
    ("accept-encoding", "gzip, deflate"), ("accept-language", ""), ("accept-ranges", ""),
    ("accept", ""), ("access-control-allow-origin", ""), ("age", ""), ("allow", ""),
    ("authorization", ""), ("cache-control", ""), ("content-disposition", ""),
    ("content-encoding", ""), ("content-language", ""), ("content-length", ""),
    ("content-location", ""), ("content-range", ""), ("content-type", ""), ("cookie", ""),
    ("date", ""), ("etag", ""), ("expect", ""), ("expires", ""), ("from", ""), ("host", ""),
    ("if-match", ""), ("if-modified-since", ""), ("if-none-match", ""), ("if-range", ""),
    ("if-unmodified-since", ""), ("last-modified", ""), ("link", ""), ("location", ""),
    ("max-forwards", ""), ("proxy-authenticate", ""), ("proxy-authorization", ""), ("range", ""),
    ("referer", ""), ("refresh", ""), ("retry-after", ""), ("server", ""), ("set-cookie", ""),
    ("strict-transport-security", ""), ("transfer-encoding", ""), ("user-agent", ""), ("vary", ""),
    ("via", ""), ("www-authenticate", ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_headers_leave_a_full_table() {
        let mut table = Table::default();
        table.resize(2 * (OVERHEAD + 2));
        for value in [b"1", b"2", b"3"] {
            table.insert(b"a", value);
        }
        assert_eq!(table.get(62), Some((&b"a"[..], &b"3"[..])));
        assert_eq!(table.get(63), Some((&b"a"[..], &b"2"[..])));
        assert_eq!(table.get(64), None);
        assert_eq!(table.find(b"a", b"2"), Found::Field(63));
        assert_eq!(table.find(b"a", b"1"), Found::Name(62));
        assert_eq!(table.find(b"b", b""), Found::Nothing);
        assert_eq!(table.find(b":status", b"404"), Found::Field(13));
        // One that is too large leaves nothing.
        table.insert(b"a", &[0; 40]);
        assert_eq!(table.get(62), None);
        assert_eq!(table.get(0), None);
    }
}
