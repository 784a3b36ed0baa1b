//! Types as the compiler describes them (BTF), of an object or of the kernel.
//!
//! A table: a type is a number, the place of its description, from 1. Numbers are little-endian.

use crate::{Refused, refused};

const MAGIC: u16 = 0xeb9f;
const SHORTEST_HEADER: usize = 24;

/// What a type is; numbers as in `include/uapi/linux/btf.h`.
pub(crate) const ARRAY: u8 = 3;
pub(crate) const STRUCT: u8 = 4;
pub(crate) const UNION: u8 = 5;
pub(crate) const TYPEDEF: u8 = 8;
pub(crate) const VOLATILE: u8 = 9;
pub(crate) const CONST: u8 = 10;
pub(crate) const RESTRICT: u8 = 11;
pub(crate) const FUNC: u8 = 12;
pub(crate) const VAR: u8 = 14;
pub(crate) const TYPE_TAG: u8 = 18;

/// All types of an object or a kernel.
#[derive(Debug)]
pub(crate) struct Types {
    all: Vec<Type>,
    strings: Vec<u8>,
}

/// A type.
#[derive(Debug)]
pub(crate) struct Type {
    name: u32,
    pub(crate) kind: u8,
    /// Its size in bytes, or the type that it refers to.
    pub(crate) reference: u32,
    /// Of a structure or union.
    pub(crate) members: Vec<Member>,
}

/// A member of a structure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    name: u32,
    /// Its type.
    pub(crate) of: u32,
    /// Where it begins, in bits.
    pub(crate) bits: u32,
}

impl Types {
    /// Reads a section `.BTF`.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let cut = || Refused("the type information (BTF) is truncated".to_owned());
        let word = |at: usize| number(bytes, at).ok_or_else(cut);
        if bytes.len() < SHORTEST_HEADER || bytes[..2] != MAGIC.to_le_bytes() {
            return refused("there is no type information (BTF)");
        }
        let header = word(4)? as usize;
        let part = |at: usize| -> Result<&[u8], Refused> {
            let begin = header + word(at)? as usize;
            bytes.get(begin..begin + word(at + 4)? as usize).ok_or_else(cut)
        };
        let (types, strings) = (part(8)?, part(16)?.to_vec());
        let mut all = Self { all: Vec::new(), strings };
        let mut at = 0;
        while at < types.len() {
            let (one, length) = Type::read(&types[at..])?;
            at += length;
            all.all.push(one);
        }
        Ok(all)
    }

    /// A type by its number; `None` for `void` and for numbers without a type.
    pub(crate) fn get(&self, number: u32) -> Option<&Type> {
        self.all.get((number as usize).checked_sub(1)?)
    }

    /// The first type of a kind with a name.
    pub(crate) fn named(&self, kind: u8, name: &str) -> Option<u32> {
        let is = |one: &Type| one.kind == kind && self.name_of(one) == name;
        let place = self.all.iter().position(is)?;
        u32::try_from(place + 1).ok()
    }

    /// A text that begins at a place.
    pub(crate) fn text(&self, at: u32) -> &str {
        let rest = self.strings.get(at as usize..).unwrap_or_default();
        let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
        str::from_utf8(&rest[..end]).unwrap_or_default()
    }

    pub(crate) fn name_of(&self, one: &Type) -> &str {
        self.text(one.name)
    }

    pub(crate) fn member_name(&self, member: &Member) -> &str {
        self.text(member.name)
    }

    /// The type behind typedefs and qualifiers.
    pub(crate) fn resolved(&self, mut number: u32) -> Option<&Type> {
        // A chain is no longer than there are types.
        for _ in 0..=self.all.len() {
            let one = self.get(number)?;
            if ![TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG].contains(&one.kind) {
                return Some(one);
            }
            number = one.reference;
        }
        None
    }

    /// Where a member begins, in bits, and its type; also inside members without a name.
    pub(crate) fn member(&self, of: &Type, name: &str) -> Option<(u32, u32)> {
        of.members.iter().find_map(|member| {
            let own = self.member_name(member);
            if own == name {
                return Some((member.bits, member.of));
            }
            let inner = self.resolved(member.of).filter(|_| own.is_empty())?;
            let (bits, of) = self.member(inner, name)?;
            Some((member.bits + bits, of))
        })
    }
}

