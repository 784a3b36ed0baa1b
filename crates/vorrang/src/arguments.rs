//! The command line as a whole; the arguments of each verb are in its own file.

use crate::apply::Apply;
use crate::check::Check;
use crate::design::Design;
use crate::diff::Diff;
use crate::doctor::Doctor;
use crate::explain::Explain;
use crate::export::Export;
use crate::fmt::Fmt;
use crate::import::Import;
use crate::init::Init;
use crate::learn::Learn;
use crate::lsp::Lsp;
use crate::manual::{Completions, Man};
use crate::margin::Margin;
use crate::measure::Measure;
use crate::observe::Observe;
use crate::report::Report;
use crate::reproduce::Reproduce;
use crate::restore::Restore;
use crate::schema::Schema;
use crate::simulate::Simulate;
use crate::status::Status;
use crate::sweep::Sweep;
use crate::workbench::Workbench;
use clap::CommandFactory as _;
use vorrang_command::exit::{Failure, Output};
use vorrang_command::screen::When;
use vorrang_verdict::identity;

/// Do all deadlines of a system of virtual machines hold?
///
/// One file describes cores, virtual machines in servers, tasks, interrupts and requirements. Vorrang
/// bounds every response time, searches for histories that break a requirement, and gives one verdict
/// for each: proven, refuted or undecided.
///
///     vorrang init kvm --out system.toml
///     vorrang check system.toml
///
/// Data goes to standard output, everything else to standard error.
/// Exit codes: 0 proven, 1 refuted, 2 the input or the command line is wrong, 3 undecided,
/// 4 the host cannot do it, 70 a bug, 130 interrupted.
#[derive(Debug, clap::Parser)]
#[command(name = "vorrang", version = identity::version(), verbatim_doc_comment)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Arguments {
    /// Whether to colour: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`
    #[arg(
        long = "color",
        visible_alias = "colour",
        value_name = "WHEN",
        value_enum,
        global = true
    )]
    #[arg(default_value_t = When::Auto, hide_short_help = true)]
    pub colour: When,
    /// Look for no `vorrang.toml`, whose options are added to those that are typed
    #[arg(long, global = true, hide_short_help = true)]
    no_defaults: bool,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Init(Init),
    Import(Import),
    Learn(Learn),
    Check(Check),
    Diff(Diff),
    Report(Report),
    Design(Design),
    Margin(Margin),
    Simulate(Simulate),
    Sweep(Sweep),
    Workbench(Workbench),
    Fmt(Fmt),
    Lsp(Lsp),
    Measure(Measure),
    Reproduce(Reproduce),
    Doctor(Doctor),
    Apply(Apply),
    Status(Status),
    Restore(Restore),
    Export(Export),
    Observe(Observe),
    Explain(Explain),
    Schema(Schema),
    Completions(Completions),
    Man(Man),
}

impl Arguments {
    /// Does what the command line asks for.
    ///
    /// # Errors
    /// The message that the user gets instead of a result, and the exit code.
    pub fn run(&self) -> Result<Output, Failure> {
        match &self.verb {
            Verb::Init(init) => init.run(),
            Verb::Import(import) => import.run(),
            Verb::Learn(learn) => learn.run(),
            Verb::Check(check) => check.run(),
            Verb::Diff(diff) => diff.run(),
            Verb::Report(report) => report.run(),
            Verb::Design(design) => design.run(),
            Verb::Margin(margin) => margin.run(),
            Verb::Simulate(simulate) => simulate.run(),
            Verb::Sweep(sweep) => sweep.run(),
            Verb::Workbench(workbench) => workbench.run(),
            Verb::Fmt(fmt) => fmt.run(),
            Verb::Lsp(lsp) => lsp.run(),
            Verb::Measure(measure) => measure.run(),
            Verb::Reproduce(reproduce) => reproduce.run(),
            Verb::Doctor(doctor) => doctor.run(),
            Verb::Apply(apply) => apply.run(),
            Verb::Status(status) => status.run(),
            Verb::Restore(restore) => restore.run(),
            Verb::Export(export) => export.run(),
            Verb::Observe(observe) => observe.run(),
            Verb::Explain(explain) => explain.run(),
            Verb::Schema(schema) => schema.run(),
            Verb::Completions(completions) => completions.run(Self::command()),
            Verb::Man(man) => man.run(Self::command()),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_consistent() {
        <super::Arguments as clap::CommandFactory>::command().debug_assert();
    }
}
