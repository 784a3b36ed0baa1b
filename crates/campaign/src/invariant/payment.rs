//! What runs in servers is paid by all of them for all of the time, and by nobody else.
//!
//! **Model.** Each server on the way from the core to what runs pays, but one that goes on in the
//! background; for a virtual processor a pseudo-VCPU of it may pay instead. What runs at the
//! interrupt level of the core is paid by nobody.

use super::event::{Event, Kinds};
use super::picture::Picture;
use super::{Check, Findings, Invariant};
use vorrang_model::system::SupplyId;
use vorrang_sim::{Payer, Running};
use vorrang_time::Instant;

/// Who has to pay for the time since the last instant, and who has.
#[derive(Default)]
pub(super) struct Payments {
    since: Instant,
    what: Option<Running>,
    due: Vec<SupplyId>,
    paid: Vec<(SupplyId, Instant, Instant)>,
}

impl Payments {
    fn settle(&mut self, now: Instant, findings: &mut Findings) {
        let since = self.since;
        if since == now {
            return;
        }
        let all = |(id, from, to)| self.due.contains(&id) && (from, to) == (since, now);
        let complete = self.paid.len() == self.due.len() && self.paid.iter().copied().all(all);
        findings.expect(complete, Invariant::Payment, now, || {
            let Self { what, due, paid, .. } = self;
            format!("{what:?} from {since} on: {due:?} have to pay, {paid:?} did")
        });
        self.paid.clear();
        self.since = now;
    }
}

impl Check for Payments {
    fn hears(&self) -> Kinds {
        Kinds::of([Kinds::PAID, Kinds::RUNS, Kinds::ENDED])
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        match *event {
            Event::Paid(payer, from, to) => {
                let supply = match payer {
                    Payer::Server(id) => Some(id),
                    Payer::PseudoVcpu(id) => {
                        let delivery = picture.system.interrupt(id).delivery.as_ref();
                        delivery.map(|delivery| delivery.vcpu)
                    }
                };
                let is_known = supply.filter(|id| !self.paid.iter().any(|paid| paid.0 == *id));
                findings.expect(is_known.is_some(), Invariant::Payment, to, || {
                    format!("{payer:?} pays twice for [{from}, {to})")
                });
                self.paid.extend(is_known.map(|id| (id, from, to)));
            }
            Event::Runs(what, at) => {
                self.settle(at, findings);
                self.what = Some(what);
                self.due.clear();
                if let Some(supply) = picture.supply_of(what) {
                    let servers = picture.servers_from(supply);
                    self.due.extend(servers.filter(|&id| pays(id, picture)));
                }
            }
            Event::Ended(at) => self.settle(at, findings),
            _ => {}
        }
    }
}

/// Whether a server, or somebody for it, pays for what runs in it.
fn pays(id: SupplyId, picture: &Picture<'_>) -> bool {
    let own = picture.is_in_background(id);
    let others = picture.pseudo_vcpus(id);
    !own || others.map(super::picture::Competitor::PseudoVcpu).any(|one| picture.is_ready(one))
}
