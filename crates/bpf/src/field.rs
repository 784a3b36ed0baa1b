//! Relocations of field offsets (CO-RE): from the names in the object's own types to the offset in the
//! kernel's.

use crate::btf::{STRUCT, Types, number};
use crate::object::Instruction;
use crate::{Refused, refused};

/// The only kind that is supported: the offset of a field, in bytes.
const BYTE_OFFSET: u32 = 0;
/// The header of `.BTF.ext` after its first two bytes: offsets from the end of the header.
const HEADER_LENGTH: usize = 4;
const RELOCATIONS: usize = 24;

/// A relocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    /// The section of the program.
    pub(crate) section: String,
    /// Which instruction.
    pub(crate) instruction: usize,
    /// The structure, in the types of the object.
    pub(crate) of: u32,
    /// The access path to the field: `0:1:2` is, from the pointer on, the third member of the second member.
    pub(crate) path: String,
}

/// The relocations of a section `.BTF.ext`.
pub(crate) fn open_places(bytes: &[u8], types: &Types) -> Result<Vec<Open>, Refused> {
    let cut = || Refused("the list of relocations is truncated".to_owned());
    let word = |at: usize| number(bytes, at).ok_or_else(cut);
    let header = word(HEADER_LENGTH)? as usize;
    if header < RELOCATIONS + 8 {
        return Ok(Vec::new());
    }
    let begin = header + word(RELOCATIONS)? as usize;
    let end = begin + word(RELOCATIONS + 4)? as usize;
    if begin == end {
        return Ok(Vec::new());
    }
    let size = word(begin)? as usize;
    let mut at = begin + 4;
    let mut open = Vec::new();
    while at < end {
        let (section, count) = (types.text(word(at)?).to_owned(), word(at + 4)?);
        at += 8;
        for _ in 0..count {
            let (instruction, of) = (word(at)? as usize / 8, word(at + 4)?);
            let (path, kind) = (types.text(word(at + 8)?).to_owned(), word(at + 12)?);
            if kind != BYTE_OFFSET {
                return refused(format!("{section}: relocation of kind {kind} is not supported"));
            }
            open.push(Open { section: section.clone(), instruction, of, path });
            at += size;
        }
    }
    Ok(open)
}

impl Open {
    /// The offset in the kernel, in bytes.
    pub(crate) fn offset(&self, own: &Types, kernel: &Types) -> Result<u32, Refused> {
        let not_covered =
            || Refused(format!("{}: field {} is not supported", self.section, self.path));
        let mut steps = self.path.split(':').map(str::parse::<usize>);
        if steps.next() != Some(Ok(0)) {
            return Err(not_covered());
        }
        let mut ours = own.resolved(self.of).ok_or_else(not_covered)?;
        let name = own.name_of(ours).split("___").next().unwrap_or_default();
        let found = kernel.named(STRUCT, name).and_then(|number| kernel.get(number));
        let mut theirs =
            found.ok_or_else(|| Refused(format!("this kernel has no structure {name}")))?;
        let mut bits = 0;
        for step in steps {
            let place = step.map_err(|_| not_covered())?;
            let member = ours.members.get(place).ok_or_else(not_covered)?;
            let field = own.member_name(member);
            let (begin, of) = kernel.member(theirs, field).ok_or_else(|| {
                Refused(format!("{} of this kernel has no field {field}", kernel.name_of(theirs)))
            })?;
            bits += begin;
            (ours, theirs) = (
                own.resolved(member.of).ok_or_else(not_covered)?,
                kernel.resolved(of).ok_or_else(not_covered)?,
            );
        }
        if bits % 8 == 0 { Ok(bits / 8) } else { Err(not_covered()) }
    }

    /// Writes the offset into the instruction.
    pub(crate) fn fill(&self, instruction: &mut Instruction, offset: u32) -> Result<(), Refused> {
        const CLASS: u8 = 7;
        let too_far = |_| {
            Refused(format!("{}: the offset of field {} does not fit", self.section, self.path))
        };
        match instruction.code & CLASS {
            // Loads and stores.
            1..=3 => instruction.offset = i16::try_from(offset).map_err(too_far)?,
            // Sums.
            4 | 7 => instruction.constant = i32::try_from(offset).map_err(too_far)?,
            _ => {
                return refused(format!(
                    "{}: instruction {} has no offset",
                    self.section, self.instruction
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btf::tests::types;

    fn open(path: &str) -> Open {
        Open { section: "s".to_owned(), instruction: 0, of: 3, path: path.to_owned() }
    }

    #[test]
    fn a_field_is_where_the_kernel_has_it() {
        // Ours: what we know of it, under another name; the kernel's: more, and in another order.
        let own = types(&[
            (STRUCT, "inner", 4, &[("deep", 1, 0)]),
            (STRUCT, "thread___small", 8, &[("priority", 1, 0), ("inner", 2, 32)]),
        ]);
        let kernel = types(&[
            (STRUCT, "inner", 8, &[("new", 1, 0), ("deep", 1, 32)]),
            (STRUCT, "thread", 16, &[("inner", 2, 0), ("state", 1, 64), ("priority", 1, 96)]),
        ]);
        let (own, kernel) =
            (Types::read(&own).expect("types"), Types::read(&kernel).expect("types"));
        assert_eq!(open("0:0").offset(&own, &kernel), Ok(12));
        assert_eq!(open("0:1:0").offset(&own, &kernel), Ok(4));
        assert!(open("1:0").offset(&own, &kernel).is_err(), "an array of threads");
        assert!(open("0:2").offset(&own, &kernel).is_err(), "there is no third member");
        let none = Types::read(&types(&[])).expect("types");
        let Err(Refused(why)) = open("0:0").offset(&own, &none) else { panic!("no structure") };
        assert_eq!(why, "this kernel has no structure thread");
    }
}
