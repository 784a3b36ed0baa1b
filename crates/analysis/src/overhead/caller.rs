//! Members of a core, and their pseudo-VCPUs, as callers of its scheduler.

use super::cache::{loss_of_job, loss_of_server, section_loss};
use super::event::{SchedulingEvent, replenishments, wakes_of};
use super::slices;
use super::waiting::Waiting;
use crate::arrival::Arrivals;
use crate::coverage::kind_of_server;
use crate::demand::Load;
use crate::ground::Reason;
use crate::ground::Source;
use crate::request::reserved::{Reserved, has_pseudo_vcpu, wakes_with_guest};
use crate::request::{Competitor, Urgency};
use crate::server_kind::{Idle, Sheet};
use vorrang_model::system::{Member, Scheduler, SupplyId, SupplyKind, System};
use vorrang_time::Duration;

/// A member of the core. On Linux a server with deadlines is more urgent
/// than any priority, and budget that is late is back no sooner than if it had been in time.
#[derive(Clone, Debug)]
pub(super) struct Caller<'s> {
    pub(super) who: Competitor,
    /// Where the core goes by priority; the same for all elsewhere.
    pub(super) urgency: Urgency,
    /// Its releases or replenishments; none of a level, which has no budget.
    pub(super) own: Option<Arrivals<'s>>,
    /// What can wake its guest.
    pub(super) wakes: Vec<Arrivals<'s>>,
    /// What becomes of its budget while its guest has nothing ready, if it has one.
    idle: Option<Idle>,
    /// What a job of a task loses in a run, or a server without a budget each time it gets the core; servers with budgets
    /// lose it of these.
    pub(super) loss: Duration,
    /// What the section loses each time that may hold it up, if one may.
    pub(super) section_loss: Option<Duration>,
    /// How many may hold it up once: what is stated is one, a job that is not preempted another.
    pub(super) sections: u64,
    /// It keeps what its guest does not want, and may then be late.
    pub(super) keeps: bool,
    /// It may end while what is more urgent has the core: its guest runs elsewhere, too.
    pub(super) ends_below: bool,
    /// After so much of the core it goes behind its equals, if it has any.
    pub(super) slice: Option<Duration>,
    /// Of a reservation of the host: how many contexts in it may be ready at once; what wakes one of
    /// them calls the core's scheduler, whatever else is ready there.
    pub(super) inside: Option<u64>,
    /// What calls while it waits.
    pub(super) waiting: Waiting,
}

impl<'s> Caller<'s> {
    /// A member of a core.
    pub(super) fn of_member(
        system: &System,
        core: SupplyId,
        member: Member,
        often: &impl Fn(SchedulingEvent) -> Result<Arrivals<'s>, Reason>,
    ) -> Result<Self, Reason> {
        let mut urgency = Urgency::Most;
        let scheduler = system.supply(core).scheduler;
        if matches!(scheduler, Scheduler::FixedPriority | Scheduler::Linux) {
            urgency = Urgency::of_member(system, member);
        }
        let mut wakes = Vec::new();
        let mut idle = None;
        let (own, loss) = match member {
            Member::Task(id) => {
                (Some(often(SchedulingEvent::Release(id))?), loss_of_job(system, id))
            }
            Member::Server(id) => {
                wakes_of(system, id, often, &mut wakes)?;
                slices::ends_inside(system, id, &mut wakes);
                if has_section_inside(system, id) {
                    // Whatever wakes may begin a busy window, and that a section: one context more.
                    wakes.extend_from_within(..);
                }
                match &system.supply(id).kind {
                    SupplyKind::Server(server) => {
                        idle = Some(Sheet::of_server(server).idle);
                        (replenishments(system.supply(id)), Duration::ZERO)
                    }
                    SupplyKind::Level(_) | SupplyKind::Share(_) => {
                        (None, loss_of_server(system, id))
                    }
                    SupplyKind::Core => {
                        return Err(Reason::not_covered(kind_of_server(system, id)));
                    }
                }
            }
        };
        let inside = contexts_inside(system, member);
        Ok(Self {
            who: Competitor::Member(member),
            urgency,
            own,
            wakes,
            idle,
            loss,
            section_loss: section_loss(system, member),
            sections: sections(system, member),
            keeps: keeps(system, member),
            ends_below: matches!(member, Member::Server(id) if has_pseudo_vcpu(system, id)),
            slice: slices::slice_of(system, core, member),
            inside,
            waiting: Waiting::of(system, member),
        })
    }

    /// A pseudo-VCPU of a member of the core.
    pub(super) fn of_pseudo_vcpu(
        system: &System,
        own: Reserved,
        often: &impl Fn(SchedulingEvent) -> Result<Arrivals<'s>, Reason>,
    ) -> Result<Self, Reason> {
        let (period, vcpu) = wakes_with_guest(system, own);
        let mut wakes = Vec::new();
        if let Some(vcpu) = vcpu {
            wakes_of(system, vcpu, often, &mut wakes)?;
        }
        wakes.extend(period.map(|period| Arrivals::new(period, Duration::ZERO)));
        let members = system.supply(system.interrupt(own.interrupt).on).members.iter();
        Ok(Self {
            who: Competitor::PseudoVcpu(own),
            urgency: Urgency::of_pseudo_vcpu(system, own),
            own: Some(often(SchedulingEvent::Delivery(own.interrupt))?),
            wakes,
            idle: None,
            loss: Duration::ZERO,
            // A section that holds up what is as urgent holds it up.
            section_loss: members.filter_map(|&member| section_loss(system, member)).max(),
            // Refused where a job is not preempted.
            sections: 1,
            ends_below: true,
            keeps: false,
            slice: None,
            inside: None,
            waiting: Waiting::default(),
        })
    }

