//! `vorrang design`: chooses values that a description leaves open.
//!
//! **Model.** The search is `vorrang-design`'s; the description that comes of it is read again from its text,
//! and judged as `vorrang check` judges it. A result that is not proven then is a bug.

mod absence;
mod best;
mod curve;
mod designed;
mod document;
mod payers;
mod text;

use crate::content::Content;
use crate::destination::{Destinations, Replace};
use absence::Reasons;
use best::Best;
use designed::Designed;
use std::path::PathBuf;
use vorrang_command::decided::decided;
use vorrang_command::exit::{Exit, Failure, Found, Output};
use vorrang_command::input::{OpenInput, Source, tell_warnings};
use vorrang_command::interruption;
use vorrang_command::progress;
use vorrang_design::{Absence, Answer, Limits, NoCurve, conflict, uncovered};
use vorrang_verdict::absence::sentence;

/// Choose budgets, periods, priorities and places: as little as possible, and proven
///
///     $ vorrang design designs/hello.toml
///     of          budget  period  reserves
///                   [us]    [us]       [%]
///     ----------  ------  ------  --------
///     vcpu.motor    1286   14000      9.19
///
///     These servers take 9.30 % of a core, with what switching takes: optimal, no other choice that is
///     proven takes less (1862 steps).
///
///     The price, in percent of a core (left rounded down, all else up):
///
///     core    reserved  beside  switching   left   used
///                  [%]     [%]        [%]    [%]    [%]
///     ------  --------  ------  ---------  -----  -----
///     core.0      9.19    4.00       0.12  86.70  13.00
///
///     designs/hello.toml:
///
///     23 - budget = "?"
///     23 + budget = "1286us"
///     ...
///
/// What is to be chosen is left open in the description: `budget = "?"`, `period = "?"`, `priority = "?"` and
/// `on = "?"` (of tasks, too), with bounds (`{ from = "1ms", to = "20ms", step = "100us" }`) or as one
/// of several (`["5ms", "10ms"]`); docs/description.md has all forms. Everything else remains
/// unchanged.
///
/// The best design takes the least of the cores: what servers reserve, and what switching to them
/// takes (`[costs]`, and the profile of the machine). A lower bound says how much less another design
/// could take; *optimal*: none takes less. docs/design.md says when this is exact. --best selects
/// another objective: `core.0`, the least of that core; `price=1,core.0=3`, a mixture in which each
/// core counts by the sum of its weights; `margin`, the design that is still proven when all execution
/// times grow by the largest factor. Among equal designs the one that takes the least of all cores is
/// chosen.
///
/// The completed description gets the verdict of `vorrang check`: it is proven, or there is no design.
/// --out writes it: the same text with the values inserted.
///
/// Where there is none, or none is found, it names requirements that cannot hold together, or were not found to,
/// how much more time one of them alone would need, and what no analysis covers.
///
/// --curve shows for one server its share of the core as a function of its period, with and without
/// overheads.
///
/// The search ends after a number of steps, not after a time, so that its result is the same on every
/// machine. A step is one analysis, or 20000 terms of the equations of one that takes more.
///
/// Ctrl-C ends the search; the best design found by then is proven and written, and a second one ends
/// the program. --out and --svg are written whole or not at all.
///
/// Exit codes: 0 a design, proven; 2 the input is wrong, or leaves nothing open; 3 no design was
/// found, or none exists; 130 interrupted before one was found and proven, or the curve complete.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Design {
    /// Where the description is.
    #[command(flatten)]
    pub source: Source,
    /// Write the completed description to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print the share of this server as a function of its period instead, alone with the fixed part
    /// of its core
    #[arg(long, value_name = "NAME", conflicts_with_all = ["out", "json", "best"])]
    curve: Option<String>,
    /// Also write it as a picture to this file
    #[arg(long, value_name = "FILE", requires = "curve")]
    svg: Option<PathBuf>,
    /// The objective: `price`, `margin`, a core, or weights
    #[arg(long, value_name = "WHAT", default_value = "price", value_parser = best::parse)]
    best: Best,
    #[command(flatten)]
    replace: Replace,
    /// Print the result as JSON, format "vorrang-design/1"
    #[arg(long)]
    json: bool,
    /// The most steps that the search takes [default: 50000, and 2000 for each core if that is more]
    #[arg(long, value_name = "NUMBER")]
    steps: Option<u64>,
}

impl Design {
    /// # Errors
    /// The input is wrong, the output cannot be written, or a bug came to light.
    pub fn run(&self) -> Result<Output, Failure> {
        let mut open = self.source.read_open()?;
        let mut destinations = Destinations::new(self.replace, &[&self.source.file]);
        self.has_cores(&open)?;
        interruption::listen();
        if let Some(server) = &self.curve {
            return self.draw(server, &mut open, &mut destinations);
        }
        let draft = self.out.as_ref().map(|out| destinations.begin(out, Content::Description));
        let draft = draft.transpose()?;
        let sought = self.sought(open)?;
        if let Sought::Designed(designed) = &sought {
            let written = designed.written();
            tell_warnings(&designed.input, &written);
            if let Some(draft) = draft {
                draft.write_whole(&written)?;
            }
        }
        let Found { json, text, exit } = sought.shown();
        Ok(destinations.output(if self.json { json } else { text }, exit))
    }

