//! bpf(2): maps, programs, and where these are put; memory that is shared with the kernel.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

const CREATE_MAP: i64 = 0;
const LOAD: i64 = 5;
const INFORMATION: i64 = 15;
const AT_TRACEPOINT: i64 = 17;

/// An array of values that can be mapped.
const VALUES: u32 = 2;
const CAN_BE_MAPPED: u32 = 1 << 10;
/// A program that traces, at a tracepoint whose type is known.
const TRACES: u32 = 26;
const TYPED_TRACEPOINT: u32 = 23;
/// The verifier says what it found.
const SAYS: u32 = 1;
const SAID: u32 = 1 << 16;

/// What bpf(2) is told, in its words of eight bytes; the rest is zero.
type Told = [u64; 16];

fn pair(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

#[expect(unsafe_code, reason = "there is no safe call for bpf(2)")]
fn call(command: i64, told: &mut Told) -> io::Result<i64> {
    // SAFETY: addresses in `told` are of memory that the callers below keep until the call has returned.
    let result =
        unsafe { libc::syscall(libc::SYS_bpf, command, told.as_mut_ptr(), size_of::<Told>()) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

#[expect(unsafe_code, reason = "a number becomes a file")]
fn opened(command: i64, told: &mut Told) -> io::Result<OwnedFd> {
    let file = RawFd::try_from(call(command, told)?).map_err(io::Error::other)?;
    // SAFETY: the call has made this file for its caller.
    Ok(unsafe { OwnedFd::from_raw_fd(file) })
}

fn number(file: &OwnedFd) -> u32 {
    file.as_raw_fd().unsigned_abs()
}

fn address<T: ?Sized>(of: *const T) -> u64 {
    of.cast::<u8>().addr() as u64
}

/// So many values of so many bytes each, one behind the other, that both sides see.
pub(crate) fn shared(length: u32, count: u32) -> io::Result<OwnedFd> {
    let mut told = [0; 16];
    (told[0], told[1], told[2]) = (pair(VALUES, 4), pair(length, count), pair(CAN_BE_MAPPED, 0));
    opened(CREATE_MAP, &mut told)
}

/// Loads a program for a tracepoint, by the number of its type.
///
/// # Errors
/// The kernel refuses it: why, with the last line that its verifier says.
pub(crate) fn load(code: &[u64], licence: &CStr, tracepoint: u32) -> io::Result<OwnedFd> {
    let mut told = [0; 16];
    let length = u32::try_from(code.len()).map_err(io::Error::other)?;
    (told[0], told[1], told[2]) = (pair(TRACES, length), address(code), address(licence.as_ptr()));
    told[8] = pair(0, TYPED_TRACEPOINT);
    told[13] = pair(0, tracepoint);
    opened(LOAD, &mut told).map_err(|why| {
        let mut said = vec![0_u8; SAID as usize];
        told[3] = pair(SAYS, SAID);
        told[4] = address(said.as_mut_ptr());
        let _ = opened(LOAD, &mut told);
        let end = said.iter().position(|byte| *byte == 0).unwrap_or(said.len());
        let said = String::from_utf8_lossy(&said[..end]);
        let mut lines = said.lines().rev();
        let last = lines.find(|line| !line.trim().is_empty() && !line.starts_with("processed"));
        io::Error::new(why.kind(), format!("{why} {}", last.unwrap_or_default()))
    })
}

/// Puts a program at its tracepoint, until the result is dropped.
pub(crate) fn put(program: &OwnedFd) -> io::Result<OwnedFd> {
    let mut told = [0; 16];
    told[1] = pair(number(program), 0);
    opened(AT_TRACEPOINT, &mut told)
}

/// How often a program was not run because it ran already; 0 where a kernel does not say so.
pub(crate) fn missed(program: &OwnedFd) -> io::Result<u64> {
    /// The word that says it, as of Linux 5.12.
    const MISSED: usize = 26;
    let mut information = [0_u64; MISSED + 1];
    let mut told = [0; 16];
    let length = size_of_val(&information);
    told[0] = pair(number(program), u32::try_from(length).map_err(io::Error::other)?);
    told[1] = address(information.as_mut_ptr());
    call(INFORMATION, &mut told)?;
    Ok(information[MISSED])
}

/// Memory of a map.
#[derive(Debug)]
pub(crate) struct Mapped {
    begin: NonNull<u8>,
    length: usize,
}

impl Mapped {
    /// Memory of a map.
    #[expect(unsafe_code, reason = "there is no safe call for mmap(2)")]
    pub(crate) fn of(map: &OwnedFd, length: usize) -> io::Result<Self> {
        let (access, from) = (libc::PROT_READ | libc::PROT_WRITE, 0);
        let (nowhere, file) = (std::ptr::null_mut(), map.as_raw_fd());
        // SAFETY: new memory at a place of the kernel's choice, which nothing else has.
        let begin = unsafe { libc::mmap(nowhere, length, access, libc::MAP_SHARED, file, from) };
        if begin == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let begin = NonNull::new(begin.cast()).ok_or_else(|| io::Error::other("it is nowhere"))?;
        Ok(Self { begin, length })
    }

    /// Eight bytes that both sides write or read at once.
    #[expect(unsafe_code, reason = "the kernel writes there, too")]
    pub(crate) fn long(&self, at: usize) -> &AtomicU64 {
        assert!(at.is_multiple_of(8) && at + 8 <= self.length, "{at} is in the memory");
        // SAFETY: it is in the memory, which is of pages, so that eight bytes are where they may be.
        unsafe { self.begin.add(at).cast::<AtomicU64>().as_ref() }
    }

    /// Bytes that the kernel does not write any more.
    #[expect(unsafe_code, reason = "the kernel writes beside them")]
    pub(crate) fn bytes(&self, at: usize, length: usize) -> &[u8] {
        assert!(
            at.checked_add(length).is_some_and(|end| end <= self.length),
            "it is in the memory"
        );
        // SAFETY: it is in the memory. Callers ask for what the kernel has handed on and they have not given back.
        unsafe { std::slice::from_raw_parts(self.begin.add(at).as_ptr(), length) }
    }
}

impl Drop for Mapped {
    #[expect(unsafe_code, reason = "there is no safe call for munmap(2)")]
    fn drop(&mut self) {
        // SAFETY: this memory is of this value only, and nothing borrows it any more.
        unsafe { libc::munmap(self.begin.as_ptr().cast(), self.length) };
    }
}

/// The length of a page.
#[expect(unsafe_code, reason = "there is no safe call for sysconf(3)")]
pub(crate) fn page() -> usize {
    // SAFETY: it reads a constant.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// The clock by which programs take times (`bpf_ktime_get_ns`), in nanoseconds.
#[expect(unsafe_code, reason = "there is no safe call for clock_gettime(2)")]
pub(crate) fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes into `time`.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    seconds * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or_default()
}
