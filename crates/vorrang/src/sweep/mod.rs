//! `vorrang sweep`: a study, shard by shard, into a folder.

pub mod folder;
mod own;
mod summary;

use folder::Folder;
use own::{Own, Vary};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::input::explained;
use vorrang_command::interruption;
use vorrang_command::{progress, screen};
use vorrang_quote::name::shown;
use vorrang_sim::Search;
use vorrang_sweep::{Ask, Shard, Study};
use vorrang_verdict::identity::TOOL;
use vorrang_verdict::input::complaint;

/// Judge a description at other values, or draw many systems and answer the same questions for each
///
///     $ vorrang sweep examples/hello.toml --vary vcpu.motor.budget=1ms..4ms:1ms --of control
///     vcpu.motor.budget  verdict  nearest to its limit   of it  task.control
///                                                          [%]          [us]
///     -----------------  -------  --------------------  ------  ------------
///     1ms                refuted  task.control          129.34         19400
///     2ms                proven   task.control           62.67          9400
///     ...
///
/// --vary gives a key of the description several values: `1ms..4ms:1ms` is a range with its step, `polling,deferrable`
/// a list. Every combination of several keys is a point, at which the description is judged as by `vorrang check`.
/// --csv prints a row for each point and requirement, --svg draws the bounds against the key that is given first, and
/// --part 3/16 takes every sixteenth point, for the jobs of a cluster.
///
///     vorrang sweep study.toml --out results
///
/// A study states how systems are drawn, at which points (any value of its generator may be a list or
/// a range), how many at each, and which questions are answered for each (docs/sweep.md). The answers
/// are Parquet files in the folder, a row for each system: `shard-000000.parquet` and so on, beside a
/// copy of the study.
///
/// It can be stopped at any instant, even by `kill -9`, and started again: only incomplete shards are
/// computed anew. A shard has the same bytes on any number of threads and machines. Several
/// processes may share a folder: --part 3/16 computes every sixteenth shard. A folder that holds another
/// study, or shards of another version of vorrang, is refused.
///
/// When all shards are there, a table shows the result at each point: the share of systems with the
/// answer yes, or the mean of a number and the share of systems that have one.
///
/// --show 2/17 prints the system with index 17 at point 2, as a description for `vorrang check`.
///
/// Exit codes: 0 done, whatever the verdicts, 2 the description, the study or the folder is wrong, 4 it cannot be written, 130 interrupted;
/// complete shards remain.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Sweep {
    /// The study; with --vary the description
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// The folder for the answers; created if there is none
    #[arg(long, value_name = "FOLDER", required_unless_present_any = ["show", "vary"])]
    out: Option<PathBuf>,
    /// A key of the description and its values; may be repeated
    #[arg(long, value_name = "KEY=VALUES", conflicts_with_all = ["out", "show"])]
    vary: Vec<Vary>,
    /// Columns for these requirements; without, all of up to six
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "vary")]
    of: Vec<String>,
    /// Print comma-separated values
    #[arg(long, requires = "vary")]
    csv: bool,
    /// Draw the bounds to this file
    #[arg(long, value_name = "FILE", requires = "vary")]
    svg: Option<PathBuf>,
    /// Steps of the simulator at each point
    #[arg(long, value_name = "NUMBER", requires = "vary", default_value_t = Search::default().steps)]
    steps: u64,
    /// Threads that compute; all processors if left out
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    threads: usize,
    /// Only these shards: 3/16 is the third of every sixteen
    #[arg(long, value_name = "I/N", value_parser = part, default_value = "1/1")]
    part: (u64, u64),
    /// Print one system as a description instead: its point and its index there
    #[arg(long, value_name = "POINT/INDEX", value_parser = place, conflicts_with = "out")]
    show: Option<(usize, u64)>,
    /// The question for which it is printed; the first if left out
    #[arg(long = "as", value_name = "ASK", requires = "show")]
    seen_as: Option<String>,
}

fn two<A: std::str::FromStr, B: std::str::FromStr>(text: &str) -> Option<(A, B)> {
    let (first, second) = text.split_once('/')?;
    Some((first.parse().ok()?, second.parse().ok()?))
}

