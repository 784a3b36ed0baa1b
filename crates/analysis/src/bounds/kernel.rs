//! What the kernel of a core takes for itself: calls of the scheduler, switches, cold caches.
//!
//! **Model.** A member is *ready* in stretches. What begins a stretch, and everything else that
//! calls the scheduler, is bounded by *occasions*:
//!
//! | member | its occasions |
//! |---|---|
//! | task | its releases |
//! | server | its replenishments (its slots, its [`pieces`]), and what can wake its guest: releases of the tasks in it, replenishments of the servers in it, interrupts that are delivered to it |
//! | pseudo-VCPU by *arrival* | its interrupts, delivered |
//! | by other rules, or for a task in a server of the guest | its periods and deliveries, and what can wake its guest |
//!
//! In a window that begins when no routine is requested and nothing as urgent is ready, as many
//! stretches end as begin. So an occasion stands for two calls and two switches: to the member, and
//! back to whom it interrupted, whose cache is cold then. What is less urgent does not run, so none
//! of its stretches ends: one call for each release or replenishment, and one for a guest that gets
//! something ready. When the window begins, a call and a switch may be under way.
//!
//! ```text
//!  another's        released   chosen                       complete
//!  [ call ][ switch ]·[ call ][ switch ]%%######## own ####|[ call ][ switch ]%% whom it interrupted
//!  <-- under way -->                                        <- after its own response ->
//! ```
//!
//! The last two of a job come after its response: they stand for those that are under way.
//!
//! A guest that a pseudo-VCPU runs, too, may fall asleep while its virtual processor is less urgent than what is
//! looked at; so may a pseudo-VCPU end while it is: then each of their occasions stands for two calls.
//!
//! **Assumptions.** 1. Every switch finds a cold cache, and loses all that can be lost. 2. All that
//! happens at one instant is charged a call each.
//!
//! **Servers with deadlines that are late** have their next budget late by as much: in a window
//! before which nothing due in it was pending no more of them come than in time, in windows that
//! begin anywhere (those of a guest) it is a jitter.
//!
//! **Does not cover** what [`crate::coverage`] names: contexts inside reservations of the host,
//! sporadic servers inside guests, turns.
//!
//! Derived in docs/analysis.md.

use super::fixed_priority::Who;
use super::label::Labels;
use super::machine::{Before, Urgency};

use super::{pieces, pseudo_vcpu, server_of};
use crate::coverage::kernel_takes;
use crate::finding::Reason;
use crate::load::Load;
use vorrang_model::system::{
    Activation, CacheId, InterruptId, Member, Scheduler, ServerKind, SupplyId, System, TaskId,
};
use vorrang_time::Duration;

/// Something that makes a member ready.
#[derive(Clone, Copy, Debug)]
pub(super) enum Occasion {
    /// A job of the task is released.
    Release(TaskId),
    /// The interrupt is pending in a guest.
    Delivery(InterruptId),
}

/// The kernel of one core, and everything that calls it.
#[derive(Clone, Debug)]
pub(super) struct Kernel<'a> {
    call: Duration,
    switch: Duration,
    callers: Vec<Caller<'a>>,
    /// Members do not interrupt each other.
    on_slots: bool,
    uncounted: Option<Uncounted>,
    /// How late a server with a deadline has its next budget at most, whose deadline is over before
    /// the budget is used; `None`: nothing bounds it.
    late: Option<Duration>,
}

/// A server whose budget returns nobody knows how often, and what that leaves without a bound:
/// itself, and whoever is as urgent or less: with as urgent ones it takes turns.
#[derive(Clone, Debug)]
struct Uncounted {
    id: SupplyId,
    urgency: Urgency,
    reason: Reason,
}

/// How often a virtual processor, or something in a reservation of the host, finds its cache cold.
#[derive(Clone, Debug, Default)]
pub(super) struct ColdStarts<'a> {
    /// What it loses when a window begins.
    pub(super) at_first: Duration,
    /// While its guest wants time throughout: whenever it has budget again, and after everything
    /// that may interrupt it.
    pub(super) starts: Vec<Load<'a>>,
    /// While something in a server inside it does: whenever the guest wakes, too.
    pub(super) inside: Vec<Load<'a>>,
}

