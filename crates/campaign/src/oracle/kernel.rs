//! Calls of the scheduler, switches of the context, cold caches.

use super::choose::{Chosen, Path};
use super::fraction::Fraction;
use super::{Core, Ran};
use vorrang_model::system::{
    Cache, CacheId, CacheModel, InterruptTime, Member, Scheduler, SupplyId, TaskId,
};

/// The context that the core runs, seen from the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    Vcpu(SupplyId),
    Task(TaskId),
    /// The section that blocks a member.
    Section(Member),
}

/// A section of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Call,
    Switch,
    /// Less urgent work that goes on.
    NonPreemptible,
}

/// The state of the kernel of the core.
#[derive(Clone, Debug, Default)]
pub(super) struct Kernel {
    /// The section that runs now, and the rest of it.
    section: Option<(Section, u64)>,
    /// Something ran in the tick before.
    pub(super) busy: bool,
    /// What has ended at this instant.
    ended: Option<Section>,
    /// Something has happened to a member of a supply of the host.
    pub(super) call_needed: bool,
    /// The last decision: how urgent it was, and the way down to the context.
    pub(super) urgency: u64,
    decided: Vec<(SupplyId, Chosen)>,
    /// The server that is charged for a sequence of routines.
    pays: Option<SupplyId>,
    /// The server that is to be charged for the tick after this instant.
    charged: Option<SupplyId>,
    /// The last context.
    context: Option<Context>,
    /// For how long its work has run since it got the core.
    warm: u64,
}

impl Core<'_> {
    /// Step 1: a section is over.
    pub(super) fn end_section(&mut self) {
        self.kernel.ended = None;
        if let Some((section, 0)) = self.kernel.section {
            self.kernel.section = None;
            self.kernel.ended = Some(section);
        }
    }

    /// What runs in this tick; `None` if something has happened meanwhile.
    pub(super) fn give(&mut self) -> Option<Ran> {
        if self.kernel.section.is_some() {
            return Some(self.run_section());
        }
        let sections = self.history.sections;
        let is_wanted = self.is_interrupted() || self.next_on(self.id).is_some();
        if sections > 0 && !self.kernel.busy && is_wanted {
            return Some(self.begin(Section::NonPreemptible, sections));
        }
        // The decision takes into account what happened during the call, and at its end.
        if self.kernel.ended.take() == Some(Section::Call) {
            return self.decide();
        }
        if self.is_interrupted() {
            let goes_on = self.last.routine;
            let ran = self.run_routine()?;
            self.stop_all_but(&[]);
            self.pay_for_routine(goes_on);
            return Some(ran);
        }
        if self.kernel.call_needed {
            let call = self.system.costs.scheduler_call.as_ns();
            return if call > 0 { Some(self.begin(Section::Call, call)) } else { self.decide() };
        }
        self.look_at_timers_again();
        if self.is_interrupted() {
            return None;
        }
        self.last = super::Last::default();
        let ran = self.run_chosen();
        self.last.ran = Some(ran);
        Some(ran)
    }

    /// The tick of a routine is charged to the server of Linux that the first of a sequence of routines
    /// interrupted.
    fn pay_for_routine(&mut self, goes_on: bool) {
        self.last.routine = true;
        if self.system.supply(self.id).interrupt_time == InterruptTime::Apart {
            return;
        }
        if !goes_on {
            let decided = match self.kernel.decided.first() {
                Some(&(_, Chosen::Server(id))) => Some(id),
                _ => None,
            };
            self.kernel.pays = decided.filter(|&id| self.is_linux_server(Member::Server(id)));
        }
        self.kernel.charged = self.kernel.pays;
    }

    /// Whatever happened at this instant precedes the tick of the routine after it.
    pub(super) fn charge_for_routine(&mut self) {
        if let Some(id) = self.kernel.charged.take() {
            self.servers[id.0].as_mut().expect("it was decided for").pay();
            self.tick_of(Chosen::Server(id));
        }
    }

    fn begin(&mut self, section: Section, length: u64) -> Ran {
        self.kernel.section = Some((section, length));
        self.run_section()
    }

    fn run_section(&mut self) -> Ran {
        self.stop_all_but(&[]);
        let (section, left) = self.kernel.section.as_mut().expect("it runs");
        *left -= 1;
        self.last = super::Last::default();
        match section {
            Section::Call => Ran::SchedulerCall,
            Section::Switch => Ran::ContextSwitch,
            Section::NonPreemptible => Ran::NonPreemptible,
        }
    }

    fn decide(&mut self) -> Option<Ran> {
        self.kernel.call_needed = false;
        let path = self.path();
        self.kernel.urgency = self.urgency(path.steps.first().map(|(_, chosen)| *chosen));
        self.kernel.decided = self.host_part(&path);
        self.look_at_timers_again();
        // The timer interrupt that this requests makes levels active now, also while the context is switched.
        self.levels();
        self.switch()
    }

    /// Gives the core to what was decided.
    fn switch(&mut self) -> Option<Ran> {
        let path = self.path();
        let context = self.context(&path);
        if context.is_none() || context == self.kernel.context {
            return None;
        }
        self.kernel.context = context;
        self.kernel.warm = 0;
        match self.system.costs.context_switch.as_ns() {
            0 => None,
            length => Some(self.begin(Section::Switch, length)),
        }
    }

    /// What was decided for last must still be what is chosen: everything that changes it calls
    /// the scheduler.
    pub(super) fn assert_decided(&self, path: &Path) {
        assert_eq!(self.kernel.decided, self.host_part(path), "a decision without a call");
    }

    /// That of the less urgent member (where priorities decide; else of any other) which loses most.
    fn cache_of_section(&self, blocked: Member) -> Option<CacheId> {
        let system = self.system;
        let on = system.on(blocked);
        let by_priority =
            matches!(system.supply(on).scheduler, Scheduler::FixedPriority | Scheduler::Linux);
        let own = self.priority(blocked);
        let mut most: Option<(u128, CacheId)> = None;
        for &other in &system.supply(on).members {
            let less =
                own.is_more_urgent_than(self.priority(other)) && !self.is_linux_server(other);
            if other == blocked || (by_priority && !less) {
                continue;
            }
            let cache = match other {
                Member::Task(id) => system.task(id).cache,
                Member::Server(id) => system.supply(id).cache,
            };
            let Some(id) = cache else { continue };
            let Cache { useful_ppm, sustained, .. } = system.cache(id);
            let lost = u128::from(sustained.as_ns()) * u128::from(1_000_000 - useful_ppm);
            if most.is_none_or(|(known, _)| lost > known) {
                most = Some((lost, id));
            }
        }
        most.map(|(_, id)| id)
    }

    /// The work that one more tick of the context does.
    pub(super) fn progress(&mut self, context: Option<Context>) -> u64 {
        let cache = match context {
            Some(Context::Vcpu(id)) => self.system.supply(id).cache,
            Some(Context::Task(id)) => self.system.task(id).cache,
            Some(Context::Section(member)) => self.cache_of_section(member),
            None => None,
        };
        let Some(cache) = cache else { return 1 };
        let cache = self.system.cache(cache);
        let before = work(cache, self.kernel.warm);
        self.kernel.warm += 1;
        work(cache, self.kernel.warm) - before
    }
}

