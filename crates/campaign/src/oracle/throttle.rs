//! Throttling of what has no server of kind `sched-deadline` on a core under Linux.

use super::choose::Chosen;
use super::{Core, History};
use vorrang_model::system::{Member, RtThrottling, SupplyId, System};

/// The count of a core.
pub(super) struct Throttle {
    budget: u64,
    period: u64,
    /// By how much it begins late.
    late: u64,
    /// The first expiry of its timer.
    first: u64,
    count: u64,
    pub(super) throttled: bool,
    /// The tick before this instant counts.
    ticked: bool,
}

impl Throttle {
    pub(super) fn new(system: &System, core: SupplyId, history: &History) -> Option<Self> {
        let RtThrottling::After(limit) = system.supply(core).rt_throttling else { return None };
        let listed = |list: &[u64]| list.get(core.0).copied().unwrap_or(0);
        Some(Self {
            budget: limit.budget.as_ns(),
            period: limit.period.as_ns(),
            late: listed(&history.overruns).min(limit.late.as_ns()),
            first: listed(&history.phases),
            count: 0,
            throttled: false,
            ticked: false,
        })
    }
}

impl Core<'_> {
    /// Step 2: the tick that is over is counted.
    pub(super) fn count_tick(&mut self) {
        let Some(own) = &mut self.throttle else { return };
        if core::mem::take(&mut own.ticked) {
            own.count += 1;
        }
        let begins = !own.throttled && own.count >= own.budget + own.late;
        own.throttled |= begins;
        self.happens_if(begins, self.id);
    }

    /// Step 3: the timer expires.
    pub(super) fn expire_throttle(&mut self) {
        let now = self.now;
        let Some(own) = &mut self.throttle else { return };
        if now < own.first || !(now - own.first).is_multiple_of(own.period) {
            return;
        }
        own.count -= own.count.min(own.budget);
        let ends = own.throttled && own.count < own.budget;
        own.throttled &= !ends;
        self.happens_if(ends, self.id);
    }

    /// Whether a member of a supply waits because its core is throttled.
    pub(super) fn is_throttled(&self, supply: SupplyId, chosen: Chosen) -> bool {
        let reserved = match chosen {
            Chosen::Server(id) => self.is_linux_server(Member::Server(id)),
            Chosen::Task(_) | Chosen::Pseudo(_) => false,
        };
        let throttled = self.throttle.as_ref().is_some_and(|own| own.throttled);
        throttled && supply == self.id && !reserved
    }

    /// The tick that begins is a member's of the core.
    pub(super) fn tick_of(&mut self, member: Chosen) {
        let for_others = match member {
            Chosen::Server(id) => self.system.supply(id).serves_other,
            Chosen::Task(_) | Chosen::Pseudo(_) => false,
        };
        if let Some(own) = &mut self.throttle {
            own.ticked = !for_others;
        }
    }
}