fn part(text: &str) -> Result<(u64, u64), String> {
    let found = two(text).filter(|(number, of)| (1..=*of).contains(number));
    found.ok_or_else(|| "write 3/16 for the third of sixteen parts".to_owned())
}

fn place(text: &str) -> Result<(usize, u64), String> {
    two(text).ok_or_else(|| "write 2/17 for the system with index 17 at point 2".to_owned())
}

/// The study in a text; `name` is its name in messages.
///
/// # Errors
/// Everything that is wrong with it, ready to print.
pub fn study(name: &str, text: &[u8]) -> Result<Study, Failure> {
    vorrang_sweep::read(text).map_err(|found| {
        Failure::bad_input(complaint(name, text, &found, screen::of_diagnostics()))
    })
}

impl Sweep {
    /// # Errors
    /// The study or the folder is wrong, or cannot be written.
    pub fn run(&self) -> Result<Output, Failure> {
        if !self.vary.is_empty() {
            return pool(self.threads)?.install(|| self.own().run());
        }
        let name = shown(&self.study);
        let text = std::fs::read(&self.study)
            .map_err(|why| Failure::bad_input(format!("error: {name}: {}\n", explained(&why))))?;
        let study = study(&name, &text)?;
        if let Some(place) = self.show {
            return self.shown(&study, place);
        }
        let out = self.out.as_ref().expect("required without --show");
        interruption::listen();
        let folder = Folder::open(out, &study)?;
        let missing = folder.missing(self.part)?;
        let pool = pool(self.threads)?;
        let is_whole = pool.install(|| compute(&study, &folder, &missing))?;
        if !is_whole {
            let text = format!("interrupted; {} goes on with the same command\n", shown(out));
            return Err(Failure { exit: Exit::Interrupted, message: text });
        }
        let left = folder.missing((1, 1))?.len();
        if left > 0 {
            let all = study.shards();
            return Ok(Output::success(format!(
                "{} of {all} shards are there.\n",
                all - left as u64
            )));
        }
        summary::table(&study, &folder).map(Output::success)
    }

    fn own(&self) -> Own {
        Own {
            file: self.study.clone(),
            varied: self.vary.clone(),
            of: self.of.clone(),
            csv: self.csv,
            svg: self.svg.clone(),
            part: self.part,
            steps: self.steps,
        }
    }

    fn shown(&self, study: &Study, (point, index): (usize, u64)) -> Result<Output, Failure> {
        let (points, samples) = (study.points().len(), study.samples());
        if point >= points || index >= samples {
            let (last, most) = (points - 1, samples - 1);
            return Err(Failure::bad_input(format!(
                "error: there is no system {point}/{index}: points go from 0 to {last}, indices from 0 to {most}\n"
            )));
        }
        let names = || study.asks().iter().map(|ask| ask.name.as_str()).collect::<Vec<_>>();
        let is_named = |ask: &&Ask| self.seen_as.as_ref().is_none_or(|name| *name == ask.name);
        let ask = study.asks().iter().find(is_named).ok_or_else(|| {
            let names = names().join(", ");
            Failure::bad_input(format!("error: no such question is asked: there are {names}\n"))
        })?;
        Ok(Output::success(study.description(point, index, ask)))
    }
}

/// As many threads as asked for.
///
/// # Errors
/// The host has none.
pub fn pool(threads: usize) -> Result<ThreadPool, Failure> {
    let built = ThreadPoolBuilder::new().num_threads(threads).stack_size(8 << 20).build();
    built.map_err(|why| Failure::host(format!("error: no threads: {why}\n")))
}

/// Computes and writes these shards, one after the other; false: interrupted.
fn compute(study: &Study, folder: &Folder, shards: &[u64]) -> Result<bool, Failure> {
    let systems = |shard: &u64| {
        let range = study.systems_of(*shard);
        range.end - range.start
    };
    let done = Arc::new(AtomicU64::new(0));
    let _waiting = progress::of_systems(Arc::clone(&done), shards.iter().map(systems).sum());
    let tell = |count| {
        done.fetch_add(count, Ordering::Relaxed);
    };
    for shard in shards {
        match Shard::answered(study, *shard, interruption::is_wanted, tell) {
            Ok(answered) => folder.publish(*shard, &answered.bytes(TOOL))?,
            Err(_) => return Ok(false),
        }
    }
    Ok(true)
}
