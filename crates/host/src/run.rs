//! `vorrang-host run`: the servers of a description on its processors.

use crate::alone::Alone;
use crate::around::Around;
use crate::background::{self, JOURNAL};
use crate::changes::{Parking, parking};
use crate::in_place::Kept;
use crate::of_linux;
use crate::replace::{self, Before, Replacement};
use crate::report::report;
use crate::schedule::{self, Managed};
use crate::scope::Scope;
use crate::shown::{counts_the_dispatchers, show, unlike};
use crate::sight;
use std::path::Path;
use std::process::Command;
use vorrang_command::decided::{proven, undoubted, unfit};
use vorrang_command::exit::{Failure, Output};
use vorrang_command::input::Source;
use vorrang_command::place::Place;
use vorrang_enforce::journal::{self, Described, Found};
use vorrang_enforce::{Linux, Plan};
use vorrang_quote::name::shown;
use vorrang_time::Duration;
use vorrang_verdict::input::Input;

/// Run the servers of a description, or show the changes for it
///
/// Without --yes nothing is changed. With it the threads that the description names are parked, each
/// change is written into a journal before it is made, and the servers run until Ctrl-C, or for the time given
/// by --for; then all changes are undone. A guard ends all loans if this program is killed or late;
/// `vorrang-host restore` undoes the rest then.
///
/// Only a description whose requirements are all proven, and which states the costs of this program, is run,
/// unless --unproven is given. Mechanisms that this program does not have are refused by name, with --unproven
/// as well.
///
/// Exit codes: 0 shown, or run to its end, 1 refuted, 2 the description is wrong or does not fit this machine,
/// 3 undecided, 4 the host refuses, or lacks a mechanism, or the run ended early.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Run {
    #[command(flatten)]
    source: Source,
    /// Change the machine
    #[arg(long)]
    yes: bool,
    /// Also if the requirements are not all proven
    #[arg(long)]
    unproven: bool,
    /// End after this long
    #[arg(long = "for", value_name = "TIME")]
    length: Option<Duration>,
    /// Return when the servers are run; they are until `vorrang-host restore`, or for the time given by --for
    #[arg(long, requires = "yes")]
    background: bool,
    /// The interval at which sleeping threads are sampled
    #[arg(long, value_name = "TIME", default_value_t = LOOK)]
    look: Duration,
    /// The journal of what was changed
    #[arg(long, value_name = "FILE", default_value = JOURNAL)]
    journal: Place,
}

/// A sample takes some microseconds.
pub(crate) const LOOK: Duration = Duration::from_ms(1);
const SHORTEST_LOOK: Duration = Duration::from_us(100);

impl Run {
    /// To show the changes for a description, or to run it in the background.
    pub fn asked(source: &Source, unproven: bool, journal: Place) -> Self {
        let (source, yes, background) = (source.clone(), false, false);
        Self { source, yes, unproven, length: None, background, look: LOOK, journal }
    }

    /// # Errors
    /// The input is wrong, not proven or refused, or the machine refuses.
    pub fn run(&self) -> Result<Output, Failure> {
        if self.background {
            return self.begin(Path::new("/proc/self/exe"));
        }
        let input = self.source.read()?;
        if self.look < SHORTEST_LOOK {
            let message = format!("error: --look is {}, below {SHORTEST_LOOK}\n", self.look);
            return Err(Failure::bad_input(message));
        }
        let described = proven(&input, self.unproven, "runs", "run")?;
        self.described(&input, described)
    }

    /// Runs it by this program in the background.
    ///
    /// # Errors
    /// It ends early, as it says; or it cannot be started.
    pub fn begin(&self, program: &Path) -> Result<Output, Failure> {
        let mut command = Command::new(program);
        command.arg("run").arg(&self.source.file).arg("--yes");
        command.arg("--journal").arg(self.journal.path());
        command.args(["--look", &self.look.to_string()]);
        if let Some(format) = self.source.format {
            command.args(["--format", format.word()]);
        }
        for code in &self.source.allow {
            command.args(["--allow", &code.to_string()]);
        }
        if let Some(length) = self.length {
            command.args(["--for", &length.to_string()]);
        }
        command.args(self.unproven.then_some("--unproven"));
        background::start(&self.journal, command)
    }

