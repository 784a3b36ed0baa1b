//! Programs at tracepoints, and what they wrote.
//!
//! **Model.** All programs are at their tracepoints before one value lets them write, so that no event begins earlier than
//! another. Records of all processors lie in one ring buffer in the order in which they were given room. The time of a record
//! is taken after that: what was before the instant of a look at the ring lies before the place that was reached then.

use crate::call::{Mapped, load, missed, page, put, shared};
use crate::kernel::{LENGTHS, LICENCE, LOST, ON, Places, Shape, format, program, settle, shapes};
use crate::ring::Ring;
use crate::types::Types;
use crate::waiting::Waiting;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

const TYPES: &str = "/sys/kernel/btf/vmlinux";
/// Room for each processor: some 50 000 switches between two looks.
const ROOM: usize = 4 << 20;
/// The least room and the most, which the kernel keeps for as long as it is recorded.
const LEAST: usize = 16 << 20;
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
    events: Vec<Event>,
    ring: Ring,
    shared: Mapped,
    waiting: Waiting,
    malformed: u64,
}

#[derive(Debug)]
struct Event {
    name: String,
    shape: Shape,
    program: OwnedFd,
    /// It is at its tracepoint.
    put: Option<OwnedFd>,
}

impl Recorder {
    /// Whether an event or a system, as tracefs names them (`sched/sched_switch`, `irq_vectors`), has programs.
    pub fn has(wanted: &str) -> bool {
        shapes(wanted).is_some()
    }

    /// Programs for these events and systems, as far as the kernel has them; nothing is written yet.
    ///
    /// # Errors
    /// The kernel does not describe its types, refuses a program, or has not what is needed; or there is no program.
    pub fn of(needed: &[&str], others: &[&str]) -> Result<Self, Unable> {
        let types = fs::read(TYPES).map_err(|why| Unable(format!("{TYPES}: {why}")))?;
        let types = Types::of(types).map_err(|why| Unable(format!("{TYPES}: {why}")))?;
        let places = Places::of(&types).ok_or_else(|| missing("a field that is recorded"))?;
        let cpus = thread::available_parallelism().map_or(1, usize::from);
        let room = (cpus * ROOM).next_power_of_two().clamp(LEAST, MOST);
        let ring = u32::try_from(room).map_err(io::Error::other).and_then(Ring::new);
        let ring =
            ring.map_err(|why| Unable(format!("the kernel refuses a ring buffer: {why}")))?;
        let refused = |why| Unable(format!("the kernel refuses a map: {why}"));
        let value = shared(16).map_err(refused)?;
        let shared = Mapped::of(&value, 0, page(), true).map_err(refused)?;
        let mut events = Vec::new();
        let wanted = needed.iter().map(|name| (name, true));
        for (wanted, is_needed) in wanted.chain(others.iter().map(|name| (name, false))) {
            let shapes =
                shapes(wanted).ok_or_else(|| Unable(format!("{wanted} has no program")))?;
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
                let number = u16::try_from(events.len()).unwrap_or(u16::MAX);
                let made = program(number, shape, &places, ring.file(), value.as_raw_fd());
                let program = load(&made.code, LICENCE, tracepoint).map_err(|why| {
                    Unable(format!("the kernel refuses the program of {name}: {why}"))
                })?;
                events.push(Event { name, shape, program, put: None });
            }
        }
        Ok(Self { events, ring, shared, waiting: Waiting::default(), malformed: 0 })
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
                if self.ring.is_empty() {
                    break;
                }
                thread::sleep(Duration::from_millis(1));
                self.read();
            }
            complete = u64::MAX;
        }
        let lost = self.lost()?;
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
        let (waiting, events, malformed) = (&mut self.waiting, &self.events, &mut self.malformed);
        self.ring.take(|record| {
            let head = record.first_chunk::<10>().filter(|_| record.len() >= LENGTHS.0);
            let event = head
                .and_then(|head| events.get(usize::from(u16::from_le_bytes([head[8], head[9]]))));
            let (Some(head), Some(event)) = (head, event) else {
                *malformed += 1;
                return;
            };
            let at = head.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight));
            waiting.add(at, record, |record| settle(event.shape, record));
        })
    }

    /// How many events found no room, or came while their program ran.
    fn lost(&self) -> io::Result<u64> {
        let lost = self.shared.long(LOST.unsigned_abs().into()).load(Ordering::Relaxed);
        let mut all = lost + self.malformed;
        for event in &self.events {
            all += missed(&event.program)?;
        }
        Ok(all)
    }
}

fn missing(what: &str) -> Unable {
    Unable(format!("this kernel does not have {what}"))
}
