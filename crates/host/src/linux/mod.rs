//! A processor of the Linux below this process, by priority lending.
//!
//! **Model.** Threads of `SCHED_OTHER` are parked in a control group with next to no processor time
//! (`changes.rs`). For each a *lender* waits; raising the lender's priority raises that of the thread, which is
//! exempt from the group's limit meanwhile ([`lenders`]). There is one loan at a time, and for an interrupt of a guest another
//! one before it. The *dispatcher* runs on the same processor with a higher priority, so that sampled threads do not run.
//!
//! **Assumptions.** 1. Linux 6.12 or later: earlier ones throttle `SCHED_FIFO`. 2. No other program changes
//! policies, groups and processors of these threads meanwhile. 3. A thread without a loan that is not throttled
//! receives otherwise idle time, 1 ms a second.
//!
//! **Cost.** Two system calls of a decision for each loan that begins or ends, two for each sample of a thread,
//! one to sleep. Nothing is allocated; memory is locked.

mod awaited;
mod begun;
mod board;
mod call;
mod clock;
mod ending;
pub mod guard;
mod interrupts;
mod lenders;
mod look;
mod machine;
mod notice;
mod privileges;
mod ring;
mod shared;
mod succession;
mod urgency;
mod watched;
mod watchers;

pub use awaited::Awaited;
pub use board::{Board, MOST, Shown};
pub use clock::{now as clock, taken};
pub use ending::{Alive, Ending, end_processes};
pub use succession::Predecessor;
pub use urgency::{DISPATCHER, at_leisure, rest, rise};

use crate::levels::Levels;
use crate::of_kernel;
use begun::await_that;
use call::Among;
use interrupts::Interrupts;
use look::Look;
use notice::Notice;
use privileges::Needs;
use shared::{Place, Shared};
use std::io;
use std::sync::atomic::Ordering::SeqCst;
use std::thread;
use vorrang_enforce::Thread;
use vorrang_time::Duration;

/// The processor and its lent threads.
#[derive(Debug)]
pub struct Linux {
    place: Place,
    cpu: u32,
    threads: Vec<Lent>,
    interrupts: Interrupts,
    /// From the watchers, and from who ends the run.
    notice: &'static Notice,
    /// The beginning of the schedule, by the monotonic clock.
    origin: u64,
    /// An interrupt that was read and not told yet.
    read: Option<(usize, u64)>,
    /// The thread that is lent to, and the one that is lent to first, each with its level.
    lent: Option<(usize, usize)>,
    first: Option<(usize, usize)>,
    levels: Levels,
    /// Of the tasks on the core, the most urgent first.
    tasks: Vec<Look>,
}

/// What is run on a processor.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The threads that are lent to.
    pub threads: &'a [Thread],
    /// Those of tasks on the core, the most urgent first.
    pub tasks: &'a [Thread],
    /// The priorities of both.
    pub levels: &'a Levels,
}

/// The beginning of a schedule.
#[derive(Clone, Copy, Debug)]
pub enum Beginning {
    /// At this instant of the monotonic clock, in nanoseconds.
    At(u64),
    /// When another one gives way.
    After(Predecessor),
}

#[derive(Debug)]
struct Lent {
    look: Look,
    received: Duration,
    /// Whether that is so: it was sampled in this decision.
    is_sampled: bool,
    lender: i32,
    /// Whether the thread is its own lender.
    is_own: bool,
}

impl Lent {
    /// The loan ends.
    fn park(&self) -> io::Result<()> {
        if self.is_own { urgency::idle(self.lender) } else { urgency::lower(self.lender) }
    }
}

impl Linux {
    /// Starts lenders for threads, and watchers, and looks out for interrupts of guests. Nothing is lent yet: lenders begin
    /// with the policy of the calling thread, which is no real-time one.
    ///
    /// # Errors
    /// The kernel refuses, or lacks something: as a sentence.
    pub fn new(cpu: u32, run: Run<'_>, awaited: Vec<Awaited>) -> Result<Self, String> {
        let Run { threads, tasks, levels } = run;
        let lacks = |what: &str, why: io::Error| format!("{what}: {why}");
        let place = Place::new().map_err(|why| lacks("memory that processes share", why))?;
        let shared = place.shared;
        let awaits = !awaited.is_empty();
        let notice = if awaits { Notice::among_files() } else { Ok(Notice::alone()) };
        let notice = notice.map_err(|why| lacks("an event file", why))?;
        let interrupts = Interrupts::new(awaited)?;
        watchers::start((shared, notice), cpu, levels, awaits)?;
        for (place, thread) in threads.iter().enumerate() {
            if of_kernel::is(&vorrang_enforce::Linux, thread)? {
                lenders::is_its_own(shared, place, thread.thread);
                continue;
            }
            lenders::start(shared, place, thread.thread).map_err(|why| lacks("a thread", why))?;
        }
        let look = |(index, thread): (usize, &Thread)| {
            await_that("a lender", || {
                shared.lenders[index].load(SeqCst) != 0 || shared.ended[index].load(SeqCst) != 0
            })?;
            let look = Look::at(thread).map_err(|why| lacks(&thread.name, why))?;
            if look.received().is_none() {
                return Err(format!("{}: this kernel counts no processor time", thread.name));
            }
            let lender = shared.lenders[index].load(SeqCst);
            let is_own = lender == thread.thread;
            Ok(Lent { look, received: Duration::ZERO, is_sampled: false, lender, is_own })
        };
        let threads = threads.iter().enumerate().map(look).collect::<Result<_, _>>()?;
        let task = |task: &Thread| Look::at(task).map_err(|why| lacks(&task.name, why));
        let tasks = tasks.iter().map(task).collect::<Result<_, _>>()?;
        let (origin, read, lent, first, levels) = (0, None, None, None, levels.clone());
        Ok(Self {
            place,
            cpu,
            threads,
            interrupts,
            notice,
            origin,
            read,
            lent,
            first,
            levels,
            tasks,
        })
    }