/// A member of the core. Its loads cost nothing yet. On Linux a server with deadlines is more urgent
/// than any priority, and budget that is late is back no sooner than if it had been in time.
#[derive(Clone, Debug)]
struct Caller<'a> {
    who: Who,
    /// Where the core goes by priority; the same for all elsewhere.
    urgency: Urgency,
    /// Its releases or replenishments.
    own: Load<'a>,
    /// What can wake its guest.
    wakes: Vec<Load<'a>>,
    /// It idles its budget away, so its guest may fall asleep once more than its stretches end.
    idles: bool,
    /// What a task loses each time it gets the core.
    loss: Duration,
    /// What the section loses each time that may hold it up, if one may.
    section_loss: Option<Duration>,
    /// It keeps what its guest does not want, and may then be late.
    keeps: bool,
    /// It may end while what is more urgent has the core: its guest runs elsewhere, too.
    ends_below: bool,
    /// Of a reservation of the host: how many contexts in it may be ready at once; what wakes one of
    /// them calls the core's scheduler, whatever else is ready there.
    inside: Option<u64>,
}

impl<'a> Caller<'a> {
    /// A pseudo-VCPU of a member of the core, whose calls and switches have this name.
    fn of_pseudo_vcpu(
        system: &'a System,
        (id, label): (InterruptId, &'a String),
        often: &impl Fn(Occasion) -> Load<'a>,
    ) -> Self {
        let named = |load: Load<'a>| load.with(label, Duration::ZERO);
        let (period, vcpu) = pseudo_vcpu::wakes_with_guest(system, id);
        let mut wakes = Vec::new();
        if let Some(vcpu) = vcpu {
            wakes_of(system, vcpu, often, &mut wakes);
        }
        wakes.extend(period.map(|period| Load::new("", Duration::ZERO, period, Duration::ZERO)));
        let members = system.supply(system.interrupt(id).on).members.iter();
        Self {
            who: Who::PseudoVcpu(id),
            urgency: pseudo_vcpu::urgency_of(system, id),
            own: named(often(Occasion::Delivery(id))),
            wakes: wakes.into_iter().map(named).collect(),
            idles: false,
            loss: Duration::ZERO,
            // A section that holds up what is as urgent holds it up.
            section_loss: members.filter_map(|&member| section_loss(system, member)).max(),
            ends_below: true,
            keeps: false,
            inside: None,
        }
    }

    /// What makes one of its contexts get the core again after another one of them.
    fn resumes(&self) -> impl Iterator<Item = Load<'a>> {
        let wakes = self.inside.map(|_| self.wakes.iter().copied());
        wakes.into_iter().flatten()
    }

    /// As many contexts of it as may be ready when a window begins.
    fn ready_at_first(&self) -> u64 {
        self.inside.unwrap_or_default()
    }

    /// Its occasions in windows that begin anywhere, with what it has late by then.
    fn anywhere(&self, late: Duration) -> impl Iterator<Item = Load<'a>> {
        let own = self.own.later(if self.keeps { late } else { Duration::ZERO });
        core::iter::once(own).chain(self.wakes.iter().copied())
    }

    /// `cost` for each of its occasions.
    fn each(&self, cost: Duration) -> impl Iterator<Item = Load<'a>> {
        let all = core::iter::once(&self.own).chain(&self.wakes);
        all.map(move |occasion| Load { cost, ..*occasion })
    }
}

