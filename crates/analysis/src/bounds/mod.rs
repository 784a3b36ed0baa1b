//! The fold over the tree of supplies: from a system to a bound for each of its tasks and interrupts.
//!
//! It asks the theorems, stores what they find, and takes the lesser where two bound the same; it proves nothing itself.
//!
//! **Model.** Each core is gone through from the top: what interrupts leave of it is a supply; each scheduler turns a supply into
//! the response times of its tasks and the supplies of its servers; and so on down. Nothing here is particular to a depth.
//!
//! **Assumptions.** 1. Those of each theorem, which stand with it; what depends on the description is in `assumed.rs`. 2. A core is
//! known before what is in it, a supply before its members: nothing is asked for before it is known.
//!
//! **Cost.** One analysis per task and server; linear in the depth for each evaluation of a supply. Theory: docs/theory/supply.md.

mod alone_by_deadline;
mod any_order;
mod ask;
pub(crate) mod assumed;
mod average;
mod bandwidth;
mod beside_section;
mod by_clock;
mod chance;
mod circle;
mod delivered;
mod derives;
mod drawn;
mod edf;
mod edf_by_clock;
mod edf_guests;
mod edf_overbooked;
mod first_come;
mod fixed_priority;
mod found;
mod guest;
mod idle_guest;
mod interrupt_level;
mod known;
mod linux;
mod losses;
mod never_used_up;
mod node;
mod packets;
mod polls;
mod precedence;
mod priority_server;
mod pseudo_vcpu;
mod reclaiming;
mod record;
mod slices;
mod slots;
mod thresholds;
mod throttling;
mod tried;
mod turns;
mod wake_up;
mod without_budget;
mod without_preemption;
mod woken;

pub use ask::{
    bounds, bounds_since, bounds_until, bounds_within, bounds_within_since, counted_bounds,
    counted_bounds_since, derived_bounds_of, derived_bounds_until, derived_bounds_within,
    monotonic_bounds,
};
pub use drawn::curves;
pub use found::Bounds;
pub use known::Known;
pub use losses::{ContextLosses, Losses, losses};
pub use tried::{Outcome, Tried, tried};

use crate::core::{CoreLevel, Propagation, Why};
use crate::coverage::{Schedule, not_covered};
use crate::demand::{Load, Loads};
use crate::derivation::Derivation;
use crate::edf::Late;
use crate::feature::SchedulingFeature;
use crate::finding::{Finding, Form, Local, Method};
use crate::ground::{Effort, Reason, sections_within};
use crate::interrupt::{Paid, Routines};
use crate::supply::curves::Kept;
use crate::supply::{Dedicated, Residual, Supply};
use derives::Derives;
use found::{Rests, Seldom};
use node::Node;
use vorrang_model::system::{SupplyId, System};
use vorrang_time::Duration;

/// One pass over a system.
struct Fold<'s> {
    system: &'s System,
    effort: Effort,
    tasks: Vec<Option<Finding>>,
    interrupts: Vec<Option<Finding>>,
    /// How often things happen, as far as that is known: packets as late as the pass before found.
    arrivals: Propagation<'s>,
    why: Why<'s>,
    /// By supply: how late a constant-bandwidth server delivers what is asked of its budget, if
    /// that is known.
    late: Vec<Option<Late>>,
    /// By supply: whether a server is guaranteed its budget, or why not; none of a core and before it is met.
    guaranteed: Vec<Option<Result<Rests, Reason>>>,
    /// By supply: what is wanted beside the budget of a server that is not guaranteed it, if that is kept.
    wanted: Vec<Derivation>,
    /// By device: how late this pass finds its packets to be for the receiver.
    found_delays: Vec<Option<Duration>>,
    /// By task: how often it takes longer than a limit that it must keep with a probability.
    seldom: Vec<Vec<Seldom>>,
    /// What the pseudo-VCPU of each interrupt gives to it.
    paid: Vec<Option<Paid>>,
    /// Of what it is kept how bounds come about.
    derives: Derives,
    drawn: Kept,
    /// What is not looked for once more.
    known: Option<Known<'s>>,
    is_end_wanted: &'s dyn Fn() -> bool,
    /// The steps of looking once more at what has a bound; none: it is not.
    refinements: Option<Effort>,
}

impl<'s> Fold<'s> {
    fn new(system: &'s System) -> Self {
        Self {
            system,
            effort: Effort::of_each_core(),
            tasks: vec![None; system.tasks.len()],
            interrupts: vec![None; system.interrupts.len()],
            arrivals: Propagation::new(system, vec![Ok(Duration::ZERO); system.devices.len()]),
            why: Why::new(system),
            late: vec![None; system.supplies.len()],
            guaranteed: vec![None; system.supplies.len()],
            wanted: vec![Derivation::default(); system.supplies.len()],
            found_delays: vec![None; system.devices.len()],
            seldom: vec![Vec::new(); system.tasks.len()],
            paid: vec![None; system.interrupts.len()],
            derives: Derives::default(),
            drawn: Kept::default(),
            known: None,
            is_end_wanted: &|| false,
            refinements: Some(Effort::of_each_core()),
        }
    }

    /// Terms that were evaluated.
    fn terms(&self) -> u64 {
        self.effort.taken_apart() + self.refinements.as_ref().map_or(0, Effort::taken_apart)
    }

    /// Until no packet is later than was taken for granted.
    fn whole_system(&mut self) {
        for pass in 0.. {
            self.pass();
            match self.longer_delays(pass) {
                Some(delays) => *self = self.again(delays),
                None => break,
            }
        }
    }

