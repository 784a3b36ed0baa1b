//! Routines of a core and of a guest, and the server that is charged for those of the core.

use super::instant::execute;
use super::layout::{Layout, Origin, Part, Work, ticks};
use super::state::State;
use vorrang_model::system::{InterruptId, System};

/// The routine of the core, and that of the guest that it may start: of the only interrupt, so that neither
/// waits for another.
pub(super) fn add_interrupt(system: &System, id: InterruptId, work: &mut Vec<Work>) -> Option<()> {
    let interrupt = system.interrupt(id);
    let guest = interrupt.delivery.as_ref();
    let is_plain = interrupt.wakes.is_none()
        && (interrupt.jitter.is_zero() || interrupt.jitter < interrupt.min_interarrival)
        && interrupt.storm.is_none()
        && guest.is_none_or(|guest| guest.pseudo_vcpu.is_none())
        && system.interrupts.len() == 1;
    let routine = |of, on, wcet| Work {
        of,
        on,
        is_routine: true,
        wcet,
        bcet: 1,
        period: None,
        jitter: 0,
        deadline: None,
        priority: 0,
        starts: None,
        has_ages: false,
    };
    let own = routine(Origin::Routine(id), 0, ticks(interrupt.isr).filter(|_| is_plain)?);
    let period = Some(ticks(interrupt.min_interarrival)?);
    let starts = guest.map(|_| work.len() + 1);
    let jitter = ticks(interrupt.jitter)?;
    work.push(Work { period, jitter, starts, ..own });
    if let Some(guest) = guest {
        work.push(routine(Origin::GuestRoutine(id), guest.vcpu.0, ticks(guest.isr)?));
    }
    Some(())
}

impl Layout {
    /// A tick of a routine of the core, charged to the server that was chosen last.
    pub(super) fn interrupt(&self, state: &mut State, routine: usize) -> usize {
        if let Some(id) = usize::from(state.chosen).checked_sub(1) {
            self.servers[id].pay(&mut state.servers[id]);
        }
        execute(state, routine)
    }

    /// What the core does next pays for the routines that interrupt it.
    pub(super) fn remember_chosen(&self, state: &mut State, chosen: Option<Part>) {
        state.chosen = match chosen {
            Some(Part::Server(id)) if self.server(id).pays => {
                u8::try_from(id).expect("a few servers")
            }
            _ => 0,
        };
    }
}
