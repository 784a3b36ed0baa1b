//! Programs at tracepoints, and what they wrote.
//!
//! **Model.** All programs are at their tracepoints before one value lets them write, so that no event begins earlier than
//! another. Records of a processor lie in its room in the order in which they were given it. The time of a record is taken after
//! that: what was before the instant of a look at the room lies before the place that was reached then.

use crate::call::{Mapped, load, missed, page, put, shared};
use crate::kernel::{
    Event, LICENCE, LOST, Names, ON, Places, Room, Setting, Shape, format, program, shapes,
};
use crate::rooms::Rooms;
use crate::types::Types;
use crate::waiting::Waiting;
use std::fmt;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

const TYPES: &str = "/sys/kernel/btf/vmlinux";
/// Processors that there may be: `0-7`.
const CPUS: &str = "/sys/devices/system/cpu/possible";
/// Room for each processor: some 80 000 switches between two looks.
const ROOM: usize = 8 << 20;
/// The least of that, and the most of all, which the kernel keeps for as long as it is recorded.
const LEAST: usize = 256 << 10;
const MOST: usize = 256 << 20;
/// How often a look is had at what is still being written at the end, a millisecond each.
const LOOKS: usize = 1000;
/// Where an event begins in its record: behind the time.
const EVENT: usize = 8;

/// Why events cannot be recorded by programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unable(pub String);

/// Programs at tracepoints.
#[derive(Debug)]
pub struct Recorder {
    events: Vec<Recorded>,
    rooms: Rooms,
    shared: Mapped,
    waiting: Waiting,
    malformed: u64,
    waker: u64,
}

#[derive(Debug)]
struct Recorded {
    name: String,
    shape: Shape,
    /// Of each processor.
    names: Vec<Vec<Names>>,
    program: OwnedFd,
    /// It is at its tracepoint.
    put: Option<OwnedFd>,
}

impl Recorder {
    /// Whether an event or a system, as tracefs names them (`sched/sched_switch`, `irq_vectors`), has programs.
    pub fn has(wanted: &str) -> bool {
        shapes(wanted).is_some()
    }

    /// Programs for these events and systems, as far as the kernel has them; nothing is written yet. Of timers only those with
    /// this function are written: none where it is not known.
    ///
    /// # Errors
    /// The kernel does not describe its types, refuses a program, or has not what is needed; or there is no program.
    pub fn of(needed: &[&str], others: &[&str], waker: Option<u64>) -> Result<Self, Unable> {
        let unable = |why: &dyn fmt::Display| Unable(format!("{TYPES}: {why}"));
        let types = fs::read(TYPES).map_err(|why| unable(&why))?;
        let types = Types::of(types).map_err(|why| unable(&why))?;
        let places = Places::of(&types).ok_or_else(|| missing("a field that is recorded"))?;
        let mut found = Vec::new();
        for name in needed {
            found.extend(kernel_has(&types, name, true)?);
        }
        for name in others {
            found.extend(kernel_has(&types, name, false)?);
        }
        found.retain(|one| one.shape != Shape::Timer || waker.is_some());
        let refused = |why| Unable(format!("the kernel refuses a map: {why}"));
        let cpus = cpus();
        let length = (MOST / cpus).clamp(LEAST, ROOM);
        let room = Room::of(found.iter().map(|one| one.shape.tables()).sum(), length);
        let rooms = Rooms::new(room, cpus).map_err(refused)?;
        let value = shared(16, 1).map_err(refused)?;
        let shared = Mapped::of(&value, page()).map_err(refused)?;
        let waker = waker.unwrap_or_default();
        let (rooms_file, shared_file) = (rooms.file(), value.as_raw_fd());
        let setting = Setting { places, room, rooms: rooms_file, shared: shared_file, waker };
        let (mut events, mut table) = (Vec::new(), 0);
        for Found { name, shape, tracepoint } in found {
            let number = u16::try_from(events.len()).unwrap_or(u16::MAX);
            let made = program(number, shape, table, &setting);
            let program = load(&made.code, LICENCE, tracepoint).map_err(|why| {
                Unable(format!("the kernel refuses the program of {name}: {why}"))
            })?;
            table += shape.tables();
            let names = vec![vec![Names::default(); shape.tables()]; cpus];
            events.push(Recorded { name, shape, names, program, put: None });
        }
        Ok(Self { events, rooms, shared, waiting: Waiting::default(), malformed: 0, waker })
    }

