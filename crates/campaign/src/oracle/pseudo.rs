//! Pseudo-VCPUs: the budgets of virtual interrupts.

use super::{Core, Place, Ran};
use vorrang_model::system::{InterruptId, Priority, PseudoVcpuRule, SupplyId, System};

/// The pseudo-VCPU of one interrupt.
pub(super) struct Pseudo {
    rule: PseudoVcpuRule,
    full: u64,
    period: u64,
    phase: u64,
    /// The credit of one interrupt.
    credit: u64,
    budget: u64,
    /// When credits that were taken can be taken again (rule `arrival`).
    back: Vec<u64>,
    /// What was added since the last multiple of the period (rule `released`).
    added: u64,
    place: Place,
    exhausted_now: bool,
}

/// The credit of an interrupt for its pseudo-VCPU.
pub(crate) fn credit(system: &System, id: InterruptId) -> u64 {
    let interrupt = system.interrupt(id);
    let delivery = interrupt.delivery.as_ref().expect("it has a pseudo-VCPU");
    let stated = delivery.pseudo_vcpu.as_ref().expect("it has a pseudo-VCPU");
    let woken = interrupt.wakes.map_or(0, |task| system.task(task).wcet.as_ns());
    let takes = delivery.isr.as_ns() + system.costs.vm_exit.as_ns() + woken;
    let mut in_guest = system.interrupts.iter().filter_map(|other| other.delivery.as_ref());
    let unpaid = in_guest.any(|other| other.vcpu == delivery.vcpu && other.pseudo_vcpu.is_none());
    let cold = system.supply(delivery.vcpu).cache.is_some();
    if stated.rule != PseudoVcpuRule::Arrival || !(unpaid || cold) {
        return takes;
    }
    let budget = stated.budget.as_ns();
    let in_a_period = stated.period.as_ns().div_ceil(interrupt.min_interarrival.as_ns());
    budget / in_a_period.min(budget / takes)
}

impl Pseudo {
    pub(super) fn new(system: &System, id: InterruptId, phase: u64) -> Option<Self> {
        let stated = system.interrupt(id).delivery.as_ref()?.pseudo_vcpu.as_ref()?;
        let full = stated.budget.as_ns();
        Some(Self {
            rule: stated.rule,
            full,
            period: stated.period.as_ns(),
            phase,
            credit: credit(system, id),
            budget: if stated.rule == PseudoVcpuRule::Deferrable { full } else { 0 },
            back: Vec::new(),
            added: 0,
            place: Place::default(),
            exhausted_now: false,
        })
    }

    /// Whether a request is admitted now; if so, its credit is taken.
    pub(super) fn lets_through(&mut self, now: u64) -> bool {
        match self.rule {
            PseudoVcpuRule::Arrival => {
                let taken = self.back.iter().filter(|&&back| back > now).count() as u64;
                let free = taken < self.full / self.credit;
                if free {
                    self.back.push(now + self.period);
                }
                free
            }
            PseudoVcpuRule::Deferrable => self.budget > 0,
            PseudoVcpuRule::Released => self.budget > 0 || self.added < self.full,
        }
    }

    /// The routine of the core has ended.
    pub(super) fn credit_routine(&mut self) {
        match self.rule {
            PseudoVcpuRule::Arrival => self.budget += self.credit,
            PseudoVcpuRule::Deferrable => {}
            PseudoVcpuRule::Released => {
                let before = self.budget;
                self.budget = self.full.min(self.budget + self.credit);
                self.added += self.budget - before;
            }
        }
    }

    /// Everything of it in the guest is handled.
    pub(super) fn drop_rest(&mut self) {
        if self.rule == PseudoVcpuRule::Arrival {
            self.budget = 0;
        }
    }

    fn begins_period(&self, now: u64) -> bool {
        now >= self.phase && (now - self.phase).is_multiple_of(self.period)
    }
}

