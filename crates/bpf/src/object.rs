//! An object file of the compiler: programs, variables and a set of operations, with their relocations.

use crate::btf::{STRUCT, Types, VAR};
use crate::field::{Open, open_places};
use crate::{Refused, refused};
use object::elf::{R_BPF_64_32, R_BPF_64_64};
use object::{
    Object as _, ObjectSection as _, ObjectSymbol as _, RelocationFlags, RelocationTarget,
    SectionKind, SymbolSection,
};
use std::collections::BTreeMap;

/// The section of the set of operations.
const OPERATIONS: &str = ".struct_ops.link";
/// Where an address of a program stands in data (`R_BPF_64_ABS64`).
const ADDRESS: u32 = 2;
const BYTES: usize = 8;

/// An instruction (`struct bpf_insn`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    pub(crate) code: u8,
    /// Destination in the lower half, source in the upper one.
    pub(crate) registers: u8,
    pub(crate) offset: i16,
    pub(crate) constant: i32,
}

/// The symbol that an instruction refers to until it is relocated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reference {
    /// A byte of a section of variables.
    Variable { section: String, at: u32 },
    /// A function of the kernel.
    Function(String),
}

/// A program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) section: String,
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) references: Vec<(usize, Reference)>,
}

/// The set of operations, as the object file defines it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operations {
    /// The kernel's name of its structure.
    pub(crate) structure: String,
    /// Fields that hold values, with their bytes.
    pub(crate) values: Vec<(String, Vec<u8>)>,
    /// Fields that hold programs, with their names.
    pub(crate) programs: Vec<(String, String)>,
}

/// An object file.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) types: Types,
    pub(crate) programs: Vec<Program>,
    /// Sections of variables, with their initial values.
    pub(crate) sections: BTreeMap<String, Vec<u8>>,
    /// Where each variable is: section, first byte, size.
    pub(crate) variables: BTreeMap<String, (String, usize, usize)>,
    pub(crate) operations: Operations,
    /// Offsets of fields that are to be relocated.
    pub(crate) open: Vec<Open>,
    /// The text of the license, with its zero byte.
    pub(crate) license: Vec<u8>,
}

impl Object {
    /// Reads an object file.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let file = object::File::parse(bytes).map_err(wrong)?;
        let section = |name: &str| -> Result<Vec<u8>, Refused> {
            let section = file
                .section_by_name(name)
                .ok_or_else(|| Refused(format!("the object has no section {name}")))?;
            Ok(section.uncompressed_data().map_err(wrong)?.into_owned())
        };
        let types = Types::read(&section(".BTF")?)?;
        let open = open_places(&section(".BTF.ext")?, &types)?;
        let license = section("license")?;
        let mut object = Self {
            types,
            programs: Vec::new(),
            sections: BTreeMap::new(),
            variables: BTreeMap::new(),
            operations: Operations::default(),
            open,
            license,
        };
        for section in file.sections() {
            let name = section.name().map_err(wrong)?;
            if name.starts_with("struct_ops/") || name.starts_with("struct_ops.s/") {
                object.programs.push(program(&file, &section)?);
            } else if [".bss", ".data", ".rodata"].contains(&name) {
                let bytes = match section.kind() {
                    SectionKind::UninitializedData => vec![0; size(section.size())?],
                    _ => section.data().map_err(wrong)?.to_vec(),
                };
                object.sections.insert(name.to_owned(), bytes);
            } else if section.kind() == SectionKind::Text && section.size() > 0 {
                return refused(format!("section {name} is not supported: only struct_ops are"));
            }
        }
        for symbol in file.symbols() {
            let (Ok(name), Some(index)) = (symbol.name(), symbol.section_index()) else { continue };
            let section = file.section_by_index(index).map_err(wrong)?.name().map_err(wrong)?;
            if object.sections.contains_key(section) && symbol.is_definition() {
                let place = (section.to_owned(), size(symbol.address())?, size(symbol.size())?);
                object.variables.insert(name.to_owned(), place);
            }
        }
        object.operations = operations(&file, &object.types)?;
        Ok(object)
    }
}

