//! `vorrang learn`: a description from what a machine did.

use crate::content::Content;
use crate::destination::{Destinations, Replace};
use crate::edited;
use crate::init::write_new;
use crate::owners::Owners;
use crate::stored;
use crate::tracing::{Traced, listen};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use vorrang_command::exit::{Failure, Output};
use vorrang_command::input::{explained, file};
use vorrang_command::interruption;
use vorrang_enforce::{Folder, Kernel, Linux, cpus_of};
use vorrang_learn::document::{updated, written};
use vorrang_learn::{Facts, Form, Learner, Learnt, Separation, Style, Wanted};
use vorrang_observe::schedule::events::ALARMS;
use vorrang_quote::name::{quoted, shown};
use vorrang_quote::visible;
use vorrang_recorded::{Means, Told};
use vorrang_time::Duration;

/// Write a description from what a machine did
///
///     $ vorrang learn --trace crates/observe/tests/data/7.2-rt.trace --arrivals periodic --thread fifo
///     # What crates/observe/tests/data/7.2-rt.trace did, as `vorrang learn` saw it in 53.862 ms: 206 events. State what each task needs (`deadline`).
///
///     version = 1
///
///     [core.0]
///     scheduler = "linux"
///     cpu = 0
///
///     # learnt: fifo (112): SCHED_FIFO 10, ran on 0
///     # learnt: woken by a timer 3 times
///     [task.fifo]
///     on = "core.0"
///     wcet = "1208us" # learnt 1208us: 3 jobs in 53.862 ms, longest 1.006 ms, 99.9 % 1.006 ms
///     ...
///
/// Reads a trace of the kernel, as tracefs prints it, or `trace-cmd report` or `perf script` do, or a
/// trace.dat or perf.data; or traces this machine for a while (--for). The events sched_switch and sched_waking are needed; interrupts,
/// hrtimer_start and calls of the kernel are used if they are there. Memory does not grow with the trace.
///
/// Each real-time thread becomes a task, those of SCHED_DEADLINE in a reservation, and virtual processors
/// of QEMU a `vcpu`. Interrupts are stated with what they wake. Behind each learnt value stands where it
/// is from; times have the margin of --margin. Verdicts name what was learnt (docs/learn.md).
///
/// --update writes into a description that is there: values that were edited, comments, and tables
/// without `learnt` stay.
///
/// A job ends when its thread sleeps. Where some sleeps are within jobs, --separate NAME=KIND says which
/// are between them: sleep (any), timer, read, futex, poll, yield.
///
/// Exit codes: 0 written, 2 the trace or the description is wrong, 4 this machine cannot be traced, or
/// the output cannot be written.
#[expect(clippy::doc_markdown, reason = "the manual is plain text")]
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Learn {
    /// What is looked at.
    #[command(flatten)]
    traced: Traced,
    /// The folder with the files of the machine that the trace is of
    #[arg(long, value_name = "DIR", conflicts_with = "time")]
    root: Option<PathBuf>,
    /// These processors only
    #[arg(long, value_name = "LIST", value_parser = processors)]
    cpus: Option<Processors>,
    /// Threads of this name only; may be repeated
    #[arg(long = "thread", value_name = "NAME")]
    threads: Vec<String>,
    #[command(flatten)]
    owners: Owners,
    /// What is between two jobs of the threads of a name: sleep, timer, read, futex, poll, yield
    #[arg(long = "separate", value_name = "NAME=KIND", value_parser = separation)]
    separations: Vec<(String, Separation)>,
    /// How much more than what was seen is stated
    #[arg(long, value_name = "PART", default_value = "20%", value_parser = margin)]
    margin: u32,
    /// What is stated of arrivals: curve, sporadic, periodic [default: by what they are like]
    #[arg(long, value_name = "FORM")]
    arrivals: Option<Form>,
    /// Write it into this description
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    update: Option<PathBuf>,
    /// Write it to this file, which must not exist yet
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

/// Numbers of processors.
#[derive(Clone, Debug)]
struct Processors(Vec<usize>);

fn processors(text: &str) -> Result<Processors, String> {
    let cpus =
        cpus_of(text).filter(|cpus| !cpus.is_empty()).ok_or("expected a list such as 0,2-3")?;
    Ok(Processors(cpus.into_iter().map(|cpu| cpu as usize).collect()))
}

fn separation(text: &str) -> Result<(String, Separation), String> {
    let (name, kind) =
        text.rsplit_once('=').ok_or("expected a name and a kind, such as control=timer")?;
    Ok((name.to_owned(), kind.parse()?))
}

/// A percentage, in millionths.
fn margin(text: &str) -> Result<u32, String> {
    let wrong = || "expected a percentage up to 100%, such as 20%".to_owned();
    let number = text.strip_suffix('%').ok_or_else(wrong)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty()
        || whole.len() > 3
        || fraction.len() > 4
        || !is_digits(whole)
        || !is_digits(fraction)
    {
        return Err(wrong());
    }
    let millionths = format!("{whole}{fraction:0<4}").parse().ok();
    millionths.filter(|part| *part <= 1_000_000).ok_or_else(wrong)
}

/// A piece of a file.
const PIECE: usize = 1 << 20;
/// The longest line of a trace, in bytes: the kernel prints no event in more than a few hundred.
const LINE: usize = 1 << 16;

impl Learn {
    /// # Errors
    /// The input is wrong, the machine cannot be traced, or the output cannot be written.
    pub fn run(&self) -> Result<Output, Failure> {
        let before = self.owners.threads(self.machine().as_deref())?;
        let (mut learnt, from) = self.learnt()?;
        self.has_what_separates(&learnt)?;
        if let Some(mut chosen) = before {
            // Those that came meanwhile count, too.
            chosen.extend(self.owners.threads(self.machine().as_deref())?.unwrap_or_default());
            learnt.keep(&chosen);
        }
        let facts = self.machine().map(|kernel| Facts::of(&*kernel, &learnt)).unwrap_or_default();
        if learnt.threads.is_empty() {
            return Err(Failure::bad_input(format!(
                "error: {from}: no real-time thread and no virtual processor ran: there is nothing to learn\n"
            )));
        }
        let style = Style { margin: self.margin, form: self.arrivals };
        if let Some(path) = &self.update {
            return update(path, &learnt, &facts, &style);
        }
        let text = written(&learnt, &facts, &style, &from);
        let Some(out) = &self.out else { return Ok(Output::success(text)) };
        write_new(out, text.as_bytes())?;
        eprintln!("Written. Next: vorrang check {}", quoted(out));
        Ok(Output::success(""))
    }

    /// The files of the machine that is traced or was.
    fn machine(&self) -> Option<Box<dyn Kernel>> {
        match &self.root {
            Some(root) => Some(Box::new(Folder(root.clone()))),
            None if self.traced.trace.is_none() => Some(Box::new(Linux)),
            None => None,
        }
    }

    fn learnt(&self) -> Result<(Learnt, String), Failure> {
        let wanted = Wanted {
            cpus: self.cpus.clone().map(|list| list.0).unwrap_or_default(),
            names: self.threads.clone(),
            separations: self.separations.iter().cloned().collect(),
        };
        let mut learner = Learner::new(wanted);
        let from = match (&self.traced.trace, self.traced.time) {
            (Some(path), _) => {
                read(path, &mut learner)?;
                shown(path)
            }
            (None, time) => {
                let means = self.live(time.unwrap_or_default(), &mut learner)?;
                format!("this machine (recorded by {means})")
            }
        };
        Ok((learner.finish(), from))
    }

    fn live(&self, time: Duration, learner: &mut Learner) -> Result<Means, Failure> {
        interruption::listen();
        let mut files = Destinations::new(self.replace, &Vec::<PathBuf>::new());
        let keep = self.traced.keep.as_ref();
        let keep = keep.map(|path| files.begin(path, Content::KernelTrace)).transpose()?;
        let calls: Vec<String> =
            Separation::calls().map(|call| format!("syscalls/sys_enter_{call}")).collect();
        let mut besides = vec![ALARMS];
        if !self.separations.is_empty() {
            besides.extend(calls.iter().map(String::as_str));
        }
        listen(time, self.traced.by, &besides, keep, |told| {
            let taken = match told {
                Told::Record(record) => learner.record(&record),
                Told::Text(text) => learner.text(text),
            };
            taken.map_err(|why| {
                Failure::host(format!("error: the trace of this machine: {}\n", why.why))
            })
        })
    }

    /// Calls tell sleeps apart; timers are known without.
    fn has_what_separates(&self, learnt: &Learnt) -> Result<(), Failure> {
        let is_blind = |kind: &Separation| !matches!(kind, Separation::Sleep | Separation::Timer);
        let blind = self.separations.iter().find(|(_, kind)| is_blind(kind) && !learnt.has_calls);
        blind.map_or(Ok(()), |(name, kind)| {
            Err(Failure::bad_input(format!(
                "error: --separate {}={kind}: the trace has no calls of the kernel (syscalls:sys_enter_*)\n",
                visible(name)
            )))
        })
    }
}

fn update(path: &Path, learnt: &Learnt, facts: &Facts, style: &Style) -> Result<Output, Failure> {
    let name = shown(path);
    let wrong = |why: String| Failure::bad_input(format!("error: {name}: {why}\n"));
    let bytes = file(path).map_err(|why| wrong(explained(&why)))?;
    let text = String::from_utf8(bytes).map_err(|why| wrong(why.to_string()))?;
    let (new, changes) =
        updated(&text, learnt, facts, style).map_err(|why| wrong(visible(&why)))?;
    if new != text {
        edited::replace(path, &new)?;
    }
    let mut said = String::new();
    for change in &changes {
        said += &visible(change);
        said.push('\n');
    }
    Ok(Output::success(if said.is_empty() { "Nothing is new.\n".to_owned() } else { said }))
}

/// Reads a trace from a file, or from standard input (`-`), a piece at a time.
fn read(path: &Path, learner: &mut Learner) -> Result<(), Failure> {
    let name = shown(path);
    let wrong = |why: String| Failure::bad_input(format!("error: {name}: {}\n", visible(&why)));
    let unreadable = |why: io::Error| stored::failure(path, &why);
    let mut trace = stored::text_of(path)?;
    let mut text = Vec::with_capacity(PIECE + LINE);
    loop {
        let length =
            trace.by_ref().take(PIECE as u64).read_to_end(&mut text).map_err(unreadable)?;
        let whole = last_end(&text);
        learner.text(&text[..whole]).map_err(|why| wrong(why.to_string()))?;
        text.drain(..whole);
        if text.len() > LINE {
            return Err(wrong(format!("a line is longer than {LINE} bytes: this is no trace")));
        }
        if length == 0 {
            break;
        }
    }
    if text.is_empty() {
        return Ok(());
    }
    Err(wrong("the last line does not end: the text is cut there; remove that line".to_owned()))
}

/// Behind the last end of a line.
fn last_end(text: &[u8]) -> usize {
    text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}
