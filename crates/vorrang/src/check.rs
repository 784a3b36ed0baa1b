//! `vorrang check`: the main job, from a description to verdicts.

use crate::checked::Checked;
use crate::exit::{Exit, Failure, Found, Output};
use crate::guarantee::{self, Guarantee};
use crate::identity::TOOL;
use crate::input::{Input, Source};
use crate::interruption::{self, Patience};
use crate::json;
use crate::loss;
use crate::name::shown;
use crate::nearest;
use crate::progress;
use crate::replay::Replay;
use crate::report::{self, View};
use crate::tried;
use crate::verdict::{self, Contradiction, Ruling, Verdict};
use std::fmt::Write as _;
use vorrang_analysis::Bounds;
use vorrang_analysis::utilisation::occupied;
use vorrang_model::System;
use vorrang_sim::{Observations, Search};
use vorrang_time::Duration;

/// Decide every requirement: proven, refuted or undecided
///
///     $ vorrang check examples/proxy-slot.toml
///     requirement    limit  bound  observed  verdict  by
///                     [us]   [us]      [us]
///     ------------  ------  -----  --------  -------  --
///     task.control  101000  83000     83000  proven   a
///
///     The requirement is proven.
///
///     Utilisation, in percent of a core (left rounded down, all else up):
///
///     of           has  reserved  tasks   left  used inside  budget
///                  [%]       [%]    [%]    [%]          [%]
///     --------  ------  --------  -----  -----  -----------  ------
///     core.0    100.00     50.00   0.00  50.00        32.68  -
///       vcpu.b   50.00      0.00  32.68  17.32        32.68  proven
///
///     By:
///       a  response-time analysis (Lehoczky 1990) on a fixed slot (Kaiser, Zöbel 2009)
///     ...
///
/// One row per requirement. `bound` is an upper bound on the worst-case response time over all histories
/// that the description allows, by the analysis named at the end of the row; `observed` the longest
/// response that the simulator found. A bound within the limit proves the requirement; an observation
/// beyond the limit refutes it, and the history can be replayed; anything else is undecided, and why is
/// said below the table. Many requirements are summed up by core and by cause; --all shows each, --only
/// those with some verdict.
///
/// Behind each reason stands its code for `vorrang explain`, and below it what would help: the cheapest
/// change of one parameter with which the requirement was seen to be proven and nothing lost that was
/// proven (docs/design.md says what is cheaper), on systems of up to 50 tasks, servers and interrupts.
///
/// `budget` says whether a server is guaranteed its budget in each period, whoever is on it. Where one is
/// not, that is undecided, and so is the whole.
///
/// Utilisation bounds are also evaluated; the verdict uses the response-time analysis, which is never
/// more pessimistic. Those that accept all tasks of a supply are named; --explain says why others do not.
///
/// The search for long responses ends after a number of steps, not after a time, so that its result
/// is the same on every machine: eight million by default, some tenths of a second. Histories that had to
/// be left out or cut short for that are counted below the table; --steps 100000000 allows for more
/// and longer ones.
///
/// A table says what is reserved, used and left of each core, with its servers below it. On large
/// systems it is about the fullest cores only, without --all.
///
/// Where the machine takes time for itself (costs, caches) a table says how much of each core's time is
/// lost at most, by whom and to what, and how much of it a few histories lost. Calls, callbacks,
/// entries and exits may all fall to the same virtual machine.
///
/// A requirement with a `probability` is proven if a job is late with no more than what is left of
/// it; what a long history by chance showed stands beside it, and refutes nothing.
///
/// Ctrl-C ends it and prints what is known by then; a second one prints nothing.
///
/// Exit codes: 0 all proven, 1 one refuted, 2 the input is wrong, 3 none refuted but one undecided,
/// or there is no requirement, 130 interrupted before anything was refuted.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Check {
    /// What is checked.
    #[command(flatten)]
    pub source: Source,
    /// Say how the bounds of these requirements come about, and show only them; `log` is enough for
    /// `task.log` if nothing else is called so
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    explain: Vec<String>,
    #[command(flatten)]
    view: View,
    /// Print the verdict on the whole only, in one sentence
    #[arg(long, short)]
    #[arg(conflicts_with_all = ["explain", "only", "all", "json"])]
    quiet: bool,
    /// Print the result as JSON, format "vorrang-check/1"
    #[arg(long)]
    json: bool,
    /// What every random history is drawn from; below 2^63
    #[arg(long, value_name = "NUMBER", default_value_t = Search::default().seed)]
    #[arg(value_parser = clap::value_parser!(u64).range(..1 << 63))]
    seed: u64,
    /// How long each history lasts; shortened where it would be too much work
    #[arg(long = "for", value_name = "TIME", default_value_t = Search::default().horizon)]
    horizon: Duration,
    /// Random histories per core, besides the directed ones; at most a million
    #[arg(long, value_name = "NUMBER", default_value_t = Search::default().runs)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    runs: u32,
    /// The most steps that the search for long responses takes, some 50 ns each; with more of them its
    /// histories are longer, and what is left out is said
    #[arg(long, value_name = "NUMBER", default_value_t = Search::default().steps)]
    steps: u64,
}

