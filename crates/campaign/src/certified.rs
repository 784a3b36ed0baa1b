//! Certified bound against observation.
//!
//! **Model.** Each task and each interrupt that the mechanised theorems cover has a certificate, which the checker
//! accepts; no response of the search is longer than its bound. A certificate that the checker refuses is a fault.

use vorrang_certificate::Certificate;
use vorrang_certify::{Search, Uncertified, of_interrupt, of_task};
use vorrang_model::system::System;
use vorrang_sim::{Observations, Worst};
use vorrang_time::Duration;

/// Steps for all certificates of a system.
const STEPS: u64 = 200_000;

/// What was found of one system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certified {
    /// Bounds that were compared with a response.
    pub compared: u64,
    /// Responses beyond one: the name, the bound, the response and its history.
    pub exceeded: Vec<(String, Duration, Duration, String)>,
    /// What has a certificate that the checker refuses.
    pub refused: Vec<String>,
}

/// Compares the certified bound of every task and interrupt.
pub fn compare(system: &System, observations: &Observations) -> Certified {
    let (mut search, mut all) = (Search::new(STEPS), Certified::default());
    for ((id, task), worst) in system.task_ids().zip(&system.tasks).zip(&observations.tasks) {
        all.add(&task.name, of_task(system, id, &mut search), worst.as_ref());
    }
    let interrupts = system.interrupt_ids().zip(&system.interrupts);
    for ((id, interrupt), worst) in interrupts.zip(&observations.interrupts) {
        all.add(&interrupt.name, of_interrupt(system, id, &mut search), worst.as_ref());
    }
    all
}

impl Certified {
    fn add(&mut self, name: &str, found: Result<Certificate, Uncertified>, worst: Option<&Worst>) {
        let certificate = match found {
            Ok(certificate) => certificate,
            Err(Uncertified::Refused) => return self.refused.push(name.to_owned()),
            Err(_) => return,
        };
        let Some(worst) = worst else { return };
        self.compared += 1;
        let bound = Duration::from_ns(certificate.bound);
        if worst.response > bound {
            let history = worst.pattern.to_string();
            self.exceeded.push((name.to_owned(), bound, worst.response, history));
        }
    }
}