    /// The same of a description that was read, for a program: with the completed one, if there is a design.
    ///
    /// # Errors
    /// There is no such core, the choice is too large, or a bug came to light.
    pub fn found(&self, open: OpenInput) -> Result<(Found, Option<Vec<u8>>), Failure> {
        self.has_cores(&open)?;
        let sought = self.sought(open)?;
        let written = match &sought {
            Sought::Designed(designed) => Some(designed.written()),
            Sought::Absent(..) => None,
        };
        Ok((sought.shown(), written))
    }

    fn has_cores(&self, open: &OpenInput) -> Result<(), Failure> {
        let Some(core) = self.best.unknown(&open.open.cores()) else { return Ok(()) };
        let name = vorrang_quote::name::shown(core);
        Err(Failure::bad_input(format!("error: --best: there is no core {name}\n")))
    }

    fn sought(&self, mut open: OpenInput) -> Result<Sought, Failure> {
        let answer = {
            let _waiting = progress::talk(|seconds| format!("searching for a design, {seconds}s"));
            let limits = self.limits(&open);
            vorrang_design::design_for(&mut open.open, limits, &self.best.objective)
        };
        let found = match answer {
            Answer::Design(found) => *found,
            Answer::Absent(absence) => return self.absent(absence, &mut open),
        };
        let input = open.completed(&found.chosen)?;
        // An interrupted search proves its best design first, unless it is interrupted again.
        interruption::forget();
        let (rulings, guarantees, chains) = decided(&input)?;
        let best = self.best.clone();
        let designed = Designed { open, best, found, input, rulings, guarantees, chains };
        designed.is_proven()?;
        Ok(Sought::Designed(Box::new(designed)))
    }

    fn limits(&self, open: &OpenInput) -> Limits {
        let usual = Limits::for_cores(open.open.cores().len());
        let steps = self.steps.unwrap_or(usual.steps);
        Limits { is_end_wanted: interruption::is_wanted, ..Limits::of(steps) }
    }

    fn draw(
        &self,
        server: &str,
        open: &mut OpenInput,
        destinations: &mut Destinations,
    ) -> Result<Output, Failure> {
        let draft = self.svg.as_ref().map(|svg| destinations.begin(svg, Content::Picture));
        let draft = draft.transpose()?;
        let limits = self.limits(open);
        let points = vorrang_design::curve(&mut open.open, server, limits).map_err(|why| {
            let name = vorrang_quote::name::shown(server);
            if why == NoCurve::Spent && interruption::is_wanted() {
                return absence::interrupted("the curve was complete");
            }
            Failure::bad_input(match why {
                NoCurve::NoSuchServer => format!(
                    "error: no server {name} has a value that is left open, or it cannot stand where \
                     it may first: state its `on` and `server`\n"
                ),
                NoCurve::Nested => format!(
                    "error: {name} stands in another server with open values, or has one in it\n"
                ),
                NoCurve::Spent => "error: the steps are used up; --steps allows for more\n".into(),
            })
        })?;
        if let Some(draft) = draft {
            draft.write_whole(curve::svg(server, &points).as_bytes())?;
        }
        Ok(destinations.output(curve::text(server, &points), Exit::Success))
    }

    fn absent(&self, absence: Absence, open: &mut OpenInput) -> Result<Sought, Failure> {
        if absence == Absence::TooMany {
            return Err(Failure::bad_input(format!("error: {}\n", sentence(absence))));
        }
        if absence == Absence::NothingRequired {
            return Ok(Sought::Absent(absence, Reasons::default()));
        }
        if interruption::is_wanted() && matches!(absence, Absence::NotFound { .. }) {
            return Err(absence::interrupted("a design was found"));
        }
        let is_decided = matches!(
            absence,
            Absence::Impossible { .. } | Absence::NotFound { by_monotonic: true, .. }
        );
        let _waiting = progress::talk(|seconds| format!("looking for the reason, {seconds}s"));
        let limits = self.limits(open);
        let conflict = conflict(&mut open.open, limits, is_decided);
        // A search that was interrupted says nothing of what holds without a requirement.
        let conflict = conflict.filter(|_| !interruption::is_wanted());
        Ok(Sought::Absent(absence, Reasons { uncovered: uncovered(&mut open.open), conflict }))
    }
}

/// What a search comes to.
enum Sought {
    Designed(Box<Designed>),
    /// That there is none, and why.
    Absent(Absence, Reasons),
}

impl Sought {
    fn shown(&self) -> Found {
        match self {
            Self::Designed(designed) => Found {
                json: document::document(designed),
                text: text::text(designed),
                exit: Exit::Success,
            },
            Self::Absent(absence, reasons) => Found {
                json: document::absence(*absence, &reasons.uncovered, reasons.conflict.as_ref()),
                text: absence::page(*absence, &reasons.uncovered, reasons.conflict.as_ref()),
                exit: Exit::Undecided,
            },
        }
    }
}