impl Check {
    /// # Errors
    /// The input is wrong, `--explain` names no requirement, or a bug came to light.
    pub fn run(&self) -> Result<Output, Failure> {
        let input = self.source.read()?;
        let explained = self.explain.iter().map(|name| find(&input.system, name));
        let explained = explained.collect::<Result<Vec<usize>, _>>()?;
        interruption::listen();
        let checked = self.checked(input)?;
        let text = if self.json {
            json::check(&checked, &self.view, &explained)
        } else if self.quiet {
            report::sentence(&checked.rulings) + &report::budgets(&checked.guarantees)
        } else if explained.is_empty() {
            report::table(&checked, &self.view)
        } else {
            report::explanations(&checked, &explained)
        };
        Ok(Output { text, exit: checked.exit() })
    }

    /// Both results of a description that was read.
    ///
    /// # Errors
    /// A bug came to light.
    pub fn found(&self, input: Input) -> Result<Found, Failure> {
        let checked = self.checked(input)?;
        let json = json::check(&checked, &self.view, &[]);
        Ok(Found { json, text: report::table(&checked, &self.view), exit: checked.exit() })
    }

    fn checked(&self, input: Input) -> Result<Checked, Failure> {
        let bounds = bounds(&input.system);
        let observations = self.search(&input.system);
        let mut rulings = verdict::decide(&input.system, &bounds, &observations)
            .map_err(|found| bug(&input, &observations, &found))?;
        let interrupted = interruption::is_wanted();
        if interrupted {
            rulings.iter_mut().for_each(Ruling::interrupt);
        } else if !self.quiet {
            nearest::seek(&input.system, &bounds, &mut rulings);
        }
        let guarantees = guarantee::all(&input.system, &bounds);
        // Neither decides anything.
        let (tried, losses) = if interrupted {
            (Vec::new(), Vec::new())
        } else {
            (tried::all(&input.system, &bounds), loss::all(&input.system, &self.limits()))
        };
        if let Some(found) = loss::exceeded(&losses) {
            return Err(bug_of_losses(&input, &found));
        }
        let occupied = occupied(&input.system);
        Ok(Checked {
            input,
            rulings,
            guarantees,
            observations,
            occupied,
            tried,
            losses,
            interrupted,
        })
    }

    fn limits(&self) -> Search {
        let Self { seed, runs, horizon, steps, .. } = *self;
        Search { seed, runs, horizon, ..Search::within(steps) }
    }

    fn search(&self, system: &System) -> Observations {
        let (_waiting, mut tell) = progress::of_search();
        vorrang_sim::search_observed(system, &self.limits(), &mut Patience, &mut tell)
    }
}

/// The verdict on a description as a whole, as `vorrang check` gives it by default; `None`: it
/// requires nothing.
///
/// # Errors
/// A bug came to light.
pub fn overall(input: &Input) -> Result<Option<Verdict>, Failure> {
    decided(input)
        .map(|(rulings, guarantees)| verdict::overall(&rulings, guarantee::verdicts(&guarantees)))
}

/// The verdicts on requirements and budgets, as `vorrang check` gives them by default.
///
/// # Errors
/// A bug came to light.
pub(crate) fn decided(input: &Input) -> Result<(Vec<Ruling>, Vec<Guarantee>), Failure> {
    let bounds = bounds(&input.system);
    let (_waiting, mut tell) = progress::of_search();
    let observations = vorrang_sim::search_with(&input.system, &Search::default(), &mut tell);
    verdict::decide(&input.system, &bounds, &observations)
        .map(|rulings| (rulings, guarantee::all(&input.system, &bounds)))
        .map_err(|found| bug(input, &observations, &found))
}