impl<'a> Kernel<'a> {
    /// The kernel of a core, given how often things happen; nothing if it takes nothing.
    ///
    /// # Errors
    /// What nobody counts.
    pub(super) fn new(
        system: &'a System,
        core: SupplyId,
        labels: &'a Labels,
        often: impl Fn(Occasion) -> Load<'a>,
    ) -> Result<Option<Self>, Reason> {
        let Some(what) = kernel_takes(system, core) else { return Ok(None) };
        let supply = system.supply(core);
        let caller = |(&member, label): (&Member, &'a String)| {
            let mut urgency = Urgency::Most;
            if matches!(supply.scheduler, Scheduler::FixedPriority | Scheduler::Linux) {
                urgency = Urgency::of_member(system, member);
            }
            let named = |load: Load<'a>| load.with(label, Duration::ZERO);
            let mut wakes = Vec::new();
            let (own, loss, idles) = match member {
                Member::Task(id) => {
                    let loss = system.task(id).cache.map(|id| loss(system, id));
                    (often(Occasion::Release(id)), loss.unwrap_or_default(), false)
                }
                Member::Server(id) => {
                    wakes_of(system, id, &often, &mut wakes);
                    let idles = server_of(system, id).kind == ServerKind::Periodic;
                    (replenishments(system, id), Duration::ZERO, idles)
                }
            };
            let wakes = wakes.into_iter().map(named).collect();
            let section_loss = section_loss(system, member);
            let (keeps, inside) = (keeps(system, member), contexts_inside(system, member));
            let (who, own, ends_below) =
                (Who::Member(member), named(own), is_paid_for(system, member));
            Caller {
                who,
                urgency,
                own,
                wakes,
                idles,
                loss,
                section_loss,
                keeps,
                ends_below,
                inside,
            }
        };
        let members = supply.members.iter().zip(&labels.members).map(caller);
        let paying = labels.pseudo_vcpus.iter();
        let paying = paying.map(|(id, label)| Caller::of_pseudo_vcpu(system, (*id, label), &often));
        let mut kernel = Self {
            call: system.costs.scheduler_call,
            switch: system.costs.context_switch,
            callers: members.chain(paying).collect(),
            on_slots: supply.scheduler == Scheduler::Slots,
            uncounted: None,
            late: Some(Duration::ZERO),
        };
        kernel.count_pieces(system, &often, what);
        match &kernel.uncounted {
            // Its calls delay everybody.
            Some(Uncounted { reason, .. }) if !kernel.section().is_zero() => Err(reason.clone()),
            _ => Ok(Some(kernel)),
        }
    }

    /// Why a member has no bound although others may have one.
    pub(super) fn uncounted(&self, own: Member) -> Option<&Reason> {
        let Uncounted { id, urgency, reason } = self.uncounted.as_ref()?;
        let affected =
            own == Member::Server(*id) || self.caller(Who::Member(own)).urgency <= *urgency;
        affected.then_some(reason)
    }

    /// Counts how often budget of sporadic servers is back, the most urgent first: that of others
    /// depends on it.
    fn count_pieces(
        &mut self,
        system: &'a System,
        often: &impl Fn(Occasion) -> Load<'a>,
        what: &str,
    ) {
        let mut places: Vec<usize> = (0..self.callers.len()).collect();
        places.sort_by_key(|&place| core::cmp::Reverse(self.callers[place].urgency));
        for place in places {
            let Caller { who, urgency, .. } = self.callers[place];
            let Who::Member(member @ Member::Server(id)) = who else { continue };
            let server = server_of(system, id);
            if server.kind != ServerKind::Sporadic || self.uncounted(member).is_some() {
                continue;
            }
            if let Some(count) = self.returns_of(system, id, place, often) {
                let own = &mut self.callers[place].own;
                *own = pieces::returns(count, server.period).with(own.name, Duration::ZERO);
            } else {
                let name = &system.supply(id).name;
                let what = format!("{what} when pieces of the budget of {name} return");
                let reason = Reason::NotCovered { what };
                self.uncounted = Some(Uncounted { id, urgency, reason });
            }
        }
    }

    /// How often budget of a sporadic server is back at most in a period.
    fn returns_of(
        &self,
        system: &'a System,
        id: SupplyId,
        place: usize,
        often: &impl Fn(Occasion) -> Load<'a>,
    ) -> Option<u64> {
        let own = &self.callers[place];
        let mut interrupted = self.interrupting(own);
        interrupted.extend(own.resumes());
        let guest = pieces::Guest {
            server: server_of(system, id),
            demand: &pieces::demand(system, id, often)?,
            wakes: &own.wakes,
            loss: loss_of_server(system, id),
            interrupted: &interrupted,
        };
        guest.most_returns()
    }

