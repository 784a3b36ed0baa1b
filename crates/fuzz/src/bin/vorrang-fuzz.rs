//! Gives generated input to every reader of a user's files, and to the code behind it.
//!
//! ```text
//! vorrang-fuzz                                    # 100,000 inputs over all readers
//! vorrang-fuzz --inputs 10000000 --seed 7         # some hours
//! vorrang-fuzz --only trace --inputs 1000000      # one reader
//! vorrang-fuzz --seed 7 --show 4711               # one input of it
//! ```
//!
//! Exit codes: 0 nothing is wrong; 1 an input shows what must not be; 2 wrong arguments; 130 interrupted.

use clap::Parser;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use vorrang_command::interruption;
use vorrang_fuzz::behind::Bench;
use vorrang_fuzz::corpus::Corpus;
use vorrang_fuzz::cost;
use vorrang_fuzz::input::{ANALYSED, Depth, Input, RUN};
use vorrang_fuzz::order::Order;
use vorrang_fuzz::reader::Reader;
use vorrang_fuzz::shrink::shrunk;
use vorrang_fuzz::supervisor::{kept, supervise};
use vorrang_fuzz::tally::Tally;
use vorrang_fuzz::worker::{take, work};

#[derive(Parser)]
#[command(
    version,
    about = "Gives generated input to every reader of a user's files",
    after_help = "Inputs are made of the files of the repository: run it there, by `cargo run --release -p vorrang-fuzz`."
)]
struct Arguments {
    /// How many inputs.
    #[arg(long, default_value_t = 100_000)]
    inputs: u64,
    /// What the inputs are drawn from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Inputs of this reader only.
    #[arg(long, value_name = "READER")]
    only: Option<Reader>,
    /// Print the input with this number, and take it here.
    #[arg(long, value_name = "NUMBER", conflicts_with = "inputs")]
    show: Option<u64>,
    /// Do not judge processor time: for a program that is not optimised.
    #[arg(long)]
    untimed: bool,
    /// Where inputs are kept that show what must not be.
    #[arg(long, value_name = "DIR", default_value = "target/fuzz")]
    keep: PathBuf,
    /// Be a worker for these inputs.
    #[arg(long, hide = true, value_parser = range)]
    worker: Option<std::ops::Range<u64>>,
    /// Where a worker writes the number of its input.
    #[arg(long, hide = true, requires = "worker")]
    place: Option<PathBuf>,
    /// Take the text in this file.
    #[arg(long = "try", hide = true, requires = "only")]
    tried: Option<PathBuf>,
    /// How far a text that is tried goes.
    #[arg(long, hide = true, default_value = "\"read\"")]
    depth: String,
}

impl Arguments {
    fn order(&self) -> io::Result<Order> {
        let Self { inputs, seed, only, untimed, .. } = *self;
        Ok(Order { only, untimed, ..Order::of(seed, inputs)? })
    }
}

fn range(text: &str) -> Result<std::ops::Range<u64>, String> {
    let (from, to) = text.split_once("..").ok_or("no range")?;
    let number = |text: &str| text.parse::<u64>().map_err(|why| why.to_string());
    Ok(number(from)?..number(to)?)
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match &arguments {
        Arguments { worker: Some(numbers), place: Some(place), .. } => {
            worker(&arguments, numbers, place)
        }
        Arguments { tried: Some(file), only: Some(reader), .. } => tried(&arguments, *reader, file),
        Arguments { show: Some(index), .. } => show(&arguments, *index),
        _ => all(&arguments),
    };
    done.unwrap_or_else(|why| {
        eprintln!("vorrang-fuzz: {why}");
        ExitCode::from(if why.kind() == io::ErrorKind::Interrupted { 130 } else { 2 })
    })
}

fn all(arguments: &Arguments) -> io::Result<ExitCode> {
    let Arguments { inputs, seed, only, .. } = *arguments;
    let of = only.map_or(String::new(), |only| format!(" --only {only}"));
    eprintln!(
        "vorrang-fuzz {} --inputs {inputs} --seed {seed}{of}; one in {ANALYSED} analysed, one in {RUN} run as a command",
        env!("CARGO_PKG_VERSION")
    );
    interruption::listen();
    let mut shown = 0;
    let order = arguments.order()?;
    let tally = supervise(&order, |done, tally| {
        for finding in &tally.findings[shown..] {
            eprintln!("input {} {}: {}", finding.index, finding.fault, finding.says);
        }
        shown = tally.findings.len();
        eprintln!("{done} inputs");
    })?;
    println!("{tally}");
    keep(arguments, &order, &tally)?;
    Ok(if tally.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Keeps what shows something, as it was drawn and made small.
fn keep(arguments: &Arguments, order: &Order, tally: &Tally) -> io::Result<()> {
    let corpus = Corpus::of_repository()?;
    for finding in &tally.findings {
        fs::create_dir_all(&arguments.keep)?;
        let input = Input::drawn(&corpus, arguments.seed, finding.index, arguments.only);
        let path = |what| kept(&arguments.keep, &input, finding.index, what);
        fs::write(path(""), &input.text)?;
        let small = shrunk(order, &input, finding.fault, &path(".tried"))?;
        fs::write(path(".small"), small)?;
        fs::remove_file(path(".tried"))?;
        println!(
            "{} ({:?}) {}: {}",
            path(".small").display(),
            input.depth,
            finding.fault,
            finding.says
        );
    }
    Ok(())
}

fn worker(
    arguments: &Arguments,
    numbers: &std::ops::Range<u64>,
    place: &Path,
) -> io::Result<ExitCode> {
    std::panic::set_hook(Box::new(|_| {}));
    cost::limit_space();
    let now_at = File::options().write(true).open(place)?;
    let report = work(&mut Bench::new()?, &arguments.order()?, numbers.clone(), &now_at)?;
    println!("{}", serde_json::to_string(&report)?);
    Ok(ExitCode::SUCCESS)
}

fn tried(arguments: &Arguments, reader: Reader, file: &Path) -> io::Result<ExitCode> {
    std::panic::set_hook(Box::new(|_| {}));
    cost::limit_space();
    let depth: Depth = serde_json::from_str(&arguments.depth)?;
    let input = Input { reader, depth, text: fs::read(file)? };
    let taken = take(&mut Bench::new()?, &input);
    let order = arguments.order()?;
    let fault = taken.fault.map(|(fault, _)| fault).filter(|fault| order.judges(*fault));
    println!("{}", serde_json::to_string(&fault)?);
    Ok(ExitCode::SUCCESS)
}

fn show(arguments: &Arguments, index: u64) -> io::Result<ExitCode> {
    let mut bench = Bench::new()?;
    let input = Input::drawn(&bench.corpus, arguments.seed, index, arguments.only);
    io::stdout().write_all(&input.text)?;
    eprintln!("\nof {}, {:?}", input.reader, input.depth);
    let taken = take(&mut bench, &input);
    eprintln!("{taken:?}");
    Ok(if taken.fault.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
