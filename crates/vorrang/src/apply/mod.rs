//! `vorrang apply`: a description's reservations, put onto this machine.

mod elsewhere;

use crate::dispatched;
use crate::status::{self, Look};
use std::fmt::Write as _;
use std::path::PathBuf;
use vorrang_command::decided::{proven, undoubted, unfit};
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::input::Source;
use vorrang_command::place::Place;
use vorrang_enforce::journal::{self, Described, Found, Head};
use vorrang_enforce::{Applied, Linux, Plan, Restored, Stopped};
use vorrang_quote::name::shown;
use vorrang_quote::visible;
use vorrang_time::Duration;
use vorrang_verdict::input::Input;

/// Put a description's reservations onto this machine, or show how
///
/// Without --yes nothing is changed: the plan is shown in words, and below each sentence the exact
/// writes and calls. The description says which processor is a core (`cpu`), which thread is a virtual
/// processor, server or task (`thread`), and which interrupt line is an interrupt (`irq`); see
/// docs/apply.md. The processors that it uses become partitions; its threads move there and get a
/// scheduling policy of the kernel, and everything else moves to the other processors.
///
/// Every change is written into a journal before it is made. If the kernel refuses one, the changes
/// before it are undone; `vorrang restore` undoes all changes, also after this program was killed.
///
/// Other servers than those of `SCHED_DEADLINE`, slots, turns and pseudo-VCPUs are run by the program
/// vorrang-host, which this command starts; it then does the rest, too.
///
/// --for-machine shows the plan for another machine, by what `vorrang doctor --json` printed there.
///
/// Only a description whose requirements are all proven is applied, unless --unproven is given. A
/// description that needs a mechanism that neither of them has (shielded timers without the module for
/// them, a pseudo-VCPU on a core with `SCHED_DEADLINE`) is refused by name, with --unproven as well.
///
/// Afterwards it reports the processor time that the threads receive, by the kernel's own accounting,
/// as `vorrang status` does.
///
/// Exit codes: 0 planned or applied, 1 refuted, or applied and a thread does not receive its budget, 2
/// the description is wrong or does not fit this machine, 3 undecided, 4 the host refuses, or lacks a
/// mechanism.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Apply {
    #[command(flatten)]
    source: Source,
    /// Change the machine
    #[arg(long)]
    yes: bool,
    /// Also if the requirements are not all proven
    #[arg(long)]
    unproven: bool,
    /// Show the plan for another machine: what `vorrang doctor --json` printed there, or a folder with its
    /// files
    #[arg(long, value_name = "FILE|DIR", conflicts_with_all = ["yes", "look", "journal"])]
    for_machine: Option<PathBuf>,
    /// Observe for this long what the threads receive afterwards; 0s: do not
    #[arg(long, value_name = "TIME", default_value_t = Duration::from_ms(1000))]
    look: Duration,
    /// The journal of what was changed
    #[arg(long, value_name = "FILE", default_value = journal::PLACE)]
    journal: Place,
}

impl Apply {
    /// # Errors
    /// The input is wrong or not proven, or the machine refuses.
    pub fn run(&self) -> Result<Output, Failure> {
        let input = self.source.read()?;
        let described = proven(&input, self.unproven, "applies", "applied")?;
        if let Some(file) = &self.for_machine {
            return elsewhere::planned(file, &input, &described, self.unproven);
        }
        if vorrang_enforce::is_dispatched(&input.system) {
            return self.dispatch(&input, described);
        }
        self.leave_alone()?;
        let plan = vorrang_enforce::plan(&Linux, &input.system)
            .map_err(|why| unfit(&input, &why.missing, &why.wrong))?;
        let verdict = &described.verdict;
        let mut text = format!("{}: {verdict}, sha256 {}\n", input.name, input.sha256);
        if self.yes && !self.unproven {
            undoubted(&input, &plan)?;
        }
        if !self.yes {
            self.show(&plan, &mut text);
            return Ok(Output::success(text));
        }
        self.apply(described, &plan, &mut text)?;
        let exit = self.look(&mut text)?;
        Ok(Output { text, exit })
    }