    /// The occasions of what may interrupt a member.
    fn interrupting(&self, own: &Caller<'a>) -> Vec<Load<'a>> {
        self.interrupters(own).flat_map(|other| other.each(Duration::ZERO)).collect()
    }

    /// What may interrupt a member: the more urgent ones where priority decides, all others where
    /// deadlines do.
    fn interrupters(&self, own: &Caller<'a>) -> impl Iterator<Item = &Caller<'a>> {
        let (who, urgency) = (own.who, own.urgency);
        self.callers.iter().filter(move |other| {
            let may_interrupt = urgency == Urgency::Most || other.urgency > urgency;
            other.who != who && may_interrupt && !self.on_slots
        })
    }

    /// The same once it is known how late budgets are.
    pub(super) fn late_by(&self, late: Option<Duration>) -> Self {
        Self { late, ..self.clone() }
    }

    /// The sections in any window while a server has the core: whatever happens meanwhile calls
    /// once, and contexts of a reservation interrupt each other. `None`: nobody counts them.
    pub(super) fn meanwhile(&self, own: SupplyId) -> Option<Before<'a>> {
        let (late, own) = (self.late?, self.caller(Who::Member(Member::Server(own))));
        let occasions = self.callers.iter().flat_map(|caller| caller.anywhere(late));
        let calls = occasions.map(|occasion| Load { cost: self.call, ..occasion });
        let stretches = own.resumes().map(|wakes| Load { cost: self.section() * 2, ..wakes });
        let blocking = self.section() * own.ready_at_first();
        Some(Before { loads: calls.chain(stretches).collect(), blocking })
    }

    /// How often the budget of a server is back in a period, where it returns in pieces.
    pub(super) fn returns(&self, member: Member) -> Option<u64> {
        let counted = self.uncounted(member).is_none();
        self.caller(Who::Member(member)).own.limit.filter(|_| counted).map(|limit| limit.count)
    }

    /// How often a member gets the core after another one.
    pub(super) fn times_chosen(&self, member: Member, window: Duration) -> Result<u64, Reason> {
        if let Some(reason) = self.uncounted(member) {
            return Err(reason.clone());
        }
        let own = self.caller(Who::Member(member));
        let all = own.each(Duration::ZERO).chain(own.resumes()).chain(self.interrupting(own));
        Ok(all.map(|occasion| occasion.occurrences(window)).sum())
    }

    /// How often the scheduler is called: each occasion may begin and end something.
    pub(super) fn calls_in(&self, window: Duration) -> u64 {
        let all = self.callers.iter().flat_map(|caller| caller.each(Duration::ZERO));
        2 * all.map(|occasion| occasion.occurrences(window)).sum::<u64>()
    }

    /// What comes before a member of a core that goes by priority; what a job of a task takes
    /// besides counts with it, see [`Kernel::around_job`].
    pub(super) fn before(&self, own: Who, urgency: Urgency) -> Before<'a> {
        let mut before = Before::default();
        let section_loss = self.caller(own).section_loss.unwrap_or_default();
        // What is more urgent may interrupt the section that holds it up.
        let section =
            |by: &Caller<'_>| if by.urgency > urgency { section_loss } else { Duration::ZERO };
        for caller in &self.callers {
            if caller.who == own {
                self.own(caller, &mut before);
                before.blocking += self.around_section(own);
                if self.has_equals(caller) {
                    // Those kept waiting by its earlier stretches come before it now.
                    self.stretches(caller, Duration::ZERO, &mut before);
                }
            } else if caller.urgency >= urgency {
                let resumed = self.resumed(caller, urgency).max(section(caller));
                self.stretches(caller, resumed, &mut before);
            } else {
                self.calls(caller, &mut before);
            }
        }
        before
    }

