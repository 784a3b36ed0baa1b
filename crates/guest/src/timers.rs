//! A thread with many timers of its own: `timerfd`, one after the other as they expire.
//!
//! They belong to no sleep: the thread waits for all of them at once (`epoll`), and reads those that have expired.

use crate::policy;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};
use nix::sys::time::TimeSpec;
use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};
use nix::unistd::read;
use std::io;
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use vorrang_guest::ManyTimers;

/// How many it asks for at once.
const AT_ONCE: usize = 64;
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
    let ManyTimers { cpu, policy, number, period, apart } = timers;
    policy::set(0, policy)?;
    policy::place(0, Some(cpu))?;
    let epoll = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?;
    let mut files = Vec::new();
    for one in 0..number {
        let file = TimerFd::new(ClockId::CLOCK_MONOTONIC, TimerFlags::TFD_NONBLOCK)?;
        let every = TimeSpec::from(Duration::from_nanos(period + one * apart));
        file.set(Expiration::Interval(every), TimerSetTimeFlags::empty())?;
        epoll.add(&file, EpollEvent::new(EpollFlags::EPOLLIN, one))?;
        files.push(file);
    }
    let mut expired = 0;
    while !end.load(Ordering::Relaxed) {
        let mut events = [EpollEvent::empty(); AT_ONCE];
        let ready = epoll.wait(&mut events, EpollTimeout::from(LOOK))?;
        for event in &events[..ready] {
            let which = usize::try_from(event.data()).map_err(io::Error::other)?;
            let mut count = [0; 8];
            if read(files[which].as_fd(), &mut count).is_ok() {
                expired += u64::from_ne_bytes(count);
            }
        }
    }
    Ok(expired)
}
