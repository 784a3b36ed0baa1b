//! A trace of the running machine, as it is written.
//!
//! **Model.** Programs of eBPF record it where the kernel describes its types and takes them: that costs it least
//! ([`Means::Ebpf`]). Otherwise a separate instance of tracefs does, which is read while it is written; it is removed at the
//! end, at an interruption, and by the next run if this one is killed. Its events are taken from its pages, which costs a
//! fraction of what it costs the kernel to print them; where its pages or formats are of a kind that is not known, the kernel
//! makes the text.

use crate::live::Live;
use crate::programs::Programs;
use crate::record::Record;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::str::FromStr;
use std::thread;
use std::time::{Duration, Instant};
use vorrang_bpf::Recorder;
use vorrang_measure::machine::Unable;
use vorrang_measure::machine::tracefs::{Instance, Tracefs};

/// Kilobytes for each processor: some 100 000 switches between two looks.
const BUFFER: &str = "8192";
/// The time between two reads.
const PAUSE: Duration = Duration::from_millis(200);

/// What records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// Programs at tracepoints.
    Ebpf,
    /// The kernel's own tracing.
    Tracefs,
}

impl fmt::Display for Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ebpf => "eBPF",
            Self::Tracefs => "tracefs",
        })
    }
}

impl FromStr for Means {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "ebpf" => Ok(Self::Ebpf),
            "tracefs" => Ok(Self::Tracefs),
            _ => Err("expected ebpf or tracefs"),
        }
    }
}

/// What is handed on.
#[derive(Clone, Copy, Debug)]
pub enum Told<'a> {
    /// An event, in the order of time.
    Record(Record<'a>),
    /// Whole lines of the kernel's own text.
    Text(&'a [u8]),
}

enum Source {
    Programs(Programs),
    Pages(Live<File>, Instance),
    /// The pipe, and the beginning of a line.
    Pipe(File, Vec<u8>, Instance),
}

/// A trace that has not begun.
pub struct Tracing {
    source: Source,
    /// Why it is not by programs.
    not_programs: Option<String>,
}

impl Tracing {
    /// One of events without which nothing can be seen (`sched/sched_switch`), and of events and systems that are traced where
    /// the kernel has them; by these means, or by what costs less.
    ///
    /// # Errors
    /// The machine cannot be traced, or not by this user or these means, or has not what is needed.
    pub fn of(needed: &[&str], others: &[&str], by: Option<Means>) -> Result<Self, Unable> {
        if by == Some(Means::Tracefs) {
            return Ok(Self { source: by_files(needed, others)?, not_programs: None });
        }
        match by_programs(needed, others) {
            Ok(programs) => Ok(Self { source: Source::Programs(programs), not_programs: None }),
            Err(why) if by.is_some() => Err(why),
            Err(Unable(why)) => {
                let neither = |Unable(files)| Unable(format!("{files}; nor by eBPF: {why}"));
                let source = by_files(needed, others).map_err(neither)?;
                Ok(Self { source, not_programs: Some(why) })
            }
        }
    }

    /// What records, and why that is not what costs less.
    pub fn by(&self) -> (Means, Option<&str>) {
        let means = match self.source {
            Source::Programs(_) => Means::Ebpf,
            Source::Pages(..) | Source::Pipe(..) => Means::Tracefs,
        };
        (means, self.not_programs.as_deref())
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
        self.source.turn(true)?;
        let until = Instant::now() + time;
        while Instant::now() < until && !is_over() {
            thread::sleep(PAUSE.min(until.saturating_duration_since(Instant::now())));
            self.source.read(false, &mut take)?;
        }
        self.source.turn(false)?;
        self.source.read(true, &mut take)
    }
}

/// Programs, if what tracefs would record besides has some.
fn by_programs(needed: &[&str], others: &[&str]) -> Result<Programs, Unable> {
    let tracefs = Tracefs::find().ok();
    let has = |event: &str| tracefs.as_ref().is_some_and(|tracefs| tracefs.has_event(event));
    let (own, alien): (Vec<&str>, Vec<&str>) =
        others.iter().partition(|event| Recorder::has(event));
    if let Some(event) = alien.into_iter().find(|event| has(event)) {
        return Err(Unable(format!("there is no program for {event}")));
    }
    Programs::of(needed, &own).map_err(|vorrang_bpf::Unable(why)| Unable(why))
}

fn by_files(needed: &[&str], others: &[&str]) -> Result<Source, Unable> {
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
    if let Ok(pages) = Live::of(&instance.path(""), &events) {
        return Ok(Source::Pages(pages, instance));
    }
    if keeps_no_names {
        instance.write("trace_options", "record-cmd")?;
    }
    let path = instance.path("trace_pipe");
    let pipe = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(&path);
    let pipe = pipe.map_err(|why| Unable(format!("{}: {why}", path.display())))?;
    Ok(Source::Pipe(pipe, Vec::new(), instance))
}

impl Source {
    fn turn(&mut self, is_on: bool) -> io::Result<()> {
        match self {
            Self::Programs(programs) => programs.turn(is_on),
            // Files are closed before their instance is removed, as they stand: while one is open, that is refused.
            Self::Pages(_, instance) | Self::Pipe(_, _, instance) => {
                let on = if is_on { "1" } else { "0" };
                instance.write("tracing_on", on).map_err(|Unable(why)| io::Error::other(why))
            }
        }
    }

    fn read(
        &mut self,
        is_end: bool,
        take: &mut impl FnMut(Told<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        match self {
            Self::Programs(programs) => {
                programs.records(is_end, |record| take(Told::Record(*record)))
            }
            Self::Pages(pages, _) => pages.records(is_end, |record| take(Told::Record(*record))),
            Self::Pipe(pipe, text, _) => {
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

impl fmt::Debug for Tracing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tracing").field("by", &self.by()).finish_non_exhaustive()
    }
}