    /// Whether a server is as urgent as another member.
    fn has_equals(&self, own: &Caller<'_>) -> bool {
        let is_server = matches!(own.who, Who::Member(Member::Server(_)));
        let equals = self.callers.iter().filter(|other| other.urgency == own.urgency);
        is_server && equals.count() > 1
    }

    /// What comes before a decision for something no more urgent than that.
    pub(super) fn above(&self, urgency: Urgency) -> Before<'a> {
        let mut before = Before { loads: Vec::new(), blocking: self.until_decision() };
        for caller in &self.callers {
            if caller.urgency > urgency {
                self.stretches(caller, self.resumed(caller, urgency), &mut before);
            } else {
                self.calls(caller, &mut before);
            }
        }
        before
    }

    /// What is under way, and a call.
    pub(super) fn until_decision(&self) -> Duration {
        self.section() + self.call
    }

    /// A call and the switch after it: nothing stops them.
    pub(super) fn section(&self) -> Duration {
        self.call + self.switch
    }

    /// What comes before every member of a core that goes by deadline; what a job of a task takes
    /// besides counts with it, see [`Kernel::around_job`].
    pub(super) fn before_deadlines(&self) -> Before<'a> {
        let mut before = Before::default();
        for caller in &self.callers {
            match caller.who {
                Who::Member(Member::Task(_)) => self.calls(caller, &mut before),
                Who::Member(Member::Server(_)) | Who::PseudoVcpu(_) => {
                    self.stretches(caller, self.resumed(caller, caller.urgency), &mut before);
                }
            }
        }
        before
    }

    /// What the slots of a core lose. Guests of other slots may be awake when a window begins, and
    /// nobody is interrupted by another.
    pub(super) fn before_slots(&self) -> Before<'a> {
        let mut before = Before { loads: Vec::new(), blocking: self.section() };
        for caller in &self.callers {
            before.loads.extend(caller.each(self.call * 2 + self.switch));
            before.loads.extend(caller.resumes().map(|wakes| Load { cost: self.switch, ..wakes }));
            before.blocking += self.call + self.section() * caller.ready_at_first();
        }
        before
    }

    /// What a job of a task takes besides its work: to get the core, and to leave it.
    pub(super) fn around_job(&self, task: TaskId) -> Duration {
        let own = self.caller(Who::Member(Member::Task(task)));
        let by_deadline = own.urgency == Urgency::Most;
        let resumed = if by_deadline { self.resumed(own, own.urgency) } else { Duration::ZERO };
        self.call + self.switch * 2 + own.loss + resumed
    }

    /// What a credit of a pseudo-VCPU takes besides: to get the core, and to leave it.
    pub(super) fn around_credit(&self) -> Duration {
        self.call + self.switch * 2
    }

    /// What the section takes besides its work that holds a member up: to get the core, what it loses
    /// there, and to leave it.
    pub(super) fn around_section(&self, own: Who) -> Duration {
        let lost = self.caller(own).section_loss;
        lost.map_or(Duration::ZERO, |lost| self.call + self.switch * 2 + lost)
    }

    /// How often a virtual processor loses so much to a cold cache, in windows that begin anywhere;
    /// `None`: nobody counts that.
    pub(super) fn cold_starts(&self, own: SupplyId, loss: Duration) -> Option<ColdStarts<'a>> {
        let own = self.caller(Who::Member(Member::Server(own)));
        let late = self.late?;
        let interrupted = self.interrupters(own).flat_map(|other| other.anywhere(late));
        // In a reservation of the host whatever wakes is one, and may interrupt one.
        let contexts = own.resumes().chain(own.resumes());
        let again = own.anywhere(late).take(1).chain(interrupted).chain(contexts);
        let starts: Vec<_> = again.map(|occasion| Load { cost: loss, ..occasion }).collect();
        let mut inside = starts.clone();
        if own.inside.is_none() {
            inside.extend(own.wakes.iter().map(|wakes| Load { cost: loss, ..*wakes }));
        }
        let at_first = loss * (1 + own.ready_at_first());
        Some(ColdStarts { at_first, starts, inside })
    }

    fn caller(&self, who: Who) -> &Caller<'a> {
        let own = self.callers.iter().find(|caller| caller.who == who);
        own.expect("a member of the core, or a pseudo-VCPU there")
    }

    /// A task: every release calls. A server: one replenishment and one guest that wakes before it
    /// gets the core, and what was under way; whose budget returns in pieces may get and leave the
    /// core for each of them.
    fn own(&self, caller: &Caller<'a>, before: &mut Before<'a>) {
        match caller.who {
            Who::Member(Member::Task(_)) | Who::PseudoVcpu(_) => {
                before.loads.push(Load { cost: self.call, ..caller.own });
            }
            Who::Member(Member::Server(_)) => {
                before.blocking += self.section() + self.call * 2 + self.switch;
                before.blocking += self.section() * caller.ready_at_first();
                let again = caller.own.limit.map(|_| caller.own).into_iter();
                let again = again.chain(caller.resumes());
                before.loads.extend(again.map(|load| Load { cost: self.section() * 2, ..load }));
            }
        }
    }

    /// Stretches that begin and end, with what is lost by whom they interrupt.
    fn stretches(&self, caller: &Caller<'a>, resumed: Duration, before: &mut Before<'a>) {
        let cost = self.section() * 2 + caller.loss + resumed;
        before.loads.extend(caller.each(cost));
        before.blocking += self.section() * caller.ready_at_first();
        if caller.idles {
            before.blocking += self.call;
        }
    }

    /// Stretches that begin, if at all, and mostly do not end.
    fn calls(&self, caller: &Caller<'a>, before: &mut Before<'a>) {
        if caller.ends_below {
            before.loads.extend(caller.each(self.call * 2));
            before.blocking += self.call;
            return;
        }
        before.loads.push(Load { cost: self.call, ..caller.own });
        match caller.inside {
            Some(_) => before
                .loads
                .extend(caller.wakes.iter().map(|wakes| Load { cost: self.call, ..*wakes })),
            None if caller.wakes.is_empty() => {}
            None => before.blocking += self.call,
        }
    }

    /// The most that a task loses that is interrupted by a member, and is at least so urgent.
    fn resumed(&self, by: &Caller<'_>, urgency: Urgency) -> Duration {
        let interrupted = |other: &&Caller<'_>| {
            let by_deadline = by.urgency == Urgency::Most && other.who != by.who;
            by_deadline || (other.urgency >= urgency && by.urgency > other.urgency)
        };
        let most = |other: &Caller<'_>| match other.section_loss {
            Some(section) if by.urgency == Urgency::Most => other.loss.max(section),
            _ => other.loss,
        };
        let losses = self.callers.iter().filter(interrupted).map(most);
        losses.max().unwrap_or_default()
    }
}

