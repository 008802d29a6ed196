//! TCP streams in a capture, and the bytes that each carried.

use std::collections::BTreeMap;

use anyhow::{Context, ensure};

/// The fields that [`Streams::read`] expects of tshark, in this order; sequence numbers are relative to
/// each stream's SYN.
pub const FIELDS: [&str; 6] = [
    "tcp.stream",
    "tcp.srcport",
    "tcp.dstport",
    "tcp.seq",
    "tcp.len",
    "tcp.flags",
];

const FIN: u32 = 0x01;
const SYN: u32 = 0x02;
const RST: u32 = 0x04;

/// Payload of both directions, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Payload {
    pub sent: u64,
    pub received: u64,
}

/// All streams to one server port.
#[derive(Debug, Default)]
pub struct Streams(BTreeMap<u64, Stream>);

#[derive(Debug, Default)]
struct Stream {
    client_port: u16,
    sent: Direction,
    received: Direction,
    reset: bool,
}

#[derive(Debug, Default)]
struct Direction {
    opened: bool,
    closed: bool,
    /// Highest relative sequence number of a byte's end: the payload, as byte 1 is the first after
    /// the SYN. A retransmission repeats numbers and adds nothing.
    payload: u64,
}

impl Streams {
    /// Reads tshark's lines of tab-separated [`FIELDS`].
    pub fn read(lines: &str, server_port: u16) -> anyhow::Result<Self> {
        let mut streams = Self::default();
        for line in lines.lines() {
            streams
                .add(line, server_port)
                .with_context(|| format!("tshark printed `{line}`"))?;
        }
        Ok(streams)
    }

    /// Whether a stream from this client port was captured to its end.
    pub fn has(&self, client_port: u16) -> bool {
        self.0
            .values()
            .any(|stream| stream.client_port == client_port && stream.ended())
    }

    /// Takes out the stream from a client port.
    pub fn remove(&mut self, client_port: u16) {
        self.0.retain(|_, stream| stream.client_port != client_port);
    }

    /// Streams whose end was not captured.
    pub fn open(&self) -> usize {
        self.0.values().filter(|stream| !stream.ended()).count()
    }

    /// The payload of all streams; fails when the beginning of one was not captured.
    pub fn payload(&self) -> anyhow::Result<Payload> {
        let mut sum = Payload::default();
        for stream in self.0.values() {
            ensure!(
                stream.sent.opened && stream.received.opened,
                "the capture misses the beginning of the connection from port {}",
                stream.client_port
            );
            sum.sent += stream.sent.payload;
            sum.received += stream.received.payload;
        }
        Ok(sum)
    }

    fn add(&mut self, line: &str, server_port: u16) -> anyhow::Result<()> {
        let fields: Vec<_> = line.split('\t').collect();
        let [stream, from, to, sequence, length, flags] = fields[..] else {
            anyhow::bail!("{} fields instead of {}", fields.len(), FIELDS.len());
        };
        let (from, to): (u16, u16) = (from.parse()?, to.parse()?);
        let flags = u32::from_str_radix(flags.trim_start_matches("0x"), 16)?;
        let (sequence, length): (u64, u64) = (sequence.parse()?, length.parse()?);

        let stream = self.0.entry(stream.parse()?).or_default();
        let direction = if to == server_port {
            stream.client_port = from;
            &mut stream.sent
        } else {
            &mut stream.received
        };
        direction.opened |= flags & SYN != 0;
        direction.closed |= flags & FIN != 0;
        // Only payload counts: after its FIN, a side's numbers are one higher.
        if length > 0 {
            let end = (sequence + length).saturating_sub(1);
            direction.payload = direction.payload.max(end);
        }
        stream.reset |= flags & RST != 0;
        Ok(())
    }
}

impl Stream {
    fn ended(&self) -> bool {
        self.reset || (self.sent.closed && self.received.closed)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// One connection: 245 bytes there (the second half twice), 337 bytes back.
    const CONNECTION: &str = "0\t40000\t5300\t0\t0\t0x0002\n\
                              0\t5300\t40000\t0\t0\t0x0012\n\
                              0\t40000\t5300\t1\t0\t0x0010\n\
                              0\t40000\t5300\t1\t100\t0x0018\n\
                              0\t40000\t5300\t101\t145\t0x0018\n\
                              0\t40000\t5300\t101\t145\t0x0018\n\
                              0\t5300\t40000\t1\t337\t0x0018\n\
                              0\t40000\t5300\t246\t0\t0x0011\n";

    #[test]
    fn payload_is_counted_once_in_each_direction() {
        let text =
            format!("{CONNECTION}0\t5300\t40000\t338\t0\t0x0011\n0\t40000\t5300\t247\t0\t0x0010\n");
        let streams = Streams::read(&text, 5300).unwrap();
        assert_eq!(streams.open(), 0);
        let expected = Payload {
            sent: 245,
            received: 337,
        };
        assert_eq!(streams.payload().unwrap(), expected);
    }

    #[test]
    fn a_stream_is_open_until_both_sides_close_or_one_resets() {
        assert_eq!(Streams::read(CONNECTION, 5300).unwrap().open(), 1);
        let reset = format!("{CONNECTION}0\t40000\t5300\t99999\t0\t0x0004\n");
        let streams = Streams::read(&reset, 5300).unwrap();
        assert_eq!(streams.open(), 0);
        assert_eq!(streams.payload().unwrap().sent, 245);
    }

    #[test]
    fn a_late_beginning_is_refused() {
        let late: String = CONNECTION.split_inclusive('\n').skip(1).collect();
        let error = Streams::read(&late, 5300).unwrap().payload().unwrap_err();
        assert!(error.to_string().contains("40000"), "{error}");
    }

    #[test]
    fn a_stream_can_be_found_and_taken_out() {
        let text = format!("{CONNECTION}0\t5300\t40000\t338\t0\t0x0011\n");
        let mut streams = Streams::read(&text, 5300).unwrap();
        assert!(streams.has(40000) && !streams.has(40001));
        streams.remove(40000);
        assert_eq!(streams.payload().unwrap(), Payload::default());
    }

    #[test]
    fn a_strange_line_is_shown() {
        let error = Streams::read("0\t1\t2\n", 2).unwrap_err();
        assert!(format!("{error:#}").contains("3 fields"), "{error:#}");
    }
}
