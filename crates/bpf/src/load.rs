//! An object is loaded and put into effect.

use crate::btf::{self, FUNC, STRUCT, Types};
use crate::call::{self, Purpose};
use crate::object::{Instruction, Object, Program, Reference};
use crate::{Refused, refused};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::path::Path;

/// The types of the running kernel.
const KERNEL: &str = "/sys/kernel/btf/vmlinux";

/// Values of the source register of a load, which say what its constant is (`BPF_PSEUDO_MAP_VALUE`,
/// `BPF_PSEUDO_KFUNC_CALL`).
const MAP_VALUE: u8 = 2;
const KERNEL_FUNCTION: u8 = 2;

/// A set of programs that is in effect until this is dropped.
#[derive(Debug)]
pub struct Attached {
    link: Option<OwnedFd>,
    maps: BTreeMap<String, (OwnedFd, usize)>,
    variables: BTreeMap<String, (String, usize, usize)>,
}

impl Attached {
    /// Loads the set of programs of an object file, and puts it into effect.
    ///
    /// # Errors
    /// The file has something that is not supported, or the kernel refuses it: then with the log of its verifier.
    pub fn load(path: &Path) -> Result<Self, Refused> {
        let read = |path: &Path| {
            fs::read(path).map_err(|why| Refused(format!("{}: {why}", path.display())))
        };
        let mut object = Object::read(&read(path)?)?;
        let kernel = Types::read(&read(Path::new(KERNEL))?)?;
        let mut maps = BTreeMap::new();
        for (name, begins) in &object.sections {
            maps.insert(name.clone(), (section(name, begins)?, begins.len()));
        }
        fill_fields(&mut object, &kernel)?;
        let operations = operations(&object, &kernel, &maps)?;
        let link = call::link(operations.as_fd()).map_err(|why| {
            Refused(format!("the kernel does not use {}: {why}", object.operations.structure))
        })?;
        Ok(Self { link: Some(link), maps, variables: object.variables })
    }

    /// Takes the programs out of effect; their variables can be read still.
    pub fn detach(&mut self) {
        self.link = None;
    }

    /// A variable of eight bytes.
    ///
    /// # Errors
    /// There is none, or the kernel does not say what it is.
    pub fn variable(&self, name: &str) -> Result<u64, Refused> {
        let found = self.variables.get(name).filter(|(.., size)| *size == 8);
        let Some((section, at, _)) = found else {
            return refused(format!("the programs have no variable {name} of eight bytes"));
        };
        let (map, length) = &self.maps[section];
        let bytes = call::get(map.as_fd(), *length).map_err(|why| Refused(why.to_string()))?;
        let eight = bytes.get(*at..at + 8).and_then(|eight| eight.try_into().ok());
        let eight = eight.ok_or_else(|| Refused(format!("{name} is not in its section")))?;
        Ok(u64::from_le_bytes(eight))
    }
}

/// A map with the initial values of a section.
fn section(name: &str, begins: &[u8]) -> Result<OwnedFd, Refused> {
    let size = u32::try_from(begins.len()).map_err(|_| Refused(format!("{name} is too large")))?;
    let refuse =
        |why: io::Error| Refused(format!("the kernel does not create a map for {name}: {why}"));
    let map = call::variables(name, size).map_err(refuse)?;
    call::set(map.as_fd(), begins).map_err(refuse)?;
    Ok(map)
}

/// Writes the offsets of fields into the programs.
fn fill_fields(object: &mut Object, kernel: &Types) -> Result<(), Refused> {
    for open in &object.open {
        let offset = open.offset(&object.types, kernel)?;
        let program = object.programs.iter_mut().find(|program| program.section == open.section);
        let place = program.and_then(|program| program.instructions.get_mut(open.instruction));
        let place = place.ok_or_else(|| {
            Refused(format!("the object has no instruction for the relocation {open:?}"))
        })?;
        open.fill(place, offset)?;
    }
    Ok(())
}