/// The program of a section.
fn program(file: &object::File, section: &object::Section) -> Result<Program, Refused> {
    let name = section.name().map_err(wrong)?.to_owned();
    let here = SymbolSection::Section(section.index());
    let mut symbols = file
        .symbols()
        .filter(|symbol| symbol.section() == here && symbol.kind() == object::SymbolKind::Text);
    let (Some(symbol), None) = (symbols.next(), symbols.next()) else {
        return refused(format!("section {name} does not hold exactly one function"));
    };
    let bytes = section.data().map_err(wrong)?;
    let instructions: Vec<Instruction> = bytes.chunks_exact(BYTES).map(instruction).collect();
    let mut references = Vec::new();
    for (at, relocation) in section.relocations() {
        let place = size(at)? / BYTES;
        let Some(open) = instructions.get(place) else {
            return refused(format!("{name}: a relocation is outside the section"));
        };
        let RelocationTarget::Symbol(target) = relocation.target() else {
            return refused(format!("{name}: a relocation without a symbol"));
        };
        let target = file.symbol_by_index(target).map_err(wrong)?;
        let called = target.name().map_err(wrong)?;
        let RelocationFlags::Elf { r_type } = relocation.flags() else {
            return refused(format!("{name}: not an ELF file"));
        };
        let reference = match (r_type, target.section_index()) {
            (R_BPF_64_32, None) => Reference::Function(called.to_owned()),
            (R_BPF_64_64, Some(index)) => {
                let variables = file.section_by_index(index).map_err(wrong)?;
                let from_symbol = i64::from(open.constant);
                let at = i64::try_from(target.address()).map_err(wrong)? + from_symbol;
                Reference::Variable {
                    section: variables.name().map_err(wrong)?.to_owned(),
                    at: u32::try_from(at).map_err(wrong)?,
                }
            }
            _ => return refused(format!("{name}: the relocation of {called} is not supported")),
        };
        references.push((place, reference));
    }
    let name_of_program = symbol.name().map_err(wrong)?.to_owned();
    Ok(Program { name: name_of_program, section: name, instructions, references })
}

/// The one set of operations.
fn operations(file: &object::File, types: &Types) -> Result<Operations, Refused> {
    let none = || Refused(format!("the object has no operations in {OPERATIONS}"));
    let section = file.section_by_name(OPERATIONS).ok_or_else(none)?;
    let here = Some(section.index());
    let mut symbols = file.symbols().filter(|symbol| {
        symbol.section_index() == here && symbol.kind() == object::SymbolKind::Data
    });
    let (Some(symbol), None) = (symbols.next(), symbols.next()) else {
        return refused("the object does not have exactly one set of operations");
    };
    let name = symbol.name().map_err(wrong)?;
    let variable = types.named(VAR, name).and_then(|number| types.get(number)).ok_or_else(none)?;
    let structure = types.resolved(variable.reference).filter(|of| of.kind == STRUCT);
    let structure = structure.ok_or_else(none)?;
    let mut programs = BTreeMap::new();
    for (at, relocation) in section.relocations() {
        let (RelocationTarget::Symbol(target), RelocationFlags::Elf { r_type: ADDRESS }) =
            (relocation.target(), relocation.flags())
        else {
            return refused(format!("{name}: the relocation of an address is not supported"));
        };
        let target = file.symbol_by_index(target).map_err(wrong)?.name().map_err(wrong)?;
        programs.insert(at, target.to_owned());
    }
    let bytes = section.data().map_err(wrong)?;
    let begin = symbol.address();
    let mut found = Operations {
        structure: types.name_of(structure).split("___").next().unwrap_or_default().to_owned(),
        ..Operations::default()
    };
    let mut ends: Vec<u32> = structure.members.iter().skip(1).map(|next| next.bits / 8).collect();
    ends.push(structure.reference);
    for (member, end) in structure.members.iter().zip(ends) {
        let field = types.member_name(member).to_owned();
        let at = u64::from(member.bits / 8);
        if let Some(program) = programs.remove(&(begin + at)) {
            found.programs.push((field, program));
            continue;
        }
        let (from, to) = (size(begin + at)?, size(begin + u64::from(end))?);
        let value = bytes.get(from..to).ok_or_else(none)?;
        // What is not said stays zero.
        if value.iter().any(|&byte| byte != 0) {
            found.values.push((field, value.to_vec()));
        }
    }
    match programs.into_values().next() {
        Some(program) => refused(format!("{name}: no field refers to the program {program}")),
        None => Ok(found),
    }
}

fn instruction(bytes: &[u8]) -> Instruction {
    Instruction {
        code: bytes[0],
        registers: bytes[1],
        offset: i16::from_le_bytes([bytes[2], bytes[3]]),
        constant: i32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]),
    }
}

impl Instruction {
    /// As the kernel reads it.
    pub(crate) fn bytes(self) -> [u8; BYTES] {
        let (offset, constant) = (self.offset.to_le_bytes(), self.constant.to_le_bytes());
        let [a, b, c, d] = constant;
        [self.code, self.registers, offset[0], offset[1], a, b, c, d]
    }
}

fn size(number: u64) -> Result<usize, Refused> {
    usize::try_from(number).map_err(wrong)
}

fn wrong(why: impl std::fmt::Display) -> Refused {
    Refused(format!("the object file: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_is_written_as_it_was_read() {
        let bytes = [0x18, 0x21, 0xfe, 0xff, 1, 2, 3, 0x84];
        assert_eq!(instruction(&bytes).bytes(), bytes);
        assert_eq!(instruction(&bytes).offset, -2);
    }

    #[test]
    fn what_is_no_object_is_refused() {
        assert!(Object::read(b"").is_err());
        assert!(Object::read(b"\x7fELF and then nothing of it").is_err());
    }
}
