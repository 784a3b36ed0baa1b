//! The shared state of dispatcher, lenders and guard: atomics in shared memory, without locks.
//!
//! ```text
//!   watched    whether the watcher of each loan is to tell, and has      dispatcher ◀─▶ watchers
//!   deadline   the dispatcher sleeps until then                         dispatcher ─▶ guard
//!   lenders    numbers of the threads that lend; 0: it has ended        lenders ─▶ all
//!   owners     the words that lenders wait for: numbers of threads      kernel
//!   successor  the process that is to follow; 0: none                   it ─▶ all
//!   handover   whether it has asked to, and may                         it ◀─▶ dispatcher
//!   board      accounts                                                 dispatcher ─▶ who looks at them
//! ```

use super::board::{Board, MOST};
use super::call;
use super::watched::Watched;
use crate::levels;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64};

/// For each level those of the lent thread, of the one that is lent to first, and of tasks.
pub(super) const WATCHERS: usize = 3 * levels::MOST;

/// All of it; zeros at first.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Shared {
    pub(super) watched: [Watched; WATCHERS],
    /// 1: everything shall end.
    pub(super) stop: AtomicU32,
    /// 1: the guard looks.
    pub(super) guarded: AtomicU32,
    /// 1: there is no loan any more, and there will be none.
    pub(super) finished: AtomicU32,
    /// 1: the watcher is ready; below zero: its error.
    pub(super) watching: [AtomicI32; WATCHERS],
    /// In nanoseconds of the monotonic clock; 0: it has not begun.
    pub(super) deadline: AtomicU64,
    /// The number of the dispatcher's thread.
    pub(super) dispatcher: AtomicI32,
    pub(super) lenders: [AtomicI32; MOST],
    /// How a lender ended: 1 and the number of the error.
    pub(super) ended: [AtomicU32; MOST],
    pub(super) owners: [AtomicU32; MOST],
    pub(super) successor: AtomicI32,
    pub(super) handover: AtomicU32,
    /// When it gave way, by the monotonic clock in nanoseconds.
    pub(super) gave_way: AtomicU64,
    pub(super) board: Board,
}

/// The memory, and the file by which a program that is started finds it.
#[derive(Debug)]
pub(super) struct Place {
    file: OwnedFd,
    pub(super) shared: &'static Shared,
}

impl Place {
    /// New memory.
    ///
    /// # Errors
    /// As the kernel says.
    pub(super) fn new() -> io::Result<Self> {
        Self::of(call::memory(size_of::<Shared>())?)
    }

    /// That of the program that started this one.
    ///
    /// # Errors
    /// There is none of that number.
    pub(super) fn inherited(number: i32) -> io::Result<Self> {
        Self::of(call::inherited(number)?)
    }

    /// That of another process, which has this number there.
    ///
    /// # Errors
    /// That process or its memory is not there, or it is of another version of this program.
    pub(super) fn of_process(process: i32, number: i32) -> io::Result<Self> {
        let path = format!("/proc/{process}/fd/{number}");
        let file = File::options().read(true).write(true).open(path)?;
        if file.metadata()?.len() != size_of::<Shared>() as u64 {
            return Err(io::Error::other("it is of another version of vorrang-host"));
        }
        Self::of(file.into())
    }

    #[expect(unsafe_code, reason = "what is shared is atomics only")]
    fn of(file: OwnedFd) -> io::Result<Self> {
        // SAFETY: it consists of atomics, and the file was made as long.
        let shared = unsafe { call::shared(file.as_fd())? };
        Ok(Self { file, shared })
    }

    /// The number by which the file is inherited.
    pub(super) fn number(&self) -> i32 {
        self.file.as_raw_fd()
    }
}
