//! Starts workers, one at a time, and goes on behind an input that ended one.
//!
//! A worker that died has left no report: what it had taken before that input is taken again by another one, so
//! that every input is counted once. Whatever a worker writes is in a folder of its own, which the supervisor
//! removes when it has ended, in whatever way; after Ctrl-C as well.

use crate::corpus::Corpus;
use crate::input::Input;
use crate::order::Order;
use crate::tally::{Fault, Finding, Tally};
use crate::worker::Report;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use vorrang_command::interruption;

/// Inputs of one worker: enough that its start costs nothing, few enough that little is lost with it.
const EACH: u64 = 25_000;

/// A worker that waits for something never takes so long.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// How a worker ended.
enum End {
    Report(Report),
    Dead(Finding),
}

/// Takes all inputs; `told` is told after each worker.
///
/// # Errors
/// A worker cannot be started, or Ctrl-C ends it all ([`io::ErrorKind::Interrupted`]).
pub fn supervise(order: &Order, mut told: impl FnMut(u64, &Tally)) -> io::Result<Tally> {
    let corpus = Corpus::of_repository()?;
    let folder = folder()?;
    let place = folder.path().join("number");
    let mut tally = Tally::default();
    let mut done = 0;
    let mut waiting = Vec::new();
    waiting.push(0..order.inputs);
    while let Some(range) = waiting.pop() {
        if range.is_empty() {
            continue;
        }
        let now = range.start..range.end.min(range.start + EACH);
        match one(order, now.clone(), &place)? {
            End::Report(report) => {
                done += report.next - now.start;
                tally.add(report.tally);
                waiting.push(report.next..range.end);
            }
            End::Dead(finding) => {
                let at = finding.index;
                let Input { reader, depth, .. } = Input::drawn(&corpus, order.seed, at, order.only);
                tally.count(at, reader, depth, false, 0);
                tally.findings.push(finding);
                done += 1;
                waiting.push(at + 1..range.end);
                waiting.push(now.start..at);
            }
        }
        told(done, &tally);
    }
    tally.findings.sort_by_key(|finding| finding.index);
    Ok(tally)
}

fn one(order: &Order, numbers: Range<u64>, place: &Path) -> io::Result<End> {
    fs::write(place, numbers.start.to_le_bytes())?;
    let mut command = order.command();
    command.args(["--worker", &format!("{}..{}", numbers.start, numbers.end)]);
    command.arg("--place").arg(place);
    let (dead, out) = watched(command, order.patience, || number_in(place))?;
    let index = number_in(place);
    if let Some((fault, says)) = dead {
        return Ok(End::Dead(Finding { index, fault, says }));
    }
    serde_json::from_str(&out).map(End::Report).map_err(io::Error::other)
}

fn number_in(place: &Path) -> u64 {
    let bytes = fs::read(place).unwrap_or_default();
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// A folder that is removed when it is dropped, in memory where there is such a place.
fn folder() -> io::Result<TempDir> {
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    TempDir::with_prefix_in("vorrang-fuzz-", place)
}

/// Runs a worker; why it ended without a report, and what it printed. `at` says where it is.
///
/// # Errors
/// It cannot be started, or Ctrl-C ends it.
pub fn watched(
    mut command: Command,
    patience: Duration,
    at: impl Fn() -> u64,
) -> io::Result<(Option<(Fault, String)>, String)> {
    let errors = tempfile::tempfile()?;
    let folder = folder()?;
    command.env("TMPDIR", folder.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors.try_clone()?);
    let mut child = command.spawn()?;
    let mut pipe = child.stdout.take().expect("it is piped");
    let reading = thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).map(|_| text)
    });
    let ended = wait(&mut child, patience, at)?;
    if interruption::is_wanted() {
        return Err(io::ErrorKind::Interrupted.into());
    }
    let text = reading.join().expect("reading does not panic")?;
    Ok(match ended {
        None => {
            (Some((Fault::Endless, format!("in {} s of processor time", patience.as_secs()))), text)
        }
        Some(status) if status.success() => (None, text),
        Some(status) => (Some((Fault::Death, format!("{status}: {}", end_of(errors)?))), text),
    })
}

/// How it ended; `None` if it had to be killed: it stayed at one input for too much processor time, or
/// waited there, or all is to end.
fn wait(
    child: &mut Child,
    patience: Duration,
    at: impl Fn() -> u64,
) -> io::Result<Option<ExitStatus>> {
    let mut last = (at(), Duration::ZERO, Instant::now());
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let (now, spent) = (at(), spent_by(child.id()));
        if now != last.0 {
            last = (now, spent, Instant::now());
        }
        let is_stuck = spent.saturating_sub(last.1) > patience || last.2.elapsed() > LONGEST_WAIT;
        if is_stuck || interruption::is_wanted() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(PAUSE);
    }
}

/// Processor time of a process: the fields `utime` and `stime` of its `stat`, in hundredths of a second.
fn spent_by(process: u32) -> Duration {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let behind_name = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields = behind_name.split_whitespace().skip(11).take(2);
    let hundredths = fields.filter_map(|field| field.parse::<u64>().ok()).sum::<u64>();
    Duration::from_millis(10 * hundredths)
}

/// The last words.
fn end_of(mut file: File) -> io::Result<String> {
    use std::io::{Seek as _, SeekFrom};
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(2_000)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// Where an input is kept.
pub fn kept(folder: &Path, input: &Input, index: u64, what: &str) -> PathBuf {
    folder.join(format!("{}-{index}{what}", input.reader))
}
