//! A thread that sends frames to the guest, and what both saw.

use crate::backend::{Backend, GUEST};
use crate::counters::Counters;
use crate::driver::{CONTROL, DRIVER, inside, queue};
use crate::machine::Machine;
use crate::processor;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;
use std::net::UdpSocket;
use std::sync::Arc;
use std::{fs, io, thread};
use vorrang_guest::clock::{now_monotonic as now, sleep_until};
use vorrang_guest::frames::Told;
use vorrang_guest::raised::THREAD;
use vorrang_guest::{Job, told, work};
use vorrang_sched::Policy;
use vorrang_time::Duration;

/// What is to be said behind the name of the program.
pub(crate) const USAGE: &str =
    "frames FILE DELAY COUNT PERIOD SENDER VHOST GUEST WORK DRIVER CONTROL";

/// Instructions of a turn of the work of a thread, and of a loop of the guest; each takes a nanosecond in the lab.
const TURN: u64 = 102;
const TURN_INSIDE: u64 = 2;
/// The last frame, and all that is done beside, is done by then.
const REST: u64 = 500_000_000;
/// The port that nothing listens to, and what a frame says.
const PORT: u16 = 9;
const SAYS: [u8; 18] = [0; 18];

/// A frame is sent `count` times, from the delay on.
pub(crate) struct Wanted {
    file: String,
    delay: Duration,
    count: usize,
    period: Duration,
    /// The thread that sends, vhost and the virtual processor.
    threads: [Place; 3],
    /// What the thread that sends, the driver and control do for each.
    work: [Duration; 3],
}

/// The priority of a thread and its processor, as in `60@1`; any processor if none is stated.
#[derive(Clone, Copy)]
struct Place {
    priority: u32,
    cpu: Option<usize>,
}

impl Place {
    fn read(word: &str) -> Option<Self> {
        let (priority, cpu) = match word.split_once('@') {
            Some((priority, cpu)) => (priority, Some(cpu.parse().ok()?)),
            None => (word, None),
        };
        Some(Self { priority: priority.parse().ok()?, cpu })
    }

    /// A thread (0: the calling one) has them from now on.
    fn take(self, thread: i32) -> io::Result<()> {
        vorrang_sched::set(thread, Policy::fifo(self.priority))?;
        let Some(cpu) = self.cpu else { return Ok(()) };
        let mut set = CpuSet::new();
        set.set(cpu)?;
        Ok(sched_setaffinity(Pid::from_raw(thread), &set)?)
    }
}

impl Wanted {
    pub(crate) fn read(words: &[&str]) -> Option<Self> {
        let [file, delay, count, period, sender, vhost, guest, work, driver, control] = words
        else {
            return None;
        };
        let place = |word: &&str| Place::read(word);
        let time = |word: &&str| word.parse::<Duration>().ok();
        Some(Self {
            file: (*file).to_owned(),
            delay: time(delay)?,
            count: count.parse().ok()?,
            period: time(period)?,
            threads: [place(sender)?, place(vhost)?, place(guest)?],
            work: [time(work)?, time(driver)?, time(control)?],
        })
    }
}

/// Sends them, and writes what was seen.
///
/// # Errors
/// As the kernel says.
pub(crate) fn run(wanted: &Wanted) -> io::Result<()> {
    let [sender, vhost, guest] = wanted.threads;
    let [work, driver, control] = wanted.work.map(Duration::as_ns);
    let turns = |work: u64| u32::try_from(work / TURN_INSIDE).map_err(io::Error::other);
    let (machine, vcpu) = Machine::new(&inside(turns(driver)?, turns(control)?))?;
    for (at, bytes) in queue() {
        machine.put(at, &bytes);
    }
    let machine = Arc::new(machine);
    let counters = Counters::of(&vcpu)?;
    processor::start(&machine, vcpu)?;
    let backend = Backend::new(&machine)?;
    give("vhost-", vhost)?;
    give(THREAD, guest)?;
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    socket.connect((GUEST, PORT))?;
    let Wanted { delay, count, period, .. } = *wanted;
    let send = move || send(&socket, sender, work, (delay.as_ns(), count, period.as_ns()));
    let thread = thread::Builder::new().name("sender".to_owned()).spawn(send)?;
    let sender = thread.join().map_err(|_| io::Error::other("a thread has panicked"))??;
    let drift = counters.drift();
    let [driver, control] = [DRIVER, CONTROL].map(|of| drift.on_the_host(&machine.handled(of)));
    drop(backend);
    let all = Told { sender, driver, control, uncertain: counters.uncertain };
    told::write(&wanted.file, serde_json::to_vec(&all)?)
}

/// The thread that sends: works, sends and sleeps.
fn send(
    socket: &UdpSocket,
    place: Place,
    work: u64,
    (delay, count, period): (u64, usize, u64),
) -> io::Result<Vec<Job>> {
    place.take(0)?;
    let first = (now() + delay).next_multiple_of(period);
    let mut jobs = Vec::with_capacity(count);
    for release in (0..count as u64).map(|number| first + number * period) {
        sleep_until(release);
        let start = now();
        work::turns(work / TURN);
        socket.send(&SAYS)?;
        jobs.push(Job { release, start, finish: now() });
    }
    // The end of a thread takes 50 us, which others would wait for.
    sleep_until(now() + REST);
    Ok(jobs)
}

/// Gives the thread of this process whose name begins so its place.
fn give(name: &str, place: Place) -> io::Result<()> {
    for thread in fs::read_dir("/proc/self/task")? {
        let thread = thread?;
        if fs::read_to_string(thread.path().join("comm"))?.starts_with(name) {
            let number = thread.file_name().to_string_lossy().parse().map_err(io::Error::other)?;
            return place.take(number);
        }
    }
    Err(io::Error::other(format!("no thread {name}")))
}
