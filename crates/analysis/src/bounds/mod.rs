//! From a system to a bound for each of its tasks and interrupts.
//!
//! **Model.** Each core is walked from the top: what interrupts leave of it is a supply; each
//! scheduler turns a supply into the response times of its tasks and the supplies of its servers;
//! and so on down. Nothing here is particular to a depth.
//!
//! **Cost.** One analysis per task and server; linear in the depth for each evaluation of a supply.

mod edf;
mod fixed_priority;
mod interrupt_level;
mod linux;
mod record;
mod slots;

use crate::coverage::not_covered;
use crate::effort::Effort;
use crate::explanation::{Explanation, Lines};
use crate::finding::{Finding, Form, Local, Method, Reason};
use crate::load::{Load, Loads};
use crate::supply::{Dedicated, Residual, Supply};
use vorrang_model::system::{
    InterruptId, Member, Requirement, RequirementKind, Scheduler, Server, SupplyId, System, TaskId,
};

/// What was found for each task and interrupt of a system.
#[derive(Clone, Debug)]
pub struct Bounds {
    tasks: Vec<Finding>,
    interrupts: Vec<Finding>,
}

impl Bounds {
    /// The response time of a task.
    pub fn task(&self, id: TaskId) -> &Finding {
        &self.tasks[id.0]
    }

    /// The response time of a service routine.
    pub fn interrupt(&self, id: InterruptId) -> &Finding {
        &self.interrupts[id.0]
    }

    /// The response time that a requirement limits.
    pub fn requirement(&self, requirement: &Requirement) -> &Finding {
        match requirement.kind {
            RequirementKind::Deadline(task) => self.task(task),
            RequirementKind::HandledWithin(interrupt) => self.interrupt(interrupt),
        }
    }
}

/// Bounds the response time of every task and every interrupt.
pub fn bounds(system: &System) -> Bounds {
    let mut walk = Walk::new(system, None);
    walk.whole_system();
    let found =
        |finding: Option<Finding>| finding.expect("the walk meets every task and interrupt");
    Bounds {
        tasks: walk.tasks.into_iter().map(found).collect(),
        interrupts: walk.interrupts.into_iter().map(found).collect(),
    }
}

/// How the bound of one requirement comes about: busy window, interference by name, equation.
pub fn explain(system: &System, what: RequirementKind) -> Explanation {
    let mut walk = Walk::new(system, Some(what));
    walk.whole_system();
    Explanation(walk.lines)
}

/// One pass over a system.
struct Walk<'s> {
    system: &'s System,
    effort: Effort,
    tasks: Vec<Option<Finding>>,
    interrupts: Vec<Option<Finding>>,
    /// The requirement whose bound is put into words.
    target: Option<RequirementKind>,
    lines: Lines,
}

/// A supply on the way down, with what is known about it.
#[derive(Clone, Copy)]
struct Node<'a> {
    id: SupplyId,
    supply: &'a dyn Supply,
    form: Form,
    /// Service routines that come before every member: on fixed-priority cores they are loads
    /// like any other; elsewhere `supply` is already what they leave.
    routines: &'a [Load<'a>],
    /// A core that interrupts leave whole.
    bare_core: bool,
}

impl<'s> Walk<'s> {
    fn new(system: &'s System, target: Option<RequirementKind>) -> Self {
        Self {
            system,
            effort: Effort::default(),
            tasks: vec![None; system.tasks.len()],
            interrupts: vec![None; system.interrupts.len()],
            target,
            lines: Lines::default(),
        }
    }

    fn whole_system(&mut self) {
        for core in self.system.cores() {
            match not_covered(self.system, core) {
                Some(what) => self.give_up_on_core(core, &what),
                None => self.core(core),
            }
        }
    }

    fn give_up_on_core(&mut self, core: SupplyId, what: &str) {
        let reason = Reason::NotCovered { what: what.to_owned() };
        for interrupt in self.system.interrupts_on(core) {
            self.record_interrupt(interrupt, Err(reason.clone()));
        }
        self.give_up_below(core, Form::Core, &reason);
    }

    /// No task on `id` or below it has a bound.
    fn give_up_below(&mut self, id: SupplyId, form: Form, reason: &Reason) {
        for &member in &self.system.supply(id).members {
            match member {
                Member::Task(task) => {
                    let finding =
                        Finding::none(Method { local: Local::NotCovered, form }, reason.clone());
                    self.record_task(task, finding);
                }
                Member::Server(server) => self.give_up_below(server, form, reason),
            }
        }
    }

    fn core(&mut self, core: SupplyId) {
        let system = self.system;
        let ids: Vec<InterruptId> = system.interrupts_on(core).collect();
        let routines: Vec<Load<'_>> =
            ids.iter().map(|&id| Load::of_interrupt(system.interrupt(id))).collect();
        self.service_routines(core, &ids, &routines);
        let effort = Effort::default();
        let after = Residual::new(&Dedicated, Loads::new(&routines), &effort);
        let node = Node {
            id: core,
            supply: &Dedicated,
            form: Form::Core,
            routines: &routines,
            bare_core: routines.is_empty(),
        };
        match system.supply(core).scheduler {
            Scheduler::FixedPriority => {
                self.fixed_priority(node, &system.supply(core).members, routines.clone(), &effort);
            }
            Scheduler::Edf => {
                let node = if node.bare_core { node } else { after_routines(node, &after) };
                self.edf(node, &system.supply(core).members, &effort);
            }
            Scheduler::Linux => {
                let first = if node.bare_core { node } else { after_routines(node, &after) };
                self.linux(first, node, &effort);
            }
            Scheduler::Slots => self.slots(node, &effort),
            _ => unreachable!("not covered, as `not_covered` said"),
        }
    }

    /// The members of a server that provides `supply`.
    fn members(&mut self, id: SupplyId, supply: &dyn Supply, form: Form, effort: &Effort) {
        let node = Node { id, supply, form, routines: &[], bare_core: false };
        let system = self.system;
        let members = &system.supply(id).members;
        match system.supply(id).scheduler {
            Scheduler::FixedPriority => self.fixed_priority(node, members, Vec::new(), effort),
            Scheduler::Edf => self.edf(node, members, effort),
            Scheduler::Linux => self.linux(node, node, effort),
            _ => {
                unreachable!("not covered, as `not_covered` said")
            }
        }
    }
}

/// What service routines leave of a core.
fn after_routines<'a>(node: Node<'a>, left: &'a dyn Supply) -> Node<'a> {
    Node { supply: left, routines: &[], ..node }
}

fn server_of(system: &System, id: SupplyId) -> &Server {
    system.supply(id).server.as_ref().expect("a member that is a supply is a server")
}
