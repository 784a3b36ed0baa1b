//! A trace of the running machine, as it is written.
//!
//! **Model.** A separate instance of tracefs, read while it is written; removed at the end, at an
//! interruption, and by the next run if this one is killed. Its pages become text here, which costs a fraction of what it
//! costs the kernel; where its pages or formats are of a kind that is not known, the kernel makes the text.

use crate::destination::{self, Draft};
use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration as Time, Instant};
use vorrang_command::exit::Failure;
use vorrang_command::interruption;
use vorrang_command::progress;
use vorrang_measure::machine::Unable;
use vorrang_measure::machine::tracefs::{Instance, Tracefs};
use vorrang_recorded::Live;
use vorrang_time::Duration;

/// Where a trace comes from.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["trace", "time"])))]
pub(crate) struct Traced {
    /// The text of a trace, a trace.dat or a perf.data; `-`: a text from standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Trace this machine for this long
    #[arg(long = "for", id = "time", value_name = "TIME")]
    pub(crate) time: Option<Duration>,
    /// Also write the text of the trace
    #[arg(long, value_name = "FILE", conflicts_with = "trace")]
    pub(crate) keep: Option<PathBuf>,
}

/// Without these nothing can be seen.
const NEEDED: [&str; 2] = ["sched/sched_switch", "sched/sched_waking"];
/// These are used where a kernel has them.
const OTHERS: [&str; 7] = [
    "sched/sched_wakeup",
    "sched/sched_wakeup_new",
    "irq/irq_handler_entry",
    "irq/irq_handler_exit",
    "irq/softirq_entry",
    "irq/softirq_exit",
    "irq_vectors",
];
/// Kilobytes for each processor: some 100 000 switches between two looks.
const BUFFER: &str = "8192";
/// The time between two reads.
const PAUSE: Time = Time::from_millis(50);

/// Traces for some time, or until the end is wanted; what is traced besides, and who takes whole lines.
pub(crate) fn listen(
    time: Duration,
    besides: &[&str],
    keep: Option<Draft>,
    take: impl FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let unable = |Unable(why): Unable| {
        Failure::host(format!("error: this machine cannot be traced: {why}\n"))
    };
    let instance = begin(besides).map_err(unable)?;
    let events: Vec<&str> = NEEDED.iter().chain(&OTHERS).chain(besides).copied().collect();
    // What lays its pages out otherwise makes its own text.
    let source = if let Ok(pages) = Live::of(&instance.path(""), &events) {
        Source::Pages(pages)
    } else {
        let path = instance.path("trace_pipe");
        let pipe = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(&path);
        Source::Pipe(pipe.map_err(|why| unable(Unable(format!("{}: {why}", path.display()))))?)
    };
    let mut listening = Listening { source, keep, take, text: Vec::new() };
    instance.write("tracing_on", "1").map_err(unable)?;
    let waiting = progress::talk(|seconds| format!("tracing, {seconds}s"));
    let until = Instant::now() + Time::from_nanos(time.as_ns());
    while Instant::now() < until && !interruption::is_wanted() {
        thread::sleep(PAUSE.min(until.saturating_duration_since(Instant::now())));
        listening.read(false)?;
    }
    drop(waiting);
    instance.write("tracing_on", "0").map_err(unable)?;
    listening.read(true)?;
    // The pipe is closed before the instance is removed: while it is open, that is refused.
    listening.keep.map_or(Ok(()), Draft::finish)
}

fn begin(besides: &[&str]) -> Result<Instance, Unable> {
    let instance = Tracefs::find()?.instance()?;
    instance.write("tracing_on", "0")?;
    instance.write("buffer_size_kb", BUFFER)?;
    instance.write("trace_clock", "mono")?;
    let known = instance.enable(&NEEDED);
    if known.len() < NEEDED.len() {
        return Err(Unable(format!("this kernel does not trace all of {}", NEEDED.join(", "))));
    }
    instance.enable(&OTHERS);
    instance.enable(besides);
    Ok(instance)
}

/// Where the text comes from.
enum Source {
    Pages(Live<File>),
    Pipe(File),
}

/// The trace so far.
struct Listening<T> {
    source: Source,
    keep: Option<Draft>,
    take: T,
    /// What was not taken; at the end of a text of the kernel, the beginning of a line.
    text: Vec<u8>,
}

impl<T: FnMut(&[u8]) -> Result<(), Failure>> Listening<T> {
    /// Reads what is available: all of it at the end.
    fn read(&mut self, is_end: bool) -> Result<(), Failure> {
        let begin = self.text.len();
        let read = match &mut self.source {
            Source::Pages(pages) if is_end => pages.finish(&mut self.text),
            Source::Pages(pages) => pages.read(&mut self.text),
            Source::Pipe(pipe) => drained(pipe, &mut self.text),
        };
        read.map_err(|why| unreadable(&why))?;
        if let Some(draft) = &mut self.keep {
            let written = draft.write_all(&self.text[begin..]);
            written.map_err(|why| destination::unwritable(draft.path(), &why))?;
        }
        let whole = self.text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        (self.take)(&self.text[..whole])?;
        self.text.drain(..whole);
        Ok(())
    }
}

/// Reads a pipe until nothing is in it.
fn drained(pipe: &mut File, text: &mut Vec<u8>) -> io::Result<()> {
    match pipe.read_to_end(text) {
        Err(why) if why.kind() == ErrorKind::WouldBlock => Ok(()),
        read => read.map(drop),
    }
}

fn unreadable(why: &io::Error) -> Failure {
    Failure::host(format!("error: the trace of this machine cannot be read: {why}\n"))
}
