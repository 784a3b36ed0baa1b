//! A trace of the running machine, as it is written.
//!
//! **Model.** A separate instance of tracefs, read while it is written; removed at the end, at an interruption, and by the
//! next run if this one is killed. Its events are taken from its pages, which costs a fraction of what it costs the kernel to
//! print them; where its pages or formats are of a kind that is not known, the kernel makes the text.

use crate::live::Live;
use crate::record::Record;
use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::thread;
use std::time::{Duration, Instant};
use vorrang_measure::machine::Unable;
use vorrang_measure::machine::tracefs::{Instance, Tracefs};

/// Kilobytes for each processor: some 100 000 switches between two looks.
const BUFFER: &str = "8192";
/// The time between two reads.
const PAUSE: Duration = Duration::from_millis(50);

/// What is handed on.
#[derive(Clone, Copy, Debug)]
pub enum Told<'a> {
    /// An event, in the order of time.
    Record(Record<'a>),
    /// Whole lines of the kernel's own text.
    Text(&'a [u8]),
}

enum Source {
    Pages(Live<File>),
    /// The pipe, and the beginning of a line.
    Pipe(File, Vec<u8>),
}

/// A trace that has not begun.
pub struct Tracing {
    // Closed before the instance is removed: while it is open, that is refused.
    source: Source,
    instance: Instance,
}

impl Tracing {
    /// One of events without which nothing can be seen (`sched/sched_switch`), and of events and systems that are traced where
    /// the kernel has them.
    ///
    /// # Errors
    /// The machine cannot be traced, or not by this user, or has not what is needed.
    pub fn of(needed: &[&str], others: &[&str]) -> Result<Self, Unable> {
        let instance = Tracefs::find()?.instance()?;
        instance.write("tracing_on", "0")?;
        instance.write("buffer_size_kb", BUFFER)?;
        instance.write("trace_clock", "mono")?;
        // Events have their threads' names in them. That the kernel also keeps a name for each number, for its own text,
        // costs a quarter of what it takes to record a switch.
        let keeps_no_names = instance.write("trace_options", "norecord-cmd").is_ok();
        if instance.enable(needed).len() < needed.len() {
            return Err(Unable(format!("this kernel does not trace all of {}", needed.join(", "))));
        }
        instance.enable(others);
        let events: Vec<&str> = needed.iter().chain(others).copied().collect();
        // What lays its pages out otherwise makes its own text.
        let source = if let Ok(pages) = Live::of(&instance.path(""), &events) {
            Source::Pages(pages)
        } else {
            if keeps_no_names {
                instance.write("trace_options", "record-cmd")?;
            }
            let path = instance.path("trace_pipe");
            let pipe = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(&path);
            let pipe = pipe.map_err(|why| Unable(format!("{}: {why}", path.display())))?;
            Source::Pipe(pipe, Vec::new())
        };
        Ok(Self { source, instance })
    }

    /// Traces for some time, or until it is over, and hands on what happened.
    ///
    /// # Errors
    /// The trace cannot be read, its kernel lost events, or something is not taken.
    pub fn follow(
        mut self,
        time: Duration,
        is_over: impl Fn() -> bool,
        mut take: impl FnMut(Told<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.turn("1")?;
        let until = Instant::now() + time;
        while Instant::now() < until && !is_over() {
            thread::sleep(PAUSE.min(until.saturating_duration_since(Instant::now())));
            self.source.read(false, &mut take)?;
        }
        self.turn("0")?;
        self.source.read(true, &mut take)
    }

    fn turn(&self, on: &str) -> io::Result<()> {
        self.instance.write("tracing_on", on).map_err(|Unable(why)| io::Error::other(why))
    }
}

impl Source {
    fn read(
        &mut self,
        is_end: bool,
        take: &mut impl FnMut(Told<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        match self {
            Self::Pages(pages) => pages.records(is_end, |record| take(Told::Record(*record))),
            Self::Pipe(pipe, text) => {
                drained(pipe, text)?;
                let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
                take(Told::Text(&text[..end]))?;
                text.drain(..end);
                Ok(())
            }
        }
    }
}

/// Reads a pipe until nothing is in it.
fn drained(pipe: &mut File, text: &mut Vec<u8>) -> io::Result<()> {
    match pipe.read_to_end(text) {
        Err(why) if why.kind() == ErrorKind::WouldBlock => Ok(()),
        read => read.map(drop),
    }
}

impl std::fmt::Debug for Tracing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tracing").field("instance", &self.instance).finish_non_exhaustive()
    }
}