/// What a context that gets the core loses at most until its cache is warm.
pub(super) fn loss(system: &System, id: CacheId) -> Duration {
    let cache = system.cache(id);
    let useless = 1_000_000 - u128::from(cache.useful_ppm.min(1_000_000));
    let lost = (u128::from(cache.sustained.as_ns()) * useless).div_ceil(1_000_000);
    let lost = Duration::from_ns(u64::try_from(lost).expect("a part of a duration"));
    // Where the simulator computes in larger steps (mechanisms/switch_cost.rs) it may lose more.
    lost + Duration::from_ns(cache.sustained.as_ns() >> 26)
}

/// What is lost at most whenever a server gets the core: of a reservation of the host the most that
/// one of the contexts in it loses.
pub(super) fn loss_of_server(system: &System, id: SupplyId) -> Duration {
    let supply = system.supply(id);
    let own = supply.cache.map_or(Duration::ZERO, |cache| loss(system, cache));
    if supply.vm.is_some() {
        return own;
    }
    let inside = supply.members.iter().map(|&member| match member {
        Member::Task(task) => system.task(task).cache.map_or(Duration::ZERO, |id| loss(system, id)),
        Member::Server(inner) => loss_of_server(system, inner),
    });
    inside.max().unwrap_or_default().max(own)
}

