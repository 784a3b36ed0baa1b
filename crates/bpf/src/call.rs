//! `bpf(2)`, which no library written in Rust alone wraps safely.
//!
//! Attributes are a union of structures, one for each command, which the kernel takes by their length;
//! here they are words at their places (`include/uapi/linux/bpf.h`).
#![expect(unsafe_code, reason = "a system call without a wrapper")]

use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd};

const MAP_CREATE: libc::c_long = 0;
const MAP_LOOKUP: libc::c_long = 1;
const MAP_UPDATE: libc::c_long = 2;
const PROG_LOAD: libc::c_long = 5;
const BTF_LOAD: libc::c_long = 18;
const LINK_CREATE: libc::c_long = 28;

const MAP_TYPE_ARRAY: u32 = 2;
const MAP_TYPE_STRUCT_OPS: u32 = 26;
const PROG_TYPE_STRUCT_OPS: u32 = 27;
const ATTACH_STRUCT_OPS: u32 = 44;
/// It takes effect by a link.
const MAP_BY_LINK: u32 = 1 << 13;
const PROG_MAY_SLEEP: u32 = 1 << 4;

/// Room for the log of the verifier.
const SAID: usize = 64 * 1024;

/// Attributes: longer than any command needs; the kernel requires zeros after the fields that it knows.
struct Attributes([u8; 128]);

impl Attributes {
    fn new() -> Self {
        Self([0; 128])
    }

    fn word(mut self, at: usize, word: u32) -> Self {
        self.0[at..at + 4].copy_from_slice(&word.to_ne_bytes());
        self
    }

    fn file(self, at: usize, file: BorrowedFd) -> Self {
        self.word(at, file.as_raw_fd().cast_unsigned())
    }

    fn place(mut self, at: usize, place: *const u8) -> Self {
        self.0[at..at + 8].copy_from_slice(&(place as u64).to_ne_bytes());
        self
    }

    /// A name as the kernel takes it: 15 letters.
    fn name(mut self, at: usize, name: &str) -> Self {
        let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.';
        let bytes: Vec<u8> = name.bytes().filter(allowed).take(15).collect();
        self.0[at..at + bytes.len()].copy_from_slice(&bytes);
        self
    }

    /// # Safety
    /// Each pointer leads to as many bytes as the kernel reads or writes for this command.
    unsafe fn call(mut self, command: libc::c_long) -> io::Result<i32> {
        let (place, length) = (self.0.as_mut_ptr(), self.0.len());
        // SAFETY: attributes of this length, and places that the caller answers for.
        let result = unsafe { libc::syscall(libc::SYS_bpf, command, place, length) };
        i32::try_from(result)
            .ok()
            .filter(|&result| result >= 0)
            .ok_or_else(io::Error::last_os_error)
    }

    /// # Safety
    /// As `call`, for a command that returns a file.
    unsafe fn open(self, command: libc::c_long) -> io::Result<OwnedFd> {
        // SAFETY: the caller answers for both.
        unsafe { self.call(command).map(|file| OwnedFd::from_raw_fd(file)) }
    }
}

/// An array of one value.
pub(crate) fn variables(name: &str, size: u32) -> io::Result<OwnedFd> {
    let attributes = Attributes::new()
        .word(0, MAP_TYPE_ARRAY)
        .word(4, 4)
        .word(8, size)
        .word(12, 1)
        .name(28, name);
    // SAFETY: no places; the command returns a file.
    unsafe { attributes.open(MAP_CREATE) }
}

/// Types of a program.
pub(crate) fn types(bytes: &[u8]) -> io::Result<OwnedFd> {
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    let attributes = Attributes::new().place(0, bytes.as_ptr()).word(16, length);
    // SAFETY: bytes of the length that is stated, which are read only; the command returns a file.
    unsafe { attributes.open(BTF_LOAD) }
}

/// A set of operations, of a type of the kernel with this size. The kernel requires type information
/// with it, but does not use it.
pub(crate) fn operations(
    name: &str,
    number: u32,
    size: u32,
    types: BorrowedFd,
) -> io::Result<OwnedFd> {
    let attributes = Attributes::new()
        .word(0, MAP_TYPE_STRUCT_OPS)
        .word(4, 4)
        .word(8, size)
        .word(12, 1)
        .word(16, MAP_BY_LINK)
        .name(28, name)
        .file(48, types)
        .word(60, number);
    // SAFETY: no places; the command returns a file.
    unsafe { attributes.open(MAP_CREATE) }
}

/// Sets the one value of a map, which is of this length.
pub(crate) fn set(map: BorrowedFd, value: &[u8]) -> io::Result<()> {
    let key = 0_u32.to_ne_bytes();
    let attributes =
        Attributes::new().file(0, map).place(8, key.as_ptr()).place(16, value.as_ptr());
    // SAFETY: the map was made with keys of four bytes and values of this length; both are read only.
    unsafe { attributes.call(MAP_UPDATE).map(drop) }
}

/// The one value of a map, which is of this length.
pub(crate) fn get(map: BorrowedFd, length: usize) -> io::Result<Vec<u8>> {
    let key = 0_u32.to_ne_bytes();
    // The kernel writes values in multiples of eight bytes.
    let mut value = vec![0; length.next_multiple_of(8)];
    let place = value.as_mut_ptr().cast_const();
    let attributes = Attributes::new().file(0, map).place(8, key.as_ptr()).place(16, place);
    // SAFETY: the map was made with keys of four bytes and values that find room here.
    unsafe { attributes.call(MAP_LOOKUP)? };
    value.truncate(length);
    Ok(value)
}

/// What a program is for.
pub(crate) struct Purpose<'a> {
    pub(crate) name: &'a str,
    /// The number of the type of its set of operations.
    pub(crate) operations: u32,
    /// The place of its operation in it.
    pub(crate) place: u32,
    pub(crate) may_sleep: bool,
}

/// Loads a program; if it is refused, with the log of the verifier.
pub(crate) fn program(
    purpose: &Purpose,
    instructions: &[u8],
    license: &[u8],
) -> Result<OwnedFd, (io::Error, String)> {
    let count = u32::try_from(instructions.len() / 8).unwrap_or(u32::MAX);
    assert_eq!(license.last(), Some(&0), "the kernel reads up to a zero byte");
    let mut said = vec![0; SAID];
    let place = said.as_mut_ptr().cast_const();
    let length = u32::try_from(SAID).expect("a small number");
    let attributes = Attributes::new()
        .word(0, PROG_TYPE_STRUCT_OPS)
        .word(4, count)
        .place(8, instructions.as_ptr())
        .place(16, license.as_ptr())
        .word(24, 1)
        .word(28, length)
        .place(32, place)
        .word(44, if purpose.may_sleep { PROG_MAY_SLEEP } else { 0 })
        .name(48, purpose.name)
        .word(68, purpose.place)
        .word(108, purpose.operations);
    // SAFETY: `count` instructions of eight bytes, a license that ends with a zero byte, and room of the
    // length that is stated; the command returns a file.
    let loaded = unsafe { attributes.open(PROG_LOAD) };
    loaded.map_err(|why| {
        let end = said.iter().position(|&byte| byte == 0).unwrap_or(said.len());
        (why, String::from_utf8_lossy(&said[..end]).into_owned())
    })
}

/// Puts a set of operations into effect, until the file is closed.
pub(crate) fn link(map: BorrowedFd) -> io::Result<OwnedFd> {
    let attributes = Attributes::new().file(0, map).word(8, ATTACH_STRUCT_OPS);
    // SAFETY: no places; the command returns a file.
    unsafe { attributes.open(LINK_CREATE) }
}
