//! Loads sets of BPF programs that stand for a set of operations of the kernel (`struct_ops`): a
//! scheduler of `sched_ext`, say.
//!
//! **For.** Guests of the lab are one static program; the usual library is C, and needs others that
//! cannot be linked statically.
//!
//! **Model.** An object file as `clang -target bpf -g` writes it, with conventions of libbpf, which loads the same
//! file: programs in sections `struct_ops/…` (`struct_ops.s/…` may sleep), a set of operations in
//! `.struct_ops.link`, global variables in `.bss`, `.data` and `.rodata`, `license`.
//!
//! ```text
//! object file   ──► programs, variables, operations, relocations
//! kernel's BTF  ──► numbers of its functions, offsets of its fields   (/sys/kernel/btf/vmlinux)
//!                   relocated ─────────► bpf(2): maps, programs, operations, link
//! ```
//!
//! **Assumptions.** 1. The kernel has BTF, and is as little-endian as this program. 2. Fields are
//! found by the names of their structure and themselves (CO-RE); a structure `x___y` of the object
//! stands for `x` of the kernel. 3. One set of operations in an object.
//!
//! **Not covered**, and refused by name: maps that are declared, functions that are not inlined,
//! other kinds of programs, other relocations than the offset of a field.
//!
//! **Reference.** `Documentation/bpf/btf.rst`, `Documentation/bpf/llvm_reloc.rst` of the kernel.

mod btf;
mod call;
mod field;
mod load;
mod object;

pub use load::Attached;

use std::fmt;

/// Why a set of programs cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// What is wrong, as a result.
fn refused<T>(why: impl Into<String>) -> Result<T, Refused> {
    Err(Refused(why.into()))
}
