//! Which routines of a core a server pays for, where it pays for those that interrupt it.

use super::{Node, Walk};
use crate::arrival::Stages;
use crate::effort::{Effort, LONGEST_WINDOW, NoBound, least_fixed_point};
use crate::load::Load;
use crate::overhead::pays_for_routines;
use crate::overhead::{Interference, events, has_pieces, overrun, overruns_of_others};
use crate::reason::Reason;
use crate::supply::{Charges, Stretches};
use crate::tree::server_of;
use vorrang_model::system::{Member, Scheduler, ServerKind, SupplyId};
use vorrang_time::Duration;

impl<'s> Walk<'s> {
    /// What comes before the members of a core that are scheduled by deadline, if they all pay for
    /// routines: those that run when a window begins, and what each has overdrawn in the end; and
    /// the kernel, whose sections are charged to no server, one of which may be under way.
    pub(super) fn unpaid<'a>(
        &self,
        node: Node<'a>,
        members: &[Member],
        effort: &Effort,
    ) -> Option<Interference<'a>>
    where
        's: 'a,
    {
        let all = |&member: &Member| match member {
            Member::Server(id) => pays_for_routines(self.system, id).then_some(id),
            Member::Task(_) => None,
        };
        let servers: Vec<SupplyId> = members.iter().map(all).collect::<Option<_>>()?;
        let machine = node.machine.filter(|machine| !machine.timers.is_shielded())?;
        let charges = self.charges(node, *servers.first()?, effort).ok()??;
        let blocks = u64::try_from(1 + servers.len()).ok()?;
        let overruns = overruns_of_others(self.system, node.id, members.len());
        let mut before = machine.kernel_before_deadlines();
        before.blocking = before.blocking.checked_add(machine.section)?.checked_add(overruns)?;
        before.blocking = before.blocking.checked_add(charges.block.checked_mul(blocks)?)?;
        Some(before)
    }

    /// What a member of a core pays for at interrupt level; `None`: nothing.
    ///
    /// # Errors
    /// Why nothing bounds that.
    pub(super) fn charges<'a>(
        &self,
        node: Node<'a>,
        id: SupplyId,
        effort: &Effort,
    ) -> Result<Option<Charges<'a>>, Reason>
    where
        's: 'a,
    {
        let system = self.system;
        let (budget, overrun) = (server_of(system, id).budget, overrun(system, id));
        let Some(machine) = node.machine.filter(|_| pays_for_routines(system, id)) else {
            return Ok((!overrun.is_zero()).then(|| Charges::of_overrun(budget, overrun)));
        };
        let (mut requested, mut run) = (Vec::new(), Vec::new());
        for interrupt in system.interrupts_on(node.id) {
            let Stages { at_core, after_core, .. } = &self.arrivals.stages[interrupt.0];
            let own = at_core.expect("the first stage").storm;
            let ends = after_core.clone().expect("the core comes first")?.storm;
            requested.push(own);
            run.push(Load { cost: own.cost, ..ends });
        }
        for timer in &machine.timers.all {
            requested.push(timer.handled());
            run.push(timer.handled());
        }
        requested.extend(&machine.timers.budgets.anywhere);
        let section = machine.section;
        let block =
            block(&requested, section, effort).map_err(|why| self.why.no_bound(node.id, why))?;
        let until_decision = block + section;
        run.extend(machine.timers.budgets.anywhere.iter().map(|load| load.later(until_decision)));
        let often = |event| self.arrivals.often(event, &machine.timers, true);
        let others = system.supply(node.id).members.iter().filter(|&&member| {
            member != Member::Server(id) && self.may_interrupt_by_deadline(node.id, member)
        });
        let mut breaks = Some(Vec::new());
        for &member in others {
            match &mut breaks {
                Some(breaks) if !has_pieces(system, member) => {
                    events(system, member, &often, breaks);
                }
                _ => breaks = None,
            }
        }
        // What a callback releases comes with its end, and what happens is decided on later.
        let later = |loads: Vec<Load<'a>>| -> Vec<Load<'a>> {
            loads.into_iter().map(|load| load.later(until_decision)).collect()
        };
        let stretches = breaks.zip(machine.meanwhile(id)).map(|(breaks, meanwhile)| Stretches {
            breaks: later(breaks),
            section,
            sections: later(meanwhile.loads),
            at_first: meanwhile.blocking,
        });
        Ok(Some(Charges { budget, requested, run, block, overrun, stretches }))
    }

    /// Whether a member of a core has deadlines that servers of Linux look at.
    fn may_interrupt_by_deadline(&self, core: SupplyId, member: Member) -> bool {
        let is_linux = match member {
            Member::Task(_) => false,
            Member::Server(id) => server_of(self.system, id).kind == ServerKind::SchedDeadline,
        };
        is_linux || self.system.supply(core).scheduler != Scheduler::Linux
    }
}

/// The longest time for which routines run one after the other, from the end of a section on in
/// which the first ones may have been requested.
fn block(requested: &[Load<'_>], section: Duration, effort: &Effort) -> Result<Duration, NoBound> {
    let sum = |window: Duration| {
        let window = section.checked_add(window).filter(|&window| window <= LONGEST_WINDOW);
        let window = window.ok_or(NoBound::TooLong)?;
        requested.iter().try_fold(Duration::ZERO, |sum: Duration, load| {
            sum.checked_add(load.in_window(window)?).ok_or(NoBound::TooLong)
        })
    };
    effort.restart(requested.len());
    let start = sum(Duration::RESOLUTION)?;
    least_fixed_point(effort, requested.len(), start, sum)
}