    /// Whether it idles its budget away, so that its guest may fall asleep once more than its ready intervals end.
    pub(super) fn idles(&self) -> bool {
        self.idle == Some(Idle::Spent)
    }

    /// Whether only the return of its budget makes it ready: it has none, or idles it away, while its guest has nothing
    /// ready.
    pub(super) fn gets_up_with_budget(&self) -> bool {
        matches!(self.idle, Some(Idle::Spent | Idle::Lost)) && self.inside.is_none()
    }

    /// Whether it is a task, whose own events are its releases.
    pub(super) fn is_task(&self) -> bool {
        matches!(self.who, Competitor::Member(Member::Task(_)))
    }

    /// Whether both run one context: a virtual processor and its pseudo-VCPUs do.
    pub(super) fn is_context_of(&self, other: &Self) -> bool {
        let vcpu = |own: &Self| match own.who {
            Competitor::Member(Member::Task(_)) => None,
            Competitor::Member(Member::Server(id)) => Some(id),
            Competitor::PseudoVcpu(paid) => Some(paid.vcpu),
        };
        self.who == other.who || vcpu(self).is_some_and(|own| vcpu(other) == Some(own))
    }

    /// What makes one of its contexts get the core again after another one of them.
    pub(super) fn resumes(&self) -> impl Iterator<Item = Arrivals<'s>> {
        let wakes = self.inside.map(|_| self.wakes.iter().copied());
        wakes.into_iter().flatten()
    }

    /// As many contexts of it as may be ready when a window begins.
    pub(super) fn ready_at_first(&self) -> u64 {
        self.inside.unwrap_or_default()
    }

    /// How often at most its slice ends, in windows that begin anywhere.
    pub(super) fn slice_ends(&self) -> Option<Arrivals<'static>> {
        self.slice.map(|slice| Arrivals::new(slice, Duration::ZERO))
    }

    /// Its scheduling events in windows that begin anywhere, with its late ones.
    pub(super) fn anywhere(&self, late: Duration) -> impl Iterator<Item = Arrivals<'s>> {
        self.own_anywhere(late).into_iter().chain(self.wakes.iter().copied())
    }

    /// Its own releases or replenishments in windows that begin anywhere.
    pub(super) fn own_anywhere(&self, late: Duration) -> Option<Arrivals<'s>> {
        self.own.map(|own| own.later(if self.keeps { late } else { Duration::ZERO }))
    }

    /// All its scheduling events.
    pub(super) fn events(&self) -> impl Iterator<Item = Arrivals<'s>> {
        self.own.into_iter().chain(self.wakes.iter().copied())
    }

    /// How often a section may begin to hold it up.
    pub(super) fn times_held_up(&self, window: Duration) -> u64 {
        let events = self.section_loss.map(|_| self.events().map(|event| event.in_window(window)));
        events.into_iter().flatten().sum::<u64>() * self.sections
    }

    /// `cost` for one kind of its scheduling events.
    pub(super) fn takes(&self, cost: Duration, event: Arrivals<'s>) -> Load<'s> {
        let source = match self.who {
            Competitor::Member(member) => Source::Scheduling(member),
            Competitor::PseudoVcpu(own) => Source::SchedulingOfPseudoVcpu(own.interrupt),
        };
        Load::of(source, cost, event)
    }

    /// `cost` for each of its scheduling events.
    pub(super) fn each(&self, cost: Duration) -> impl Iterator<Item = Load<'s>> {
        self.events().map(move |event| self.takes(cost, event))
    }
}

/// How many contexts a reservation of the host holds, with the one section that may be under way in it; `None`: the
/// member is none.
fn contexts_inside(system: &System, member: Member) -> Option<u64> {
    let Member::Server(id) = member else { return None };
    let supply = system.supply(id);
    let each = |&inner: &Member| contexts_inside(system, inner).map_or(1, |inside| 1 + inside);
    let section = u64::from(has_section_inside(system, id));
    supply.vm.is_none().then(|| section + supply.members.iter().map(each).sum::<u64>())
}

/// Whether a section may hold something up in a reservation of the host, where it is a context of its own.
fn has_section_inside(system: &System, id: SupplyId) -> bool {
    let supply = system.supply(id);
    let holds_up = |&member: &Member| {
        let inside = matches!(member, Member::Server(inner) if has_section_inside(system, inner));
        inside || !system.blocking(member).is_zero()
    };
    supply.vm.is_none() && supply.members.iter().any(holds_up)
}

/// How many sections may hold up a member in one busy window.
fn sections(system: &System, member: Member) -> u64 {
    let each = [system.section(member), system.held_up(member)];
    each.into_iter().map(|length| u64::from(!length.is_zero())).sum()
}

/// Whether a member keeps budget that its guest does not want, until its deadline.
fn keeps(system: &System, member: Member) -> bool {
    let Member::Server(id) = member else { return false };
    Sheet::of_supply(system, id).is_some_and(Sheet::may_be_late)
}
