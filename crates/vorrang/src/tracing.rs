//! A trace of the running machine, as it is written.
//!
//! **Model.** A separate instance of tracefs, read while it is written; removed at the end, at an
//! interruption, and by the next run if this one is killed.

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
    let path = instance.path("trace_pipe");
    let pipe = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(&path);
    let pipe = pipe.map_err(|why| unable(Unable(format!("{}: {why}", path.display()))))?;
    let mut listening = Listening { pipe, keep, take, rest: Vec::new() };
    instance.write("tracing_on", "1").map_err(unable)?;
    let waiting = progress::talk(|seconds| format!("tracing, {seconds}s"));
    let until = Instant::now() + Time::from_nanos(time.as_ns());
    while Instant::now() < until && !interruption::is_wanted() {
        thread::sleep(PAUSE.min(until.saturating_duration_since(Instant::now())));
        listening.read()?;
    }
    drop(waiting);
    instance.write("tracing_on", "0").map_err(unable)?;
    listening.read()?;
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

/// The trace so far.
struct Listening<T> {
    pipe: File,
    keep: Option<Draft>,
    take: T,
    /// The beginning of a line.
    rest: Vec<u8>,
}

impl<T: FnMut(&[u8]) -> Result<(), Failure>> Listening<T> {
    /// Reads everything that is available.
    fn read(&mut self) -> Result<(), Failure> {
        let mut bytes = vec![0; 1 << 16];
        loop {
            match self.pipe.read(&mut bytes) {
                Ok(0) => return Ok(()),
                Ok(length) => self.text(&bytes[..length])?,
                Err(why) if why.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(why) if why.kind() == ErrorKind::Interrupted => {}
                Err(why) => return Err(unreadable(&why)),
            }
        }
    }

    fn text(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if let Some(draft) = &mut self.keep {
            let written = draft.write_all(bytes);
            written.map_err(|why| destination::unwritable(draft.path(), &why))?;
        }
        self.rest.extend_from_slice(bytes);
        let whole = self.rest.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        (self.take)(&self.rest[..whole])?;
        self.rest.drain(..whole);
        Ok(())
    }
}

fn unreadable(why: &io::Error) -> Failure {
    Failure::host(format!("error: the trace of this machine cannot be read: {why}\n"))
}