    /// Leaves it to `vorrang-host`.
    fn dispatch(&self, input: &Input, described: Described) -> Result<Output, Failure> {
        let what = (&self.source, input, described);
        let mut output = dispatched::run(what, self.yes, self.unproven, &self.journal)?;
        if self.yes && self.look > Duration::ZERO {
            let seen = status::of_run(&dispatched::beside(&self.journal), self.look)?;
            let _ = write!(output.text, "\n{}", seen.text);
            output.exit = seen.exit;
        }
        Ok(output)
    }

    /// There may be no description that `vorrang-host` runs.
    fn leave_alone(&self) -> Result<(), Failure> {
        if self.yes && dispatched::is_run(&self.journal) {
            return Err(Failure::host(
                "error: a description is run by vorrang-host: `vorrang restore` ends and undoes it\n",
            ));
        }
        // One with a journal at this place is named by that.
        let is_known = matches!(self.journal.read(&Linux)?, Found::Journal(_));
        match dispatched::elsewhere() {
            Some(why) if self.yes && !is_known => Err(Failure::host(format!("error: {why}"))),
            _ => Ok(()),
        }
    }

    /// The processor time that the threads receive now.
    fn look(&self, text: &mut String) -> Result<Exit, Failure> {
        let entries = match self.journal.read(&Linux)? {
            Found::Journal(entries) if self.look > Duration::ZERO => entries,
            _ => return Ok(Exit::Success),
        };
        let Look { text: seen, well } = status::look(&entries, self.look)?;
        let _ = write!(text, "\n{seen}");
        Ok(if well { Exit::Success } else { Exit::Refuted })
    }

    fn show(&self, plan: &Plan, text: &mut String) {
        *text += &plan.words();
        let _ = write!(
            text,
            "\nNothing was changed. --yes makes these changes, except those in effect already, and keeps a journal in {}.\n",
            shown(self.journal.path())
        );
    }

    fn apply(&self, described: Described, plan: &Plan, text: &mut String) -> Result<(), Failure> {
        let place = self.journal.path();
        match self.journal.read(&Linux)? {
            Found::Nothing => {}
            Found::Void => self.journal.forget()?,
            Found::Journal(entries) => {
                return Err(Failure::host(format!(
                    "error: {} is applied already (journal {}): `vorrang restore` undoes it\n",
                    visible(&entries.head.described.description),
                    shown(place)
                )));
            }
        }
        let head = Head::of(&Linux, described).map_err(|why| {
            Failure::host(format!("error: this machine cannot be looked at: {why}\n"))
        })?;
        match vorrang_enforce::apply(&mut Linux, plan, &head, place) {
            Ok(applied) => {
                said(&applied, text);
                let _ = write!(
                    text,
                    "\n`vorrang status` shows what the threads receive, `vorrang restore` undoes it all (journal {}).\n",
                    shown(place)
                );
                Ok(())
            }
            Err(stopped) => Err(self.undo(&stopped)),
        }
    }

    /// Undoes what was changed before a refusal.
    fn undo(&self, stopped: &Stopped) -> Failure {
        let mut message = format!("error: {}: {}\n", stopped.tried, stopped.why);
        if !stopped.advice.is_empty() {
            let _ = writeln!(message, "  {}", stopped.advice);
        }
        let undone = match vorrang_enforce::restore(&mut Linux, self.journal.path()) {
            Ok(Restored::Nothing | Restored::Void) => "Nothing was changed.\n".to_owned(),
            Ok(Restored::All(count)) => format!("The {count} changes before it are undone.\n"),
            Ok(Restored::Partly(left)) => format!(
                "These changes could not be undone; `vorrang restore` tries again:\n  {}\n",
                left.join("\n  ")
            ),
            Err(why) => format!("What was changed before could not be undone: {why}\n"),
        };
        message.push_str(&undone);
        Failure { exit: Exit::Host, message }
    }
}

fn said(applied: &Applied, text: &mut String) {
    let _ = writeln!(text, "\nMade {} changes:", applied.made.len());
    for line in &applied.made {
        let _ = writeln!(text, "    {line}");
    }
    if !applied.kept.is_empty() {
        let _ = writeln!(text, "\nThe kernel kept as it was, as it may:");
        for line in &applied.kept {
            let _ = writeln!(text, "    {line}");
        }
    }
}