    /// The formats of the events, in the words of tracefs.
    pub fn formats(&self) -> Vec<String> {
        let numbered = (0..).zip(&self.events);
        numbered.map(|(number, event)| format(&event.name, number, event.shape)).collect()
    }

    /// Begins to write.
    ///
    /// # Errors
    /// The kernel refuses to put a program at its tracepoint.
    pub fn begin(&mut self) -> io::Result<()> {
        for event in &mut self.events {
            event.put = Some(put(&event.program)?);
        }
        self.shared.long(ON).store(1, Ordering::Release);
        Ok(())
    }

    /// Ends it.
    pub fn end(&mut self) {
        self.shared.long(ON).store(0, Ordering::Release);
        for event in &mut self.events {
            event.put = None;
        }
    }

    /// Hands on what is complete, in the order of time: the processor, the instant in nanoseconds, and the bytes as of
    /// [`Self::formats`]. At the end that is all, once [`Self::end`] was called.
    ///
    /// # Errors
    /// Records were lost, or one is not taken.
    pub fn records(
        &mut self,
        is_end: bool,
        mut take: impl FnMut(usize, u64, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut complete = self.read();
        if is_end {
            // A program that was interrupted may still be writing.
            for _ in 0..LOOKS {
                if self.rooms.is_empty() {
                    break;
                }
                thread::sleep(Duration::from_millis(1));
                self.read();
            }
            complete = u64::MAX;
        }
        let lost = self.lost(is_end)?;
        if lost > 0 {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("the kernel lost {lost} events"),
            ));
        }
        self.waiting.take(complete, |at, record| {
            let cpu = record.get(12..).and_then(<[u8]>::first_chunk);
            let cpu = cpu.map_or(0, |four| u32::from_le_bytes(*four));
            take(cpu as usize, at, &record[EVENT..])
        })
    }

    fn read(&mut self) -> u64 {
        let Self { rooms, events, waiting, malformed, waker, .. } = self;
        let mut of = None;
        rooms.take(|lying| {
            if of.replace(lying.cpu) != Some(lying.cpu) {
                waiting.begin();
            }
            let event = events.get_mut(usize::from(lying.number)).and_then(|event| {
                let names = event.names.get_mut(lying.cpu)?;
                Event::of(lying, event.shape, *waker, names)
            });
            match event {
                Some(event) => waiting.add(event.at(), event.bytes()),
                None => *malformed += 1,
            }
        })
    }

    /// How many events found no room, or came while their program ran; the kernel is asked for these at the end.
    fn lost(&self, is_end: bool) -> io::Result<u64> {
        let lost = self.shared.long(LOST.unsigned_abs().into()).load(Ordering::Relaxed);
        let mut all = lost + self.malformed;
        for event in self.events.iter().filter(|_| is_end) {
            all += missed(&event.program)?;
        }
        Ok(all)
    }
}

/// What is to be recorded.
struct Found {
    name: String,
    shape: Shape,
    tracepoint: u32,
}

/// The events of an event or a system, as far as the kernel has them.
fn kernel_has(types: &Types, wanted: &str, is_needed: bool) -> Result<Vec<Found>, Unable> {
    let shapes = shapes(wanted).ok_or_else(|| Unable(format!("{wanted} has no program")))?;
    let mut found = Vec::new();
    for (name, shape) in shapes {
        let Some((tracepoint, values)) = types.tracepoint(&name) else {
            if is_needed {
                return Err(missing(&name));
            }
            continue;
        };
        let (least, most) = shape.values();
        if values < least || values > most {
            return Err(Unable(format!("{name} has {values} values in this kernel")));
        }
        found.push(Found { name, shape, tracepoint });
    }
    Ok(found)
}

/// One more than the highest number of a processor.
fn cpus() -> usize {
    let possible = fs::read_to_string(CPUS).unwrap_or_default();
    let last = possible.trim().rsplit([',', '-']).next().and_then(|last| last.parse().ok());
    last.map_or_else(
        || thread::available_parallelism().map_or(1, usize::from),
        |last: usize| last + 1,
    )
}

fn missing(what: &str) -> Unable {
    Unable(format!("this kernel does not have {what}"))
}
