//! What a kernel of Linux takes, checked against what is described for it.
//!
//! **Model.** A description need not be for a machine: where it is not, what no kernel takes is a warning. It is an error
//! where a thread is named, and either no setting of a kernel allows it or the description states the settings.

use super::tree::{Local, Tree, rule};
use crate::description::{At, Declared, Description, Field, Server, Supply};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::system::{DeadlineLimits, FairServer, Priority, ServerKind};
use crate::target::{Fault, LINUX, Limits, linux};
use crate::word::Rule;
use vorrang_time::Duration;

/// What the kernel will refuse for certain.
pub(super) fn check(description: &Description, tree: &Tree, errors: &mut Errors) {
    each(description, tree, &mut |found| {
        if found.is_certain {
            errors.push(found.said(Code::NeverAccepted));
        }
    });
}

/// What it refuses as it is set by default, or would if it were told.
pub(super) fn warn(description: &Description, tree: &Tree, warnings: &mut Errors) {
    each(description, tree, &mut |found| warnings.push(found.said(Code::NotAccepted)));
    for index in 0..description.supplies.len() {
        if rule(description, index) == Some(Rule::Linux) {
            warnings_of_sum(description, tree, index, warnings);
        }
    }
}

/// Something that Linux does not take.
struct Found {
    said: Diagnostic,
    is_certain: bool,
}

impl Found {
    fn said(self, code: Code) -> Diagnostic {
        Diagnostic { code, ..self.said }
    }
}

/// Everything on a supply under Linux that it does not take.
fn each(description: &Description, tree: &Tree, found: &mut dyn FnMut(Found)) {
    for (index, supply) in description.supplies.iter().enumerate() {
        if rule(description, index) != Some(Rule::Linux) {
            continue;
        }
        for member in &tree.members[index] {
            match *member {
                Local::Server(server) => {
                    of_server(supply, &description.supplies[server], found);
                }
                Local::Task(task) => {
                    let task = &description.tasks[task];
                    let priority = task.body.priority.get();
                    let wrong = priority.filter(|at| !LINUX.has_priority(at.value.0));
                    found_priority(&task.name, wrong, !task.body.thread.is_absent(), found);
                }
            }
        }
    }
}

fn found_priority(
    name: &str,
    wrong: Option<&At<Priority>>,
    has_thread: bool,
    found: &mut dyn FnMut(Found),
) {
    let (Some(wrong), Some(range)) = (wrong, &LINUX.priorities) else { return };
    let message = format!("{name} has priority {}, which Linux does not have", wrong.value.0);
    let said = Diagnostic::new(Code::NotAccepted, wrong.span.clone(), message).label(format!(
        "SCHED_FIFO has {} to {}",
        range.start(),
        range.end()
    ));
    found(Found { said, is_certain: has_thread });
}

fn of_server(on: &Declared<Supply>, declared: &Declared<Supply>, found: &mut dyn FnMut(Found)) {
    let Some((server, budget, period)) = reservation(declared) else { return };
    let stated = stated(on);
    let limits = linux::limits(stated);
    let is_set = |fault: Fault| match fault {
        Fault::Short => stated.shortest_period.is_some(),
        Fault::Long => stated.longest_period.is_some(),
        Fault::Budget | Fault::BudgetUnit | Fault::PeriodUnit => true,
    };
    for fault in limits.faults(budget.value, period.value) {
        let is_certain = !server.thread.is_absent() && is_set(fault);
        found(Found {
            said: said(&declared.name, &on.name, &limits, fault, (budget, period)),
            is_certain,
        });
    }
}

/// A server of `SCHED_DEADLINE` with budget and period.
fn reservation(declared: &Declared<Supply>) -> Option<(&Server, &At<Duration>, &At<Duration>)> {
    let server = declared.body.server.as_ref()?;
    let kind = server.kind.get()?.value;
    let (budget, period) = (server.budget.get()?, server.period.get()?);
    (kind == ServerKind::SchedDeadline).then_some((server, budget, period))
}

