//! The types of a kernel, as it describes them itself (BTF).
//!
//! ```text
//!   magic, version, flags, length of this │ places and lengths of types and names │ types … │ names …
//!   type: name (4), kind and how many members (4), size or type (4) │ members …
//! ```
//!
//! **Cost.** One pass, and a place for each type.

use std::ops::Range;

const MAGIC: u16 = 0xeb9f;
/// What stands before the members of a type.
const HEAD: usize = 12;

const POINTER: u32 = 2;
const ARRAY: u32 = 3;
const STRUCT: u32 = 4;
const UNION: u32 = 5;
const TYPEDEF: u32 = 8;
const FUNCTION: u32 = 13;

/// Where a field of some bits stands.
const BITS: u32 = 0x00ff_ffff;
/// Structures within one that have no name, at most.
const PARTS: usize = 4096;

/// The bytes behind the head of a type of some kind, of which there are so many for each member besides.
const fn length(kind: u32) -> Option<(usize, usize)> {
    Some(match kind {
        // Integers, variables, and the place that a tag is for.
        1 | 14 | 17 => (4, 0),
        ARRAY => (12, 0),
        // Structures, unions, sections, and enumerations of 64 bits.
        STRUCT | UNION | 15 | 19 => (0, 12),
        6 | FUNCTION => (0, 8),
        // What has no size of its own: pointers, names, qualifiers, functions, floats, tags.
        POINTER | 7..=12 | 16 | 18 => (0, 0),
        _ => return None,
    })
}

/// Types, by their numbers.
#[derive(Debug)]
pub struct Types {
    bytes: Vec<u8>,
    names: Range<usize>,
    /// Where each type begins; the first one is none.
    begins: Vec<usize>,
}

impl Types {
    /// # Errors
    /// The bytes are no types, are cut, or have one of a kind that is not known.
    pub fn of(bytes: Vec<u8>) -> Result<Self, &'static str> {
        const CUT: &str = "the types of the kernel are cut";
        let word = |at: usize| word(&bytes, at).ok_or(CUT);
        if bytes.first_chunk().map(|two| u16::from_le_bytes(*two)) != Some(MAGIC) {
            return Err("this is no description of types (BTF) with its least byte first");
        }
        let head = word(4)? as usize;
        let part = |place: usize, length: usize| {
            let begin = head.checked_add(word(place)? as usize).ok_or(CUT)?;
            let end = begin.checked_add(word(length)? as usize).ok_or(CUT)?;
            if end > bytes.len() { Err(CUT) } else { Ok(begin..end) }
        };
        let (types, names) = (part(8, 12)?, part(16, 20)?);
        let (mut begins, mut at) = (vec![0], types.start);
        while at < types.end {
            begins.push(at);
            let info = word(at + 4)?;
            let unknown = "the kernel has types of a kind that is not known";
            let (own, each) = length(kind(info)).ok_or(unknown)?;
            at += HEAD + own + each * count(info);
        }
        if at != types.end {
            return Err(CUT);
        }
        Ok(Self { bytes, names, begins })
    }

    /// The number of the type of a tracepoint, and with how many values it calls a program.
    pub fn tracepoint(&self, event: &str) -> Option<(u32, usize)> {
        let name = format!("btf_trace_{event}");
        let number = (1..self.begins.len()).find(|number| {
            self.info(*number).is_some_and(|info| kind(info) == TYPEDEF)
                && self.name(*number) == Some(name.as_bytes())
        })?;
        let pointer = self.behind(number)?;
        let function = self.behind(pointer)?;
        let info = self.info(function).filter(|info| kind(*info) == FUNCTION)?;
        // The first value is that of who put the program there.
        Some((u32::try_from(number).ok()?, count(info).checked_sub(1)?))
    }

    /// Where a field stands in a structure, in bytes; a path goes into the structures of fields.
    pub fn field(&self, structure: &str, path: &[&str]) -> Option<i16> {
        let number = (1..self.begins.len()).find(|number| {
            self.info(*number).is_some_and(|info| kind(info) == STRUCT && count(info) > 0)
                && self.name(*number) == Some(structure.as_bytes())
        })?;
        let (mut number, mut bits) = (number, 0);
        for name in path {
            let (place, next) = self.member(number, name.as_bytes())?;
            bits = place.checked_add(bits)?;
            number = next;
        }
        (bits % 8 == 0).then(|| i16::try_from(bits / 8).ok()).flatten()
    }

    /// Where a member stands, in bits, and its type; those of members without a name are members, too.
    fn member(&self, number: usize, name: &[u8]) -> Option<(u32, usize)> {
        let mut parts = vec![(0_u32, number)];
        for _ in 0..PARTS {
            let (before, number) = parts.pop()?;
            let info = self.info(number)?;
            for nth in (0..count(info)).filter(|_| matches!(kind(info), STRUCT | UNION)) {
                let at = self.begins[number] + HEAD + 12 * nth;
                let own = self.text(word(&self.bytes, at)?)?;
                let of = self.resolved(word(&self.bytes, at + 4)? as usize)?;
                // Where fields have a number of bits, that stands in the highest byte.
                let has_bits = info >> 31 != 0;
                let place = word(&self.bytes, at + 8)? & if has_bits { BITS } else { u32::MAX };
                let place = before.checked_add(place)?;
                if own == name {
                    return Some((place, of));
                }
                if own.is_empty() && parts.len() < PARTS {
                    parts.push((place, of));
                }
            }
        }
        None
    }

    /// A type without names and qualifiers of it.
    fn resolved(&self, mut number: usize) -> Option<usize> {
        for _ in 0..16 {
            match kind(self.info(number)?) {
                // Names, `volatile`, `const`, `restrict`, and tags.
                TYPEDEF | 9..=11 | 18 => number = self.behind(number)?,
                _ => return Some(number),
            }
        }
        None
    }

    fn info(&self, number: usize) -> Option<u32> {
        word(&self.bytes, *self.begins.get(number).filter(|_| number > 0)? + 4)
    }

    /// The type to which a pointer points, or that a name names.
    fn behind(&self, number: usize) -> Option<usize> {
        self.info(number)?;
        Some(word(&self.bytes, self.begins[number] + 8)? as usize)
    }

    fn name(&self, number: usize) -> Option<&[u8]> {
        self.text(word(&self.bytes, *self.begins.get(number)?)?)
    }

    fn text(&self, place: u32) -> Option<&[u8]> {
        let names = &self.bytes[self.names.clone()];
        let text = names.get(place as usize..)?;
        let end = text.iter().position(|byte| *byte == 0)?;
        Some(&text[..end])
    }
}

const fn kind(info: u32) -> u32 {
    info >> 24 & 31
}

const fn count(info: u32) -> usize {
    (info & 0xffff) as usize
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|four| u32::from_le_bytes(*four))
}