/// The work done in `time` after a switch, rounded down.
fn work(cache: &Cache, time: u64) -> u64 {
    let (useful, sustained) = (cache.useful_ppm, cache.sustained.as_ns());
    let useful = Fraction::of(u64::from(useful), 1_000_000);
    let done = match cache.model {
        CacheModel::Flood => {
            let cold = Fraction::whole(time.min(sustained));
            useful * cold + Fraction::whole(time.saturating_sub(sustained))
        }
        CacheModel::Exponential => return exponential(cache, time),
    };
    u64::try_from(done.floor()).expect("no work is negative")
}

/// Bits behind the point.
const POINT: u32 = 56;

/// `t - (1 - useful) * s * (1 - exp(-t / s))` in fixed point: half the exponent again and again
/// until the series converges at once, then square. The error is far below a thousandth.
fn exponential(cache: &Cache, time: u64) -> u64 {
    let sustained = i128::from(cache.sustained.as_ns());
    if sustained == 0 {
        return time;
    }
    let one = 1_i128 << POINT;
    let halvings = 10;
    let exponent = ((i128::from(time) << POINT) / sustained) >> halvings;
    let (mut sum, mut term) = (one, one);
    for place in 1..40 {
        term = -((term * exponent) >> POINT) / place;
        sum += term;
    }
    for _ in 0..halvings {
        sum = (sum * sum) >> POINT;
    }
    let lost = (one - sum) * sustained * (1_000_000 - i128::from(cache.useful_ppm)) / 1_000_000;
    let done = ((i128::from(time) << POINT) - lost) >> POINT;
    u64::try_from(done.max(0)).expect("at most the time")
}