fn bounds(system: &System) -> Bounds {
    let count = system.tasks.len() + system.interrupts.len();
    let text = move |seconds| {
        format!("bounding the responses of {count} tasks and interrupts, {seconds}s")
    };
    let _waiting = progress::talk(text);
    vorrang_analysis::bounds_until(system, &interruption::is_wanted)
}

/// The place of a requirement in the order of declaration, by its name or by what is behind its
/// first dot, if that says which.
pub(crate) fn find(system: &System, name: &str) -> Result<usize, Failure> {
    let names: Vec<&str> = system.requirements.iter().map(|of| of.name.as_str()).collect();
    if let Some(place) = names.iter().position(|known| *known == name) {
        return Ok(place);
    }
    let short = |known: &str| known.split_once('.').is_some_and(|(_, short)| short == name);
    let places: Vec<usize> = (0..names.len()).filter(|&place| short(names[place])).collect();
    let hint = match places[..] {
        [place] => return Ok(place),
        [] => {
            let nearest = names.iter().min_by_key(|known| distance(known, name));
            nearest.map_or("there are none".to_owned(), |known| format!("did you mean {known}?"))
        }
        _ => {
            let meant: Vec<&str> = places.into_iter().map(|place| names[place]).collect();
            format!("it may mean {}", meant.join(" or "))
        }
    };
    Err(Failure::bad_input(format!("error: there is no requirement {}: {hint}\n", shown(name))))
}

/// How far what was typed is from a name, or from the short form of it.
fn distance(known: &str, name: &str) -> usize {
    let short = known.split_once('.').map_or(known, |(_, short)| short);
    [known, short]
        .map(|known| strsim::damerau_levenshtein(known, name))
        .into_iter()
        .min()
        .unwrap_or(0)
}

/// What to read when a bound does not hold.
fn bug(input: &Input, observations: &Observations, found: &[Contradiction]) -> Failure {
    let mut message = format!(
        "BUG of {TOOL}: the simulator shows what the analysis excludes, so one of them is wrong.\n\
         No verdict of this run is worth anything.\n"
    );
    for Contradiction { name, core, bound, observed } in found {
        let replay = Replay::of(input, observations, *core, &observed.pattern);
        let _ = write!(
            message,
            "\n{name}: a response of {} where the bound is {bound}\n  {replay}\n",
            observed.response
        );
    }
    let _ =
        write!(message, "\nPlease report this with the description (sha256 {}).\n", input.sha256);
    Failure { exit: Exit::Bug, message }
}

/// The same for lost time.
fn bug_of_losses(input: &Input, found: &str) -> Failure {
    let message = format!(
        "BUG of {TOOL}: the simulator loses more time than the analysis allows for.\n{found}\n\
         Please report this with the description (sha256 {}).\n",
        input.sha256
    );
    Failure { exit: Exit::Bug, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Observed;
    use vorrang_model::system::SupplyId;
    use vorrang_time::Instant;

    #[test]
    fn a_contradiction_is_loud_and_can_be_replayed() {
        let source = "version = 1\n[core.0]\nscheduler = \"edf\"\n";
        let system = vorrang_model::read(source, vorrang_model::Format::Toml).expect("a system");
        let observations = vorrang_sim::search(&system, &Search::default());
        let input = Input::named("my system.toml", system);
        let found = Contradiction {
            name: "task.x".to_owned(),
            core: SupplyId(0),
            bound: Duration::from_ms(10),
            observed: Observed {
                response: Duration::from_ms(12),
                finished: true,
                pattern: "exhausted:task.x:3".to_owned(),
                arrival: Instant::ZERO,
            },
        };
        let Failure { exit, message } = bug(&input, &observations, &[found]);
        assert_eq!(exit, Exit::Bug);
        let message = message.replace(TOOL, "vorrang");
        insta::assert_snapshot!(message, @"
        BUG of vorrang: the simulator shows what the analysis excludes, so one of them is wrong.
        No verdict of this run is worth anything.

        task.x: a response of 12ms where the bound is 10ms
          vorrang simulate 'my system.toml' --core core.0 --witness exhausted:task.x:3

        Please report this with the description (sha256 0123).
        ");
    }
}
