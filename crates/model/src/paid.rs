//! What pseudo-VCPUs pay for in a description, and by which names their values are open.

use crate::description::{Description, Interrupt, PseudoVcpu};
use crate::system::{InterruptId, System};

/// What a pseudo-VCPU pays for, by index in the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paid {
    Interrupt(usize),
    Timer(usize),
}

/// The name by which a value of the pseudo-VCPU of an interrupt is open.
pub(crate) fn of_interrupt(interrupt: &str) -> String {
    format!("{interrupt}.virtual.pseudo-vcpu")
}

/// The same of a timer.
pub(crate) fn of_timer(timer: &str) -> String {
    format!("{timer}.pseudo-vcpu")
}

impl System {
    /// The name by which a value of the pseudo-VCPU of an interrupt is open: that of its table.
    pub fn pseudo_vcpu_name(&self, id: InterruptId) -> String {
        let interrupt = self.interrupt(id);
        match interrupt.timer {
            None => of_interrupt(&interrupt.name),
            Some(timer) => of_timer(&self.timer(timer).name),
        }
    }
}

impl Description {
    /// The place of the task with this full name.
    pub(crate) fn task(&self, name: &str) -> Option<usize> {
        self.tasks.iter().position(|task| task.name == name)
    }

    /// What has a pseudo-VCPU of this name.
    pub(crate) fn paid(&self, payer: &str) -> Option<Paid> {
        let interrupt = self.interrupts.iter().position(|own| of_interrupt(&own.name) == payer);
        let timer = || self.timers.iter().position(|own| of_timer(&own.name) == payer);
        let paid = interrupt.map(Paid::Interrupt).or_else(|| timer().map(Paid::Timer));
        paid.filter(|&paid| self.payer(paid).is_some())
    }

    fn payer(&self, paid: Paid) -> Option<&PseudoVcpu> {
        match paid {
            Paid::Interrupt(index) => self.interrupts[index].body.pays(),
            Paid::Timer(index) => self.timers[index].body.pseudo_vcpu.as_ref(),
        }
    }

    /// The pseudo-VCPU of something that has one.
    pub(crate) fn payer_mut(&mut self, paid: Paid) -> Option<&mut PseudoVcpu> {
        match paid {
            Paid::Interrupt(index) => {
                self.interrupts[index].body.delivery.as_mut()?.pseudo_vcpu.as_mut()
            }
            Paid::Timer(index) => self.timers[index].body.pseudo_vcpu.as_mut(),
        }
    }
}

impl Interrupt {
    /// The pseudo-VCPU that pays for it in the guest.
    pub(crate) fn pays(&self) -> Option<&PseudoVcpu> {
        self.delivery.as_ref()?.pseudo_vcpu.as_ref()
    }
}