    fn pass(&mut self) {
        for core in self.system.cores() {
            if self.is_known(core) {
                continue;
            }
            self.effort.begin_core(core.0);
            self.refinements.iter().for_each(|effort| effort.begin_core(core.0));
            match not_covered(self.system, core) {
                Some(what) => self.give_up_on_core(core, &Reason::NotCovered { what }),
                None if (self.is_end_wanted)() => self.give_up_on_core(core, &Reason::Interrupted),
                None => self.core(core),
            }
        }
        self.assume_no_own_storms();
        self.endless_work();
        self.woken_tasks_handle();
    }

    /// Whether a core is not gone through, because what there is to find is known.
    fn is_known(&self, core: SupplyId) -> bool {
        self.known.as_ref().is_some_and(|known| known.is_of(core))
    }

    fn bounds(mut self) -> Bounds {
        self.whole_system();
        self.into_bounds()
    }

    fn into_bounds(mut self) -> Bounds {
        let known = self.known.take();
        let (system, found) = (self.system, self.into_found());
        known.iter().fold(found, |found, known| known.beside(system, found))
    }

    fn into_found(self) -> Bounds {
        let alone = self.alone();
        // A pass goes down to every task, and over all interrupts of every core: each has a finding, so this says nothing.
        let missed = Finding::none(
            Method { local: Local::NotCovered, form: Form::Core },
            Reason::Interrupted,
        );
        let found = |finding: Option<Finding>| finding.unwrap_or_else(|| missed.clone());
        Bounds {
            tasks: self.tasks.into_iter().map(found).collect(),
            interrupts: self.interrupts.into_iter().map(found).collect(),
            alone,
            seldom: self.seldom,
            late: self.late,
            guaranteed: self.guaranteed,
            wanted: self.wanted,
        }
    }

    fn core(&mut self, core: SupplyId) {
        let (arrivals, why) = (&mut self.arrivals, &self.why);
        let level = CoreLevel::new((self.system, core), arrivals, why, &self.effort);
        let level = match level {
            Ok(level) => level,
            Err(reason) => return self.give_up_on_core(core, &reason),
        };
        self.routines_of_core(core, &level);
        let machine = match level.interference(&self.arrivals) {
            Ok(machine) => machine,
            Err(reason) => return self.give_up_below(core, Form::Core, &reason),
        };
        let routines = level.routines();
        let node = Node {
            id: core,
            supply: &Dedicated,
            form: Form::Core,
            routines,
            machine: Some(&machine),
            cold: None,
            bare_core: level.ids.is_empty() && machine.is_idle(),
        };
        let effort = self.effort.another();
        self.scheduled(node, &effort);
        if let Some(id) = self.kept_too_long(core) {
            let interrupt = self.system.interrupt(id).name.clone();
            let what = SchedulingFeature::WaitingInGuest { interrupt };
            self.forget(core);
            self.give_up_below(core, Form::Core, &Reason::not_covered(what));
        }
    }

    /// The members of a server that provides `supply`, and the routines of its guest. Around it
    /// may be a virtual processor with a `cold` cache.
    fn members(
        &mut self,
        id: SupplyId,
        supply: &dyn Supply,
        form: Form,
        cold: Option<(Duration, &[Load<'_>])>,
        effort: &Effort,
    ) {
        if (self.is_end_wanted)() {
            return self.give_up_below(id, form, &Reason::Interrupted);
        }
        self.guaranteed[id.0].get_or_insert(Ok(Rests::OnBudgets));
        let (ids, requests) = match self.arrivals.requests_in_guest(id) {
            Ok(both) => both,
            Err(reason) => return self.give_up_below(id, form, &reason),
        };
        let loads: Vec<Load<'_>> = requests.iter().map(|requests| requests.storm).collect();
        let routines = Routines { ids: &ids, requests: &requests, loads: &loads };
        let sections = sections_within(self.system, id);
        let left = Residual::new(supply, Loads::new(&[]), effort).blocked(sections);
        let supply = if sections.is_zero() { supply } else { &left };
        let node = Node { id, supply, form, routines, machine: None, cold, bare_core: false };
        self.routines_of_guest(node);
        self.scheduled(node, effort);
    }

    fn scheduled(&mut self, node: Node<'_>, effort: &Effort) {
        let system = self.system;
        let members = &system.supply(node.id).members;
        let before = node.before_all(system);
        let first = match self.first_on(node) {
            Ok(first) => first,
            Err(reason) => return self.give_up_below(node.id, node.form, &reason),
        };
        let loads = Loads::new(&first).after(&before.loads);
        let left = Residual::new(node.supply, loads, effort).blocked(before.blocking);
        let whole = loads.is_empty() && before.blocking.is_zero();
        let after = if whole { node } else { node.after_routines(&left) };
        let schedule = match Schedule::of(system, node.id) {
            Ok(schedule) => schedule,
            Err(feature) => {
                return self.give_up_below(node.id, node.form, &Reason::not_covered(feature));
            }
        };
        match schedule {
            Schedule::FixedPriority => self.by_priority(node, members, effort),
            Schedule::Edf(members) => self.deadlines((after, node), &members, effort),
            Schedule::Linux { by_deadline, by_priority } => {
                self.linux((after, node), (&by_deadline, &by_priority), effort);
            }
            Schedule::Turns => self.turns(after, effort),
            Schedule::AnyOrder => self.any_order(after, effort),
            Schedule::Slots(servers) => self.slots(node, &servers, &before, effort),
        }
    }
}
