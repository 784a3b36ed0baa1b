//! System calls without safe wrappers: shared memory, futexes, numbers of threads that do not change
//! hands.

use std::io;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd};
use std::sync::atomic::{AtomicU32, AtomicU64};

/// `PIDFD_THREAD` (Linux 6.9): one thread, not its process.
const PIDFD_THREAD: libc::c_uint = libc::O_EXCL as libc::c_uint;

/// Bytes of a page of x86-64, the only processors whose guests have such interrupts.
const PAGE: usize = 4096;

/// Memory that other processes can be given, of that many bytes; inherited by programs that are started.
#[expect(unsafe_code, reason = "a call that returns a file")]
pub(super) fn memory(bytes: usize) -> io::Result<OwnedFd> {
    // SAFETY: the name ends with a zero; the number that is returned has no other owner.
    let file = unsafe {
        let number = libc::memfd_create(c"vorrang-host".as_ptr(), 0);
        if number < 0 {
            return Err(io::Error::last_os_error());
        }
        OwnedFd::from_raw_fd(number)
    };
    let length = libc::off_t::try_from(bytes).expect("a few pages");
    // SAFETY: it changes the length of a file of ours.
    match unsafe { libc::ftruncate(file.as_raw_fd(), length) } {
        0 => Ok(file),
        _ => Err(io::Error::last_os_error()),
    }
}

/// A file that was inherited.
///
/// # Errors
/// There is none of that number.
#[expect(unsafe_code, reason = "a number from the command line becomes a file")]
pub(super) fn inherited(number: i32) -> io::Result<OwnedFd> {
    // SAFETY: reading the flags of a number that may not be open has no effect.
    if number < 0 || unsafe { libc::fcntl(number, libc::F_GETFD) } < 0 {
        return Err(io::ErrorKind::NotFound.into());
    }
    // SAFETY: it is open, and this program has no other use of that number.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Such memory as a value that all see, for good.
///
/// # Safety
/// `T` consists of atomics only, all of whose bit patterns are values; the file is as long.
#[expect(unsafe_code, reason = "memory that others write")]
pub(super) unsafe fn shared<T: Sync>(file: BorrowedFd<'_>) -> io::Result<&'static T> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let (length, number) = (size_of::<T>(), file.as_raw_fd());
    // SAFETY: the kernel chooses the place; it is never unmapped.
    let place =
        unsafe { libc::mmap(std::ptr::null_mut(), length, access, libc::MAP_SHARED, number, 0) };
    if place == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a page is aligned for everything; the caller answers for the rest.
    Ok(unsafe { &*place.cast::<T>() })
}

/// Opens a tracepoint on a processor, for all threads: each record has process, thread, monotonic time and the fields, and
/// wakes those who wait for the file.
///
/// # Errors
/// The kernel refuses, or does not know what the condition names.
#[expect(unsafe_code, reason = "system calls without a wrapper")]
pub(super) fn tracepoint(number: u64, cpu: u32, filter: &str) -> io::Result<OwnedFd> {
    use perf_event_open_sys::{bindings, ioctls, perf_event_open};
    let filter = std::ffi::CString::new(filter)?;
    let mut wanted = bindings::perf_event_attr {
        size: u32::try_from(size_of::<bindings::perf_event_attr>()).expect("a hundred bytes"),
        type_: bindings::PERF_TYPE_TRACEPOINT,
        config: number,
        sample_type: u64::from(
            bindings::PERF_SAMPLE_TID | bindings::PERF_SAMPLE_TIME | bindings::PERF_SAMPLE_RAW,
        ),
        clockid: libc::CLOCK_MONOTONIC,
        ..Default::default()
    };
    wanted.__bindgen_anon_1.sample_period = 1;
    wanted.__bindgen_anon_2.wakeup_events = 1;
    wanted.set_use_clockid(1);
    let cpu = libc::c_int::try_from(cpu).expect("a number of a processor");
    let flags = libc::c_ulong::from(bindings::PERF_FLAG_FD_CLOEXEC);
    // SAFETY: the kernel reads what is wanted; the number that is returned has no other owner.
    let file = unsafe {
        match perf_event_open(&raw mut wanted, -1, cpu, -1, flags) {
            file @ 0.. => OwnedFd::from_raw_fd(file),
            _ => return Err(io::Error::last_os_error()),
        }
    };
    // SAFETY: the kernel reads the text up to its zero.
    match unsafe { ioctls::SET_FILTER(file.as_raw_fd(), filter.as_ptr().cast_mut()) } {
        0 => Ok(file),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Lets such a file without a ring see one more event. Its end is an interrupt of its processor that comes at once.
#[expect(unsafe_code, reason = "a system call without a wrapper")]
pub(super) fn see_one(file: BorrowedFd<'_>) {
    // SAFETY: it takes a number.
    let _it_is_open = unsafe { perf_event_open_sys::ioctls::REFRESH(file.as_raw_fd(), 1) };
}

/// Whether events of such a file with a ring are only counted: then they are not written, and wake nobody.
#[expect(unsafe_code, reason = "a system call without a wrapper")]
pub(super) fn pause(file: BorrowedFd<'_>, is_paused: bool) {
    // SAFETY: it takes a number.
    let _it_has_a_ring = unsafe {
        perf_event_open_sys::ioctls::PAUSE_OUTPUT(file.as_raw_fd(), u32::from(is_paused))
    };
}

/// The ring of such a file, of that many pages, as words that the kernel writes; it is never unmapped.
///
/// # Errors
/// The kernel refuses.
#[expect(unsafe_code, reason = "memory that the kernel writes")]
pub(super) fn ring(file: BorrowedFd<'_>, pages: usize) -> io::Result<&'static [AtomicU64]> {
    let length = pages * PAGE;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let number = file.as_raw_fd();
    // SAFETY: the kernel chooses the place.
    let place =
        unsafe { libc::mmap(std::ptr::null_mut(), length, access, libc::MAP_SHARED, number, 0) };
    if place == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it is that long, aligned to pages, and stays; every pattern of bits is a value.
    Ok(unsafe { std::slice::from_raw_parts(place.cast::<AtomicU64>(), length / 8) })
}

/// Whose threads wait for a word, and wake those who do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Among {
    /// Those of several processes, which share its memory.
    Processes,
    /// Those of this process: the kernel then need not find out whose memory it is.
    Threads,
}

impl Among {
    fn flag(self) -> libc::c_int {
        match self {
            Self::Processes => 0,
            Self::Threads => libc::FUTEX_PRIVATE_FLAG,
        }
    }
}

/// Waits while the word is `value`, until an instant of the monotonic clock in nanoseconds, or for good. Returns whether
/// that is still to come.
#[expect(unsafe_code, reason = "a system call without a wrapper")]
pub(super) fn wait(word: &AtomicU32, value: u32, among: Among, until: Option<u64>) -> bool {
    let timeout = until.map(|until| libc::timespec {
        tv_sec: libc::time_t::try_from(until / 1_000_000_000).unwrap_or(libc::time_t::MAX),
        tv_nsec: libc::c_long::try_from(until % 1_000_000_000).expect("less than a second"),
    });
    let timeout = timeout.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: the kernel reads the word and the time, which both live until it returns.
    let result = unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT_BITSET | among.flag(),
            value,
            timeout,
            std::ptr::null::<u32>(),
            libc::FUTEX_BITSET_MATCH_ANY,
        )
    };
    result == 0 || io::Error::last_os_error().raw_os_error() != Some(libc::ETIMEDOUT)
}

/// Wakes a thread that waits for the word.
#[expect(unsafe_code, reason = "a system call without a wrapper")]
pub(super) fn wake(word: &AtomicU32, among: Among) {
    let operation = libc::FUTEX_WAKE | among.flag();
    // SAFETY: the kernel looks at the address only.
    let _woken = unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, 1) };
}