    /// Runs a description that may be run, or shows the changes for it.
    ///
    /// # Errors
    /// It is refused, or the machine refuses.
    pub fn described(&self, input: &Input, described: Described) -> Result<Output, Failure> {
        let scopes = Scope::all(&input.system, self.look);
        let scopes = scopes.map_err(|why| unfit(input, &why.missing, &why.wrong))?;
        if !self.unproven {
            counts_the_dispatchers(input, &scopes, self.look)?;
        }
        let before = self.before()?;
        if before.as_ref().is_some_and(|before| before.is_of(&input.sha256)) {
            return Ok(Output::success(format!(
                "{}: it is run already, as described: nothing is changed.\n",
                input.name
            )));
        }
        let plan = of_linux::planned(&Linux, &input.system);
        let plan = plan.map_err(|why| unfit(input, &why.missing, &why.wrong))?;
        if let Some(plan) = plan.as_ref().filter(|_| self.yes && !self.unproven) {
            undoubted(input, plan)?;
        }
        let steps = replace::steps(before.as_ref(), plan.as_ref(), &scopes);
        let steps = steps.map_err(|problems| unlike(&problems))?;
        let run = before.as_ref().map(Before::threads);
        let parking = parking(&Linux, &scopes, run.as_ref());
        let parking = parking.map_err(|problems| unlike(&problems))?;
        let faults = plan.as_ref().map(|plan| of_linux::faults(&Linux, plan, &parking));
        let faults = faults.unwrap_or_default();
        if !faults.is_empty() {
            return Err(unlike(&faults));
        }
        let managed = |(scope, (threads, tasks))| {
            let awaited = sight::awaited(scope, threads);
            let before = before.as_ref().and_then(|before| before.of_processor(scope.cpu));
            awaited.map(|awaited| Managed { scope, threads, tasks, awaited, before })
        };
        let threads = parking.threads.iter().map(Vec::as_slice);
        let threads = threads.zip(parking.tasks.iter().map(Vec::as_slice));
        let managed = scopes.iter().zip(threads).map(managed);
        let managed = managed.collect::<Result<Vec<_>, _>>();
        let managed = managed.map_err(|problems| unlike(&problems))?;
        let mut text = format!("{}: {}, sha256 {}\n", input.name, described.verdict, input.sha256);
        text += &steps.as_ref().map(Plan::words).unwrap_or_default();
        show(&Linux, self.look, (&managed, &parking), &mut text);
        if let Some(before) = &before {
            replace::show(before, &managed, &mut text).map_err(|refusals| unlike(&refusals))?;
        }
        if self.yes {
            let kept = Kept::of(plan.as_ref(), &parking, &scopes.iter().collect::<Vec<_>>());
            self.perform(
                (described, steps.as_ref(), kept),
                before.as_ref(),
                managed,
                &parking,
                &mut text,
            )
        } else {
            text +=
                "\nNothing was changed. --yes makes these changes, and keeps a journal of them.\n";
            Ok(Output::success(text))
        }
    }

    /// The run whose place this one takes, if one goes on. There may be no journal of one that does not, or of `vorrang apply`.
    fn before(&self) -> Result<Option<Before>, Failure> {
        let path = self.journal.path();
        if let Found::Journal(entries) = self.journal.read(&Linux)? {
            let name = entries.head.described.description.clone();
            let before = Before::of(*entries, path).map_err(|why| self.journal.failure(&why))?;
            return match before {
                Some(before) => before.mended(&self.journal, self.yes).map(Some),
                None => Err(Failure::host(format!(
                    "error: {name} was run, and its changes are not undone (journal {}): `vorrang-host restore` does that\n",
                    shown(path)
                ))),
            };
        }
        if let Found::Journal(_) = Place::from(journal::PLACE).read(&Linux)? {
            return Err(Failure::host(
                "error: a description is applied: `vorrang restore` undoes it\n",
            ));
        }
        Ok(None)
    }

    fn perform(
        &self,
        (described, of_linux, kept): (Described, Option<&Plan>, Kept),
        before: Option<&Before>,
        managed: Vec<Managed<'_>>,
        parking: &Parking,
        text: &mut String,
    ) -> Result<Output, Failure> {
        let scopes: Vec<&Scope> = managed.iter().map(|one| one.scope).collect();
        let refused = |why: String| Failure::host(format!("error: {why}\n"));
        let around: Box<dyn Around> = match before {
            Some(before) => {
                let replacement =
                    Replacement::announce(before, &self.journal, described, of_linux, kept);
                Box::new(replacement.map_err(refused)?)
            }
            None => Box::new(Alone::of(&self.journal, described, of_linux)),
        };
        let parked = around.park(parking, &scopes);
        let ran = parked.and_then(|()| schedule::run(managed, self.length, self.look, &*around));
        let ran =
            ran.map_err(|why| Failure::host(format!("error: {why}\n{}", around.give_up())))?;
        *text += &report(&scopes, &ran);
        *text += &around.end(&ran)?;
        match ran.ended {
            None => Ok(Output::success(std::mem::take(text))),
            Some(why) => {
                print!("{text}");
                Err(Failure::host(format!("error: {why}\n")))
            }
        }
    }
}