/// Loads the programs, and the set of operations that they are.
fn operations(
    object: &Object,
    kernel: &Types,
    maps: &BTreeMap<String, (OwnedFd, usize)>,
) -> Result<OwnedFd, Refused> {
    let name = &object.operations.structure;
    let missing =
        |what: &str| Refused(format!("this kernel has no {what}, which the programs are for"));
    let structure = |name: &str| {
        let number = kernel.named(STRUCT, name)?;
        Some((number, kernel.get(number)?))
    };
    let (number, of) = structure(name).ok_or_else(|| missing(name))?;
    // What the kernel keeps in the map: its own state, then the operations.
    let kept_name = format!("bpf_struct_ops_{name}");
    let (kept_number, kept) = structure(&kept_name).ok_or_else(|| missing(&kept_name))?;
    let (data, _) = kernel.member(kept, "data").ok_or_else(|| missing("data"))?;
    let mut value = vec![0; kept.reference as usize];
    let mut put = |field: &str, bytes: &[u8]| -> Result<(), Refused> {
        let (bits, _) = kernel.member(of, field).ok_or_else(|| missing(field))?;
        let at = ((data + bits) / 8) as usize;
        let place = value.get_mut(at..at + bytes.len()).ok_or_else(|| missing(field))?;
        place.copy_from_slice(bytes);
        Ok(())
    };
    for (field, bytes) in &object.operations.values {
        put(field, bytes)?;
    }
    // The kernel keeps the programs; they are closed when they stand in the map.
    let mut programs = Vec::new();
    for (field, program) in &object.operations.programs {
        let found = object.programs.iter().find(|one| one.name == *program);
        let program = found.ok_or_else(|| Refused(format!("there is no program {program}")))?;
        let place = of.members.iter().position(|member| kernel.member_name(member) == field);
        let place = place.and_then(|place| u32::try_from(place).ok());
        let purpose = Purpose {
            name: &program.name,
            operations: number,
            place: place.ok_or_else(|| missing(field))?,
            may_sleep: program.section.starts_with("struct_ops.s/"),
        };
        let instructions = filled(program, kernel, maps)?;
        let loaded = call::program(&purpose, &instructions, &object.license)
            .map_err(|(why, said)| Refused(format!("the kernel refuses {field}: {why}\n{said}")))?;
        put(field, &i64::from(loaded.as_raw_fd()).to_le_bytes())?;
        programs.push(loaded);
    }
    let refuse = |what: &'static str| {
        move |why: io::Error| Refused(format!("the kernel {what} {name}: {why}"))
    };
    let types = call::types(&btf::smallest()).map_err(refuse("does not accept the types of"))?;
    let map = call::operations(name, kept_number, kept.reference, types.as_fd())
        .map_err(refuse("does not create a map for"))?;
    call::set(map.as_fd(), &value).map_err(refuse("does not accept the values of"))?;
    Ok(map)
}

/// The instructions of a program, with what they refer to.
fn filled(
    program: &Program,
    kernel: &Types,
    maps: &BTreeMap<String, (OwnedFd, usize)>,
) -> Result<Vec<u8>, Refused> {
    let mut instructions = program.instructions.clone();
    let source = |instruction: &mut Instruction, is: u8| {
        instruction.registers = instruction.registers & 0x0f | is << 4;
    };
    for (place, reference) in &program.references {
        match reference {
            Reference::Variable { section, at } => {
                let (map, _) = maps
                    .get(section)
                    .ok_or_else(|| Refused(format!("{section} holds no variables")))?;
                // An address takes two instructions: the map, and the byte in its value.
                let Some([first, second]) = instructions.get_mut(*place..place + 2) else {
                    return refused("an address is truncated");
                };
                source(first, MAP_VALUE);
                first.constant = map.as_raw_fd();
                second.constant = at.cast_signed();
            }
            Reference::Function(name) => {
                let number = kernel.named(FUNC, name);
                let number =
                    number.ok_or_else(|| Refused(format!("this kernel has no function {name}")))?;
                let call = &mut instructions[*place];
                source(call, KERNEL_FUNCTION);
                call.constant = number.cast_signed();
            }
        }
    }
    Ok(instructions.into_iter().flat_map(Instruction::bytes).collect())
}