impl Core<'_> {
    /// The pseudo-VCPUs that stand on a supply.
    pub(super) fn pseudo_on(&self, supply: SupplyId) -> impl Iterator<Item = usize> + '_ {
        (0..self.lines.len()).filter(move |&id| {
            self.lines[id].pseudo.is_some() && {
                let vcpu = self.vcpu_of(id);
                self.on_core(vcpu) && self.parent(vcpu) == supply
            }
        })
    }

    pub(super) fn vcpu_of(&self, id: usize) -> SupplyId {
        self.system.interrupts[id].delivery.as_ref().expect("it has a pseudo-VCPU").vcpu
    }

    fn pseudo(&self, id: usize) -> &Pseudo {
        self.lines[id].pseudo.as_ref().expect("it has one")
    }

    pub(super) fn pseudo_place(&self, id: usize) -> Place {
        self.pseudo(id).place
    }

    pub(super) fn pseudo_period(&self, id: usize) -> u64 {
        self.pseudo(id).period
    }

    /// `None`: above everything with a priority.
    pub(super) fn pseudo_priority(&self, id: usize) -> Option<Priority> {
        let delivery = self.system.interrupts[id].delivery.as_ref();
        delivery
            .and_then(|delivery| delivery.pseudo_vcpu.as_ref())
            .and_then(|stated| stated.priority)
    }

    /// Whether one that is ready on the supply is at least that urgent.
    pub(super) fn pseudo_at_least(&self, supply: SupplyId, priority: Priority) -> bool {
        self.pseudo_on(supply).any(|id| {
            let urgent = |own: Priority| !priority.is_more_urgent_than(own);
            self.pseudo(id).place.ready && self.pseudo_priority(id).is_none_or(urgent)
        })
    }

    pub(super) fn pay_pseudo(&mut self, id: usize) {
        self.lines[id].pseudo.as_mut().expect("it was chosen").budget -= 1;
    }

    /// Step 2.
    pub(super) fn exhaust_pseudo(&mut self) {
        for line in &mut self.lines {
            if let Some(pseudo) = &mut line.pseudo {
                pseudo.exhausted_now = pseudo.place.ready && pseudo.budget == 0;
            }
        }
    }

    /// Step 3: credits that are back, periods that begin, and the requests that waited for them.
    pub(super) fn replenish_pseudo(&mut self) {
        for id in 0..self.lines.len() {
            if self.lines[id].pseudo.is_some() && self.on_core(self.vcpu_of(id)) {
                self.begin_pseudo_period(id);
                self.release_held(id);
            }
        }
    }

    fn begin_pseudo_period(&mut self, id: usize) {
        let now = self.now;
        let runs = self.runs_on_own_pseudo(id);
        let pseudo = self.lines[id].pseudo.as_mut().expect("it has one");
        if pseudo.rule == PseudoVcpuRule::Arrival || !pseudo.begins_period(now) {
            return;
        }
        let before = pseudo.budget;
        match pseudo.rule {
            PseudoVcpuRule::Arrival => {}
            PseudoVcpuRule::Deferrable => pseudo.budget = pseudo.full,
            PseudoVcpuRule::Released => {
                pseudo.budget = if runs { pseudo.credit.min(pseudo.budget) } else { 0 };
                pseudo.added = 0;
            }
        }
        pseudo.exhausted_now |= before > 0 && pseudo.budget == 0;
    }

    /// Whether a routine of the interrupt, or the task it wakes, has run on its pseudo-VCPU up to
    /// this instant and is not complete.
    fn runs_on_own_pseudo(&self, id: usize) -> bool {
        let own = match self.last.ran {
            Some(Ran::GuestRoutine(interrupt)) => interrupt.0 == id,
            Some(Ran::Task(task)) => self.woken_by(InterruptId(id)) == Some(task),
            _ => false,
        };
        own && self.last.pseudo.contains(&id) && !self.last.completed
    }

    fn release_held(&mut self, id: usize) {
        let now = self.now;
        let line = &mut self.lines[id];
        let pseudo = line.pseudo.as_mut().expect("it has one");
        let all = pseudo.rule != PseudoVcpuRule::Arrival && pseudo.begins_period(now);
        while let Some(held) = self.lines[id].held.front().copied() {
            let pseudo = self.lines[id].pseudo.as_mut().expect("it has one");
            let lets = match pseudo.rule {
                PseudoVcpuRule::Arrival => pseudo.lets_through(now),
                _ => all,
            };
            if !lets {
                return;
            }
            self.lines[id].held.pop_front();
            self.let_through(InterruptId(id), held, true);
        }
    }

    /// Step 5: which pseudo-VCPUs of a virtual processor are ready.
    pub(super) fn settle_pseudo(&mut self, vcpu: SupplyId) {
        if self.servers[vcpu.0].is_none() {
            return;
        }
        let guest_ready = self.guest_ready(vcpu);
        let now = self.now;
        for id in 0..self.lines.len() {
            let in_guest = self.lines[id].in_guest > 0;
            let Some(pseudo) = &mut self.lines[id].pseudo else { continue };
            let delivery = self.system.interrupts[id].delivery.as_ref();
            if delivery.is_none_or(|delivery| delivery.vcpu != vcpu) {
                continue;
            }
            let wanted = pseudo.rule != PseudoVcpuRule::Arrival || in_guest;
            let ready = guest_ready && wanted && pseudo.budget > 0;
            let changed = ready != pseudo.place.ready || (ready && pseudo.exhausted_now);
            pseudo.place.update(ready, pseudo.exhausted_now, now);
            pseudo.exhausted_now = false;
            self.happens_if(changed, self.parent(vcpu));
        }
    }
}