/// Waits for a lock that the thread in the word is said to hold, until that thread ends: meanwhile it inherits the
/// priority of the caller.
///
/// # Errors
/// There is no such thread, or the kernel does not let it inherit.
#[expect(unsafe_code, reason = "a system call without a wrapper")]
pub(super) fn wait_for_owner(word: &AtomicU32) -> io::Result<()> {
    let (none, no_time) = (0_u32, std::ptr::null::<libc::timespec>());
    // SAFETY: the kernel reads and writes the word, which lives for good.
    let result = unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_LOCK_PI, none, no_time)
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// A file that stands for a thread, also when its number is reused; it can be read when that has ended.
///
/// # Errors
/// There is none, or the kernel is older than 6.9.
pub(super) fn thread(number: i32) -> io::Result<OwnedFd> {
    process_file(number, PIDFD_THREAD)
}

/// The same for a process.
///
/// # Errors
/// There is none.
pub(super) fn process(number: i32) -> io::Result<OwnedFd> {
    process_file(number, 0)
}

#[expect(unsafe_code, reason = "a system call without a wrapper")]
fn process_file(number: i32, flags: libc::c_uint) -> io::Result<OwnedFd> {
    // SAFETY: the number that is returned has no other owner.
    let result = unsafe { libc::syscall(libc::SYS_pidfd_open, number, flags) };
    match i32::try_from(result) {
        // SAFETY: as above.
        Ok(file) if file >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(file) }),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Kills the process of a file.
#[expect(unsafe_code, reason = "a system call without a wrapper")]
pub(super) fn kill(process: impl AsFd) {
    let number = process.as_fd().as_raw_fd();
    // SAFETY: a null pointer asks for the usual signal.
    let _it_has_ended = unsafe {
        let information = std::ptr::null::<libc::siginfo_t>();
        libc::syscall(libc::SYS_pidfd_send_signal, number, libc::SIGKILL, information, 0)
    };
}

/// The number of the calling thread.
#[expect(unsafe_code, reason = "a system call without a wrapper")]
pub(super) fn own_number() -> i32 {
    // SAFETY: it cannot fail.
    unsafe { libc::gettid() }
}