    /// Tests priority inheritance by a short loan to each thread that is not known to inherit.
    ///
    /// # Errors
    /// It does not, as a sentence.
    pub fn try_loans(&self, is_known: impl Fn(usize) -> bool) -> Result<(), String> {
        // A lender is blocked soon after it has begun.
        thread::sleep(std::time::Duration::from_millis(20));
        for (index, thread) in self.threads.iter().enumerate() {
            let ended = self.place.shared.ended[index].load(SeqCst);
            if ended > 0 {
                let why = io::Error::from_raw_os_error(ended.cast_signed() - 1);
                return Err(format!("FUTEX_LOCK_PI on behalf of thread {index}: {why}"));
            }
            if is_known(index) {
                continue;
            }
            let before = thread.look.priority();
            let raised = urgency::raise(thread.lender, self.levels.lent(0));
            let lent = thread.look.priority();
            let lowered = thread.park();
            let after = thread.look.priority();
            raised.and(lowered).map_err(|why| format!("sched_setattr: {why}"))?;
            let real_time = |priority: Option<i32>| priority.is_some_and(|priority| priority < 0);
            if real_time(before) || !real_time(lent) || real_time(after) {
                return Err(format!(
                    "this kernel does not pass a priority on: {before:?}, lent to {lent:?}, then {after:?}"
                ));
            }
        }
        Ok(())
    }

    /// The guard's share of it.
    fn shared(&self) -> &'static Shared {
        self.place.shared
    }

    /// The number by which a guard finds it.
    pub fn number(&self) -> i32 {
        self.place.number()
    }

    /// What the dispatcher shows to others.
    pub fn board(&self) -> &'static Board {
        &self.shared().board
    }

    /// A handle by which any thread can end the schedule.
    pub fn ending(&self) -> Ending {
        Ending(self.shared(), self.notice)
    }

    /// The calling thread becomes the dispatcher, and the schedule begins; returns when, by the monotonic clock in nanoseconds.
    ///
    /// # Errors
    /// As the kernel says.
    pub fn begin(&mut self, beginning: Beginning) -> io::Result<u64> {
        lenders::pin(self.cpu)?;
        urgency::raise(0, urgency::DISPATCHER)?;
        privileges::keep(Needs::Priorities)?;
        let shared = self.shared();
        shared.dispatcher.store(call::own_number(), SeqCst);
        self.origin = match beginning {
            Beginning::At(origin) => {
                shared.deadline.store(origin, SeqCst);
                call::wait(&shared.stop, 0, Among::Threads, Some(origin));
                origin
            }
            Beginning::After(predecessor) => {
                predecessor.wait(self.ending()).unwrap_or_else(clock::now)
            }
        };
        // Those of before are no requests of this schedule.
        self.read =
            std::iter::from_fn(|| self.interrupts.next()).find(|(_, at)| *at >= self.origin);
        Ok(self.origin)
    }

    /// The dispatcher has ended all loans, and the guard may end.
    pub fn finish(&mut self) {
        self.shared().finished.store(1, SeqCst);
    }

    /// An instant of the monotonic clock from which on there is time to begin: a multiple of 100 ms, so that
    /// periods which divide that begin with it.
    pub fn soon() -> u64 {
        const MULTIPLE: u64 = 100_000_000;
        (clock::now() + MULTIPLE).next_multiple_of(MULTIPLE)
    }
}

/// The calling thread, and those that it starts, keep the privileges that a run needs for loans and to undo its changes.
///
/// # Errors
/// The kernel refuses: as a sentence.
pub fn give_up_privileges() -> Result<(), String> {
    privileges::keep(Needs::Undoing).map_err(|why| format!("privileges: {why}"))
}

/// The calling thread keeps the privileges to undo changes, and to unload modules.
///
/// # Errors
/// As the kernel says.
pub fn keep_for_modules() -> io::Result<()> {
    privileges::keep(Needs::Modules)
}

/// The accounts of a schedule that another process runs, and the number of the dispatcher's thread, by the number that the
/// shared memory has there.
///
/// # Errors
/// It is not there, or it is of another version of this program.
pub fn shown(process: i32, number: i32) -> io::Result<impl Fn(usize, usize) -> (Shown, i32)> {
    let shared = Place::of_process(process, number)?.shared;
    Ok(move |members, interrupts| {
        (shared.board.read(members, interrupts), shared.dispatcher.load(SeqCst))
    })
}
