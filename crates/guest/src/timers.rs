//! A thread with many timers of its own, one after the other as they expire.
//!
//! They belong to no sleep: the thread waits for all of them at once, and reads those that have expired: files
//! (`timerfd`, by `epoll`), or the signals of timers of `timer_create`.

use crate::policy;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};
use nix::sys::signal::{SigEvent, SigHandler, SigSet, SigevNotify, Signal, signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::time::TimeSpec;
use nix::sys::timer::Timer;
use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};
use nix::unistd::{gettid, read};
use rustix::thread::set_thread_uid;
use std::io;
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use vorrang_guest::{ManyTimers, Told};

/// How many it asks for at once.
const AT_ONCE: usize = 64;
/// The user who may do nothing.
const NOBODY: u32 = 65_534;
/// After so many milliseconds it looks whether it is to end.
const LOOK: u16 = 50;

/// A thread whose timers expire until it is ended.
pub(crate) struct Running {
    end: Arc<AtomicBool>,
    thread: JoinHandle<io::Result<u64>>,
}

impl Running {
    /// Starts the thread.
    pub(crate) fn start(timers: ManyTimers) -> Self {
        let end = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&end);
        let thread = thread::Builder::new().name("timers".to_owned());
        let thread = thread.spawn(move || run(timers, &ended)).expect("there is memory");
        Self { end, thread }
    }

    /// Ends it; how often its timers expired.
    ///
    /// # Errors
    /// The kernel refused something.
    pub(crate) fn end(self) -> io::Result<u64> {
        self.end.store(true, Ordering::Relaxed);
        self.thread.join().expect("it does not panic")
    }
}

fn run(timers: ManyTimers, end: &AtomicBool) -> io::Result<u64> {
    policy::set(0, timers.policy)?;
    policy::place(0, Some(timers.cpu))?;
    if timers.unprivileged {
        // Of this thread alone: its capabilities go with it.
        set_thread_uid(rustix::thread::Uid::from_raw(NOBODY))?;
    }
    match timers.told {
        Told::File => told_by_files(timers, end),
        Told::Signal => told_by_signals(timers, end),
        Told::Ignored => not_told(timers, end),
    }
}

/// Each with a period of its own.
fn periods(timers: ManyTimers) -> impl Iterator<Item = Expiration> {
    let ManyTimers { number, period, apart, .. } = timers;
    (0..number).map(move |one| {
        Expiration::Interval(TimeSpec::from(Duration::from_nanos(period + one * apart)))
    })
}

/// All of them, which send this signal to the calling thread.
fn armed(timers: ManyTimers, signal: Signal) -> io::Result<Vec<Timer>> {
    let thread_id = gettid().as_raw();
    let event = || SigEvent::new(SigevNotify::SigevThreadId { signal, thread_id, si_value: 0 });
    let armed = periods(timers).map(|every| {
        let mut timer = Timer::new(nix::time::ClockId::CLOCK_MONOTONIC, event())?;
        timer.set(every, TimerSetTimeFlags::empty())?;
        Ok(timer)
    });
    armed.collect()
}

fn told_by_signals(timers: ManyTimers, end: &AtomicBool) -> io::Result<u64> {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGUSR2);
    signals.thread_block()?;
    let file = SignalFd::with_flags(&signals, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?;
    let _timers = armed(timers, Signal::SIGUSR2)?;
    let mut expired = 0;
    while !end.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(1));
        while let Some(told) = file.read_signal()? {
            expired += 1 + u64::from(told.ssi_overrun);
        }
    }
    Ok(expired)
}

#[expect(unsafe_code, reason = "what a signal does is set, to nothing")]
fn not_told(timers: ManyTimers, end: &AtomicBool) -> io::Result<u64> {
    // SAFETY: no handler is installed that could do anything.
    unsafe { signal(Signal::SIGUSR1, SigHandler::SigIgn) }?;
    let _timers = armed(timers, Signal::SIGUSR1)?;
    while !end.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(u64::from(LOOK)));
    }
    Ok(0)
}

/// What is armed is disarmed, and what is not is armed.
fn turn((file, every, is_armed): &mut (TimerFd, Expiration, bool)) -> io::Result<()> {
    *is_armed = !*is_armed;
    if *is_armed { Ok(file.set(*every, TimerSetTimeFlags::empty())?) } else { Ok(file.unset()?) }
}

fn told_by_files(timers: ManyTimers, end: &AtomicBool) -> io::Result<u64> {
    let epoll = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?;
    let mut files = Vec::new();
    for (one, every) in (0..).zip(periods(timers)) {
        let file = TimerFd::new(ClockId::CLOCK_MONOTONIC, TimerFlags::TFD_NONBLOCK)?;
        file.set(every, TimerSetTimeFlags::empty())?;
        epoll.add(&file, EpollEvent::new(EpollFlags::EPOLLIN, one))?;
        files.push((file, every, true));
    }
    let mut expired = 0;
    while !end.load(Ordering::Relaxed) {
        let mut events = [EpollEvent::empty(); AT_ONCE];
        let ready = epoll.wait(&mut events, EpollTimeout::from(LOOK))?;
        for event in &events[..ready] {
            let which = usize::try_from(event.data()).map_err(io::Error::other)?;
            let mut count = [0; 8];
            if read(files[which].0.as_fd(), &mut count).is_ok() {
                expired += u64::from_ne_bytes(count);
            }
            let other = (which * 7 + files.len() / 2) % files.len();
            if timers.meddles && other != which {
                turn(&mut files[other])?;
            }
        }
    }
    Ok(expired)
}