/// Whether pseudo-VCPUs run the guest of a member, too.
fn is_paid_for(system: &System, member: Member) -> bool {
    let delivered = |vcpu: SupplyId| {
        system
            .interrupts
            .iter()
            .filter_map(|interrupt| interrupt.delivery.as_ref())
            .any(|delivery| delivery.vcpu == vcpu && delivery.pseudo_vcpu.is_some())
    };
    matches!(member, Member::Server(id) if delivered(id))
}

/// How many contexts a reservation of the host holds; `None`: the member is none.
fn contexts_inside(system: &System, member: Member) -> Option<u64> {
    let Member::Server(id) = member else { return None };
    let supply = system.supply(id);
    let each = |&inner: &Member| contexts_inside(system, inner).map_or(1, |inside| 1 + inside);
    supply.vm.is_none().then(|| supply.members.iter().map(each).sum())
}

/// What the section loses at most that may hold a member up, whoever owns it.
fn section_loss(system: &System, member: Member) -> Option<Duration> {
    if system.blocking(member).is_zero() {
        return None;
    }
    let caches = system.less_urgent(member).filter_map(|owner| system.cache_of(owner));
    Some(caches.map(|id| loss(system, id)).max().unwrap_or_default())
}

/// How often a server has budget again.
fn replenishments<'a>(system: &System, id: SupplyId) -> Load<'a> {
    let server = server_of(system, id);
    let period = match server.kind {
        // It has, whenever its budget is gone.
        ServerKind::CbsSoft => server.budget,
        ServerKind::RefillQueue => return pieces::returns(server.refills.into(), server.period),
        _ => server.period,
    };
    Load::new("", Duration::ZERO, period, Duration::ZERO)
}

/// Whether a member keeps budget that its guest does not want, until its deadline.
fn keeps(system: &System, member: Member) -> bool {
    let Member::Server(id) = member else { return false };
    let kind = server_of(system, id).kind;
    matches!(kind, ServerKind::CbsHard | ServerKind::CbsSoft | ServerKind::SchedDeadline)
}

/// What makes a member of a core ready, or ready again.
pub(super) fn occasions<'a>(
    system: &System,
    member: Member,
    often: &impl Fn(Occasion) -> Load<'a>,
    occasions: &mut Vec<Load<'a>>,
) {
    match member {
        Member::Task(id) => occasions.push(often(Occasion::Release(id))),
        Member::Server(id) => {
            occasions.push(replenishments(system, id));
            wakes_of(system, id, often, occasions);
        }
    }
}

/// What can wake the guest of a server.
fn wakes_of<'a>(
    system: &System,
    id: SupplyId,
    often: &impl Fn(Occasion) -> Load<'a>,
    wakes: &mut Vec<Load<'a>>,
) {
    let interrupts = (0..system.interrupts.len()).map(InterruptId);
    let delivered = interrupts.filter(|&interrupt| {
        let delivery = system.interrupt(interrupt).delivery.as_ref();
        delivery.is_some_and(|delivery| delivery.vcpu == id)
    });
    wakes.extend(delivered.map(|interrupt| often(Occasion::Delivery(interrupt))));
    for &member in &system.supply(id).members {
        match member {
            Member::Task(task) if !is_woken_in_guest(system, task) => {
                wakes.push(often(Occasion::Release(task)));
            }
            Member::Task(_) => {}
            Member::Server(inner) => {
                if server_of(system, inner).kind != ServerKind::Share {
                    wakes.push(replenishments(system, inner));
                }
                wakes_of(system, inner, often, wakes);
            }
        }
    }
}

/// Whether a routine of the guest wakes it, which has woken the guest before.
fn is_woken_in_guest(system: &System, id: TaskId) -> bool {
    let Activation::Interrupt(interrupt) = system.task(id).activation else { return false };
    system.interrupt(interrupt).delivery.is_some()
}