impl Type {
    /// The first type of some bytes, and how many it takes.
    fn read(bytes: &[u8]) -> Result<(Self, usize), Refused> {
        const HEAD: usize = 12;
        let word =
            |at: usize| number(bytes, at).ok_or_else(|| Refused("a type is truncated".to_owned()));
        let info = word(4)?;
        let (count, kind) = ((info & 0xffff) as usize, (info >> 24 & 0x1f) as u8);
        // Of structures with bit fields, the size of these stands in the upper byte.
        let bits = if info >> 31 == 1 { 0x00ff_ffff } else { u32::MAX };
        let rest = match kind {
            1 | VAR | 17 => 4,
            2 | 7 | TYPEDEF | VOLATILE | CONST | RESTRICT | FUNC | 16 | TYPE_TAG => 0,
            ARRAY => 12,
            STRUCT | UNION | 15 | 19 => 12 * count,
            6 | 13 => 8 * count,
            other => return refused(format!("a type has the unknown kind {other}")),
        };
        let members = match kind {
            STRUCT | UNION => (0..count)
                .map(|place| {
                    let at = HEAD + 12 * place;
                    Ok(Member { name: word(at)?, of: word(at + 4)?, bits: word(at + 8)? & bits })
                })
                .collect::<Result<_, Refused>>()?,
            _ => Vec::new(),
        };
        Ok((Self { name: word(0)?, kind, reference: word(8)?, members }, HEAD + rest))
    }
}

/// The smallest type information that the kernel accepts: that of `int`.
pub(crate) fn smallest() -> Vec<u8> {
    const STRINGS: &[u8; 8] = b"\0int\0\0\0\0";
    // Flags and version, length of the header, then where types and strings begin and how long they are;
    // the type: its name, kind, size, bits.
    let words: [u32; 10] = [1 << 16 | u32::from(MAGIC), 24, 0, 16, 16, 8, 1, 1 << 24, 4, 32];
    words.iter().flat_map(|word| word.to_le_bytes()).chain(STRINGS.iter().copied()).collect()
}

/// A number of four bytes.
pub(crate) fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().expect("four bytes")))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A type to be written: kind, name, size or type it refers to; name, type and place of its members.
    type Written<'a> = (u8, &'a str, u32, &'a [(&'a str, u32, u32)]);

    /// Types with `int` as the first one, and these behind it.
    pub(crate) fn types(behind: &[Written]) -> Vec<u8> {
        let mut strings = vec![0];
        let mut text = |name: &str| {
            if name.is_empty() {
                return 0;
            }
            let at = u32::try_from(strings.len()).expect("few");
            strings.extend(name.bytes());
            strings.push(0);
            at
        };
        let mut words = vec![text("int"), 1 << 24, 4, 32];
        for (kind, name, reference, members) in behind {
            let count = u32::try_from(members.len()).expect("few");
            words.extend([text(name), u32::from(*kind) << 24 | count, *reference]);
            for (name, of, bits) in *members {
                words.extend([text(name), *of, *bits]);
            }
        }
        let types: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let length = |bytes: &[u8]| u32::try_from(bytes.len()).expect("few").to_le_bytes();
        let mut all = vec![0x9f, 0xeb, 1, 0];
        for word in [24_u32.to_le_bytes(), [0; 4], length(&types), length(&types), length(&strings)]
        {
            all.extend(word);
        }
        all.extend(types);
        all.extend(strings);
        all
    }

    #[test]
    fn the_smallest_description_is_of_one_type() {
        let all = Types::read(&smallest()).expect("types");
        assert_eq!(all.named(1, "int"), Some(1));
        assert!(all.get(2).is_none());
    }

    #[test]
    fn fields_are_found_by_name_also_inside() {
        let bytes = types(&[
            (UNION, "", 4, &[("inner", 1, 0)]),
            (STRUCT, "thread", 12, &[("first", 1, 0), ("", 2, 32), ("last", 1, 64)]),
            (TYPEDEF, "thread_t", 3, &[]),
        ]);
        let all = Types::read(&bytes).expect("types");
        let thread =
            all.resolved(all.named(TYPEDEF, "thread_t").expect("it")).expect("a structure");
        assert_eq!(all.name_of(thread), "thread");
        assert_eq!(all.member(thread, "last"), Some((64, 1)));
        assert_eq!(all.member(thread, "inner"), Some((32, 1)));
        assert_eq!(all.member(thread, "other"), None);
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let bytes = types(&[(STRUCT, "thread", 4, &[("first", 1, 0)])]);
        for length in 0..bytes.len() {
            assert!(Types::read(&bytes[..length]).is_err(), "{length} of {}", bytes.len());
        }
        let unknown = types(&[(31, "new", 0, &[])]);
        let Err(Refused(why)) = Types::read(&unknown) else { panic!("kind 31 is known") };
        assert_eq!(why, "a type has the unknown kind 31");
    }

    #[test]
    fn a_chain_of_names_that_ends_nowhere_is_no_type() {
        let all = Types::read(&types(&[(TYPEDEF, "a", 3, &[]), (TYPEDEF, "b", 2, &[])]));
        assert!(all.expect("types").resolved(2).is_none());
    }
}