fn stated(on: &Declared<Supply>) -> DeadlineLimits {
    on.body.deadline_limits.get().map(|at| at.value).unwrap_or_default()
}

fn said(
    name: &str,
    on: &str,
    limits: &Limits,
    fault: Fault,
    (budget, period): (&At<Duration>, &At<Duration>),
) -> Diagnostic {
    let (key, at, setting) = match fault {
        Fault::Budget | Fault::BudgetUnit => ("budget", budget, None),
        Fault::Short => ("period", period, Some(("min-period", linux::PERIOD_SETTINGS[0]))),
        Fault::Long => ("period", period, Some(("max-period", linux::PERIOD_SETTINGS[1]))),
        Fault::PeriodUnit => ("period", period, None),
    };
    let rule = limits.rule(fault);
    let message = format!("the {key} of {name} is {}, and Linux {rule}", at.value);
    let said =
        Diagnostic::new(Code::NotAccepted, at.span.clone(), message).label(format!("Linux {rule}"));
    match setting {
        None => said.help("`vorrang design` chooses budgets and periods that it takes: write \"?\""),
        Some((limit, setting)) => said.help(format!(
            "where the machine is set to another limit ({setting}), state it: `deadline-limits = {{ {limit} = \"{}\" }}` \
             of {on}",
            at.value
        )),
    }
}

/// The reservations of a supply, with what is kept for `SCHED_OTHER`, beyond what is admitted.
fn warnings_of_sum(description: &Description, tree: &Tree, index: usize, warnings: &mut Errors) {
    let on = &description.supplies[index];
    let admission = linux::admission(stated(on), on.body.profile.as_ref());
    let servers = tree.members[index].iter().filter_map(|member| match *member {
        Local::Server(server) => reservation(&description.supplies[server]),
        Local::Task(_) => None,
    });
    let servers: Vec<(&Server, &At<Duration>, &At<Duration>)> = servers.collect();
    let Some((_, last, _)) = servers.last() else { return };
    let fair = fair_server(on).filter(|_| admission.counts_fair_server);
    let own = servers.iter().map(|(_, budget, period)| (budget.value, period.value));
    let Some(sum) = admission.exceeded_by(own.chain(fair.map(|of| (of.budget, of.period)))) else {
        return;
    };
    let with = if fair.is_some() { ", with the server of SCHED_OTHER," } else { "" };
    let who = match linux::version(on.body.profile.as_ref()) {
        Some(version) => version.to_string(),
        None => "Linux".to_owned(),
    };
    let message = format!(
        "the \"sched-deadline\" servers of {}{with} take {}, and {who} admits {}",
        on.name,
        percent(sum),
        percent(admission.limit())
    );
    warnings.push(
        Diagnostic::new(Code::NotAdmitted, last.span.clone(), message)
            .label("refused with EBUSY")
            .help(format!(
                "reserve less, or state what the machine is set to ({} of {}): `deadline-limits = {{ bandwidth = \"100%\" }}` \
                 of {}; Linux has 95 % before 7.2, and 100 % from then on",
                linux::SHARE_SETTINGS[0], linux::SHARE_SETTINGS[1], on.name
            )),
    );
}

/// What is kept for `SCHED_OTHER` on a supply under Linux.
fn fair_server(on: &Declared<Supply>) -> Option<FairServer> {
    match &on.body.fair_server {
        Field::Absent => Some(FairServer::OF_LINUX),
        Field::Wrong => None,
        Field::Is(at) => {
            let fair = at.value.as_ref()?;
            Some(FairServer { budget: fair.budget.get()?.value, period: fair.period.get()?.value })
        }
    }
}

/// Units of 2⁻²⁰ to the nearest hundredth of a percent.
fn percent(parts: u64) -> String {
    let hundredths = (u128::from(parts) * 10_000 + (1 << 19)) >> 20;
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}
