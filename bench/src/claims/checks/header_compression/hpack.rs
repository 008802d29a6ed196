//! Header blocks as they stand on the wire (RFC 7541), as far as telling repeated fields takes: what each
//! field says and how many octets say it. Text stays as it was coded.

use std::collections::VecDeque;

/// Entries of the static table (RFC 7541, appendix A).
const STATIC_ENTRIES: usize = 61;
/// The static table begins with the pseudo-header fields.
const LAST_PSEUDO: usize = 14;
/// `:path` in the static table.
const PATHS: [usize; 2] = [4, 5];
/// What a table holds until told otherwise (RFC 9113, 6.5.2).
const INITIAL_TABLE_OCTETS: usize = 4_096;
/// What each entry counts beside its text (RFC 7541, 4.1).
const ENTRY_OCTETS: usize = 32;

/// A field of a header block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// What it says.
    pub(super) said: Said,
    /// What saying it took on the wire.
    pub(super) octets: usize,
}

/// Name and value, as they were coded where they last stood as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    name: Name,
    /// `None` where the static table has the value too.
    value: Option<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    Static(usize),
    Coded(Vec<u8>),
}

impl Said {
    /// Whether it is control data of the request or response, and so no header field (RFC 9113, 8.3).
    pub(super) fn is_pseudo(&self) -> bool {
        matches!(self.name, Name::Static(index) if index <= LAST_PSEUDO)
    }

    /// Whether it is the request's path.
    pub(super) fn is_path(&self) -> bool {
        matches!(self.name, Name::Static(index) if PATHS.contains(&index))
    }

    /// What it counts in a table. Coded text is shorter than the text itself, so a table that is nearly
    /// full may have dropped an entry already.
    fn table_octets(&self) -> usize {
        let name = match &self.name {
            Name::Static(_) => 0,
            Name::Coded(coded) => coded.len(),
        };
        name + self.value.as_ref().map_or(0, Vec::len) + ENTRY_OCTETS
    }
}

/// Reads the header blocks of one direction of a connection, in their order.
#[derive(Debug)]
pub(super) struct Reader {
    /// The dynamic table, the newest entry first.
    table: VecDeque<Said>,
    table_octets: usize,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            table: VecDeque::new(),
            table_octets: INITIAL_TABLE_OCTETS,
        }
    }
}

impl Reader {
    /// The fields of the next block; `None` when it is no header block.
    pub(super) fn block(&mut self, mut bytes: &[u8]) -> Option<Vec<Field>> {
        let mut fields = Vec::new();
        while let Some(&first) = bytes.first() {
            if first & 0xe0 == 0x20 {
                self.table_octets = integer(&mut bytes, 5)?;
                self.evict();
                continue;
            }
            let before = bytes.len();
            let said = self.said(first, &mut bytes)?;
            let octets = before - bytes.len();
            fields.push(Field { said, octets });
        }
        Some(fields)
    }

    /// What the representation says that begins with `first`.
    fn said(&mut self, first: u8, bytes: &mut &[u8]) -> Option<Said> {
        if first & 0x80 != 0 {
            return self.entry(integer(bytes, 7)?);
        }
        let is_kept = first & 0xc0 == 0x40;
        let name = match integer(bytes, if is_kept { 6 } else { 4 })? {
            0 => Name::Coded(text(bytes)?),
            index => self.entry(index)?.name,
        };
        let value = Some(text(bytes)?);
        let said = Said { name, value };
        if is_kept {
            self.table.push_front(said.clone());
            self.evict();
        }
        Some(said)
    }

    fn entry(&self, index: usize) -> Option<Said> {
        match index {
            0 => None,
            1..=STATIC_ENTRIES => Some(Said {
                name: Name::Static(index),
                value: None,
            }),
            _ => self.table.get(index - STATIC_ENTRIES - 1).cloned(),
        }
    }

    fn evict(&mut self) {
        let octets =
            |table: &VecDeque<Said>| -> usize { table.iter().map(Said::table_octets).sum() };
        while octets(&self.table) > self.table_octets {
            self.table.pop_back();
        }
    }
}

/// An integer with a prefix of so many bits (RFC 7541, 5.1).
fn integer(bytes: &mut &[u8], prefix_bits: u32) -> Option<usize> {
    let most = (1_usize << prefix_bits) - 1;
    let mut value = usize::from(next(bytes)?) & most;
    if value < most {
        return Some(value);
    }
    let mut shift = 0;
    loop {
        let octet = next(bytes)?;
        let more = usize::from(octet & 0x7f).checked_mul(1_usize.checked_shl(shift)?)?;
        value = value.checked_add(more)?;
        if octet & 0x80 == 0 {
            return Some(value);
        }
        shift += 7;
    }
}

/// A string as it was coded, with its length before it (RFC 7541, 5.2).
fn text(bytes: &mut &[u8]) -> Option<Vec<u8>> {
    let whole = *bytes;
    let length = integer(bytes, 7)?;
    let rest = bytes.get(length..)?;
    let coded = whole.get(..whole.len() - rest.len())?;
    *bytes = rest;
    Some(coded.to_vec())
}

fn next(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// The requests of RFC 7541, C.3, which leave text as it is.
    const FIRST: &[u8] = b"\x82\x86\x84\x41\x0fwww.example.com";
    const SECOND: &[u8] = b"\x82\x86\x84\xbe\x58\x08no-cache";
    const THIRD: &[u8] = b"\x82\x87\x85\xbf\x40\x0acustom-key\x0ccustom-value";

    fn octets(fields: &[Field]) -> Vec<usize> {
        fields.iter().map(|field| field.octets).collect()
    }

    #[test]
    fn the_examples_of_the_rfc_are_read_field_by_field() {
        let mut reader = Reader::default();
        let first = reader.block(FIRST).unwrap();
        let second = reader.block(SECOND).unwrap();
        let third = reader.block(THIRD).unwrap();
        assert_eq!(octets(&first), [1, 1, 1, 17]);
        assert_eq!(octets(&second), [1, 1, 1, 1, 10]);
        assert_eq!(octets(&third), [1, 1, 1, 1, 25]);
        assert_eq!(first[3].said, second[3].said, "the authority, by its index");
        assert_eq!(second[3].said, third[3].said);
        let pseudo = |fields: &[Field]| fields.iter().filter(|f| f.said.is_pseudo()).count();
        assert_eq!((pseudo(&first), pseudo(&second), pseudo(&third)), (4, 4, 4));
        assert!(first[2].said.is_path() && third[2].said.is_path());
    }

    #[test]
    fn a_table_of_no_size_keeps_nothing() {
        let mut reader = Reader::default();
        let kept = b"\x40\x01a\x01b";
        assert_eq!(
            reader.block(&[b"\x20", &kept[..]].concat()).unwrap().len(),
            1
        );
        assert_eq!(reader.block(b"\xbe"), None, "there is no entry 62");
        assert_eq!(
            Reader::default()
                .block(&[&kept[..], b"\xbe"].concat())
                .unwrap()
                .len(),
            2
        );
    }

    #[test]
    fn what_breaks_off_is_no_block() {
        for bytes in [
            &b"\x40\x0aab"[..],
            b"\x7f",
            b"\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\x80",
        ] {
            assert_eq!(Reader::default().block(bytes), None, "{bytes:?}");
        }
    }
}
