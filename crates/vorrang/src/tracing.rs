//! A trace of the running machine, kept as a text where that is wanted.

use crate::destination::{self, Draft};
use std::borrow::Cow;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration as Time;
use vorrang_command::exit::Failure;
use vorrang_command::interruption;
use vorrang_command::progress;
use vorrang_measure::machine::Unable;
use vorrang_observe::schedule::events::{NEEDED, OTHERS};
use vorrang_recorded::{Means, Told, Tracing};
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
    /// What records: ebpf or tracefs [default: ebpf where the kernel takes it, which costs less]
    #[arg(long, value_name = "MEANS", conflicts_with = "trace")]
    pub(crate) by: Option<Means>,
}

/// Traces for some time, or until the end is wanted; what is traced besides, and who takes what happens. What recorded it.
pub(crate) fn listen(
    time: Duration,
    by: Option<Means>,
    besides: &[&str],
    mut keep: Option<Draft>,
    mut take: impl FnMut(Told<'_>) -> Result<(), Failure>,
) -> Result<Means, Failure> {
    let others: Vec<&str> = OTHERS.iter().chain(besides).copied().collect();
    let tracing = Tracing::of(&NEEDED, &others, by).map_err(|Unable(why)| {
        Failure::host(format!("error: this machine cannot be traced: {why}\n"))
    })?;
    let (means, why) = tracing.by();
    if let Some(why) = why {
        eprintln!("Recorded by {means}, for eBPF cannot be used: {why}");
    }
    let mut failure = None;
    let waiting = progress::talk(|seconds| format!("tracing, {seconds}s"));
    let told = tracing.follow(Time::from_nanos(time.as_ns()), interruption::is_wanted, |told| {
        let kept = keep.as_mut().map_or(Ok(()), |draft| kept(draft, told));
        kept.and_then(|()| take(told)).map_err(|why| {
            failure = Some(why);
            io::Error::other("it was not taken")
        })
    });
    drop(waiting);
    match (failure, told) {
        (Some(failure), _) => Err(failure),
        (None, Err(why)) => {
            Err(Failure::host(format!("error: the trace of this machine cannot be read: {why}\n")))
        }
        (None, Ok(())) => keep.map_or(Ok(()), Draft::finish).map(|()| means),
    }
}

fn kept(draft: &mut Draft, told: Told<'_>) -> Result<(), Failure> {
    let written = draft.write_all(&text(told)?);
    written.map_err(|why| destination::unwritable(draft.path(), &why))
}

/// Whole lines of what is told.
pub(crate) fn text(told: Told<'_>) -> Result<Cow<'_, [u8]>, Failure> {
    match told {
        Told::Text(text) => Ok(Cow::Borrowed(text)),
        Told::Record(record) => {
            let mut line = Vec::new();
            record.line(&mut line).ok_or_else(|| {
                Failure::host("error: the trace of this machine: an event is cut\n")
            })?;
            Ok(Cow::Owned(line))
        }
    }
}
