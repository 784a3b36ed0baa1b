//! Taking memory out of all caches, from user space.
//!
//! x86-64 has `clflush`, which every program may use. Elsewhere the kernel may not allow one (`dc civac` of
//! Arm depends on it, RISC-V needs an extension), and the flushed state is omitted there.

use super::memory::Line;

/// Whether there is a way.
pub const EXISTS: bool = cfg!(target_arch = "x86_64");

/// Writes these lines back and takes them out of every cache of every core.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the flush is an intrinsic")]
pub fn flush(lines: &[Line]) {
    use core::arch::x86_64::{_mm_clflush, _mm_mfence};
    for line in lines {
        // SAFETY: every x86-64 processor has the instruction; the address is that of a live line,
        // and flushing changes where its value is, never the value.
        unsafe { _mm_clflush(std::ptr::from_ref(line).cast()) };
    }
    // SAFETY: as above; a fence touches no memory.
    unsafe { _mm_mfence() };
}

/// Does nothing: see [`EXISTS`].
#[cfg(not(target_arch = "x86_64"))]
pub fn flush(_lines: &[Line]) {}
