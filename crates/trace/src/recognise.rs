//! Whether a file is a trace at all.
//!
//! **Model.** A trace has no mark of its own: it is a sequence of packets. One whose first packet
//! is whole, or longer than [`BEGINNING`], and consists of fields as the wire format has them, is
//! taken for a trace. Text is not: the bytes behind its first line feed would have to be such fields.

use crate::sink::PACKET;
use crate::wire::BYTES;

/// So many bytes of a file say whether it is a trace.
pub const BEGINNING: usize = 1 << 12;

/// Whether a file is a trace whose first [`BEGINNING`] bytes, or all if they are fewer, are these.
pub fn is_trace(beginning: &[u8]) -> bool {
    let mut rest = beginning;
    let is_packet = varint(&mut rest) == Some(u64::from(PACKET) << 3 | BYTES);
    let Some(length) = varint(&mut rest).filter(|length| is_packet && *length > 0) else {
        return false;
    };
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let is_cut = length > rest.len();
    if is_cut && beginning.len() < BEGINNING {
        return false;
    }
    let mut packet = &rest[..length.min(rest.len())];
    while !packet.is_empty() {
        match field(&mut packet) {
            Field::Whole => {}
            Field::Cut => return is_cut,
            Field::Wrong => return false,
        }
    }
    true
}

enum Field {
    Whole,
    /// The end came first.
    Cut,
    Wrong,
}

/// Takes a field off the bytes.
fn field(bytes: &mut &[u8]) -> Field {
    let Some(key) = varint(bytes) else { return Field::Cut };
    // Numbers of fields begin with 1 and have 29 bits; types 3 and 4 went with version 2.
    let length = match (key >> 3, key & 7) {
        (0 | 0x2000_0000.., _) | (_, 3 | 4 | 6 | 7) => return Field::Wrong,
        (_, 0) => return varint(bytes).map_or(Field::Cut, |_| Field::Whole),
        (_, 1) => Some(8),
        (_, 5) => Some(4),
        _ => varint(bytes),
    };
    let length = length.and_then(|length| usize::try_from(length).ok());
    match length.and_then(|length| bytes.get(length..)) {
        Some(rest) => {
            *bytes = rest;
            Field::Whole
        }
        None => Field::Cut,
    }
}

/// Takes a number of at most ten bytes off the bytes.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let end = bytes.iter().take(10).position(|byte| byte & 0x80 == 0)?;
    let (own, rest) = bytes.split_at(end + 1);
    *bytes = rest;
    let number = own.iter().rev().fold(0_u128, |all, byte| all << 7 | u128::from(byte & 0x7f));
    u64::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Message;

    #[test]
    fn a_packet_is_told_from_text() {
        let short = Message::new().number(8, 0).text(2, "a name");
        let long = Message::new().number(8, 0).text(2, &"long".repeat(BEGINNING));
        let trace = |packet: &Message| Message::new().message(PACKET, packet);
        assert!(is_trace(trace(&short).message(PACKET, &short).bytes()));
        assert!(is_trace(trace(&short).bytes()) && is_trace(trace(&long).bytes()));
        assert!(is_trace(&trace(&long).bytes()[..BEGINNING]));
        assert!(!is_trace(&trace(&short).bytes()[..6]), "half of a packet and no more");
        for text in
            ["", "\n", "version = 1\n", "\nversion = 1\n", "\n\n\n\n", "core,name\n", "\n# a"]
        {
            assert!(!is_trace(text.as_bytes()), "{text:?}");
        }
        // A field that is longer than its packet.
        assert!(!is_trace(&[0x0a, 2, 0x12, 9, 1, 1, 1]));
    }
}
