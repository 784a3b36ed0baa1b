//! The intervals of the core cover time without gap or overlap, and are maximal; work is only ever done by
//! the context that was switched to.

use super::event::{Event, Kinds};
use super::picture::Picture;
use super::{Check, Findings, Invariant};
use vorrang_model::system::SupplyId;
use vorrang_sim::{Context, Running};
use vorrang_time::Instant;

/// Where the last interval ended.
#[derive(Default)]
pub(super) struct Timeline {
    until: Instant,
    last: Option<Running>,
    holder: Option<Context>,
    /// The reported activity of the core, from then on.
    said: Option<(Running, Instant)>,
}

impl Check for Timeline {
    fn hears(&self) -> Kinds {
        Kinds::of([Kinds::RAN, Kinds::RUNS, Kinds::SWITCHED, Kinds::ENDED])
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        let now = picture.now;
        match *event {
            Event::Ran(from, to, what) => {
                let joins = from == self.until && from < to && to <= now;
                findings.expect(joins, Invariant::Timeline, now, || {
                    format!("{what:?} in [{from}, {to}) after {}", self.until)
                });
                let told = (what, from);
                let is_new = self.last != Some(what) && self.said == Some(told);
                findings.expect(is_new, Invariant::Timeline, now, || {
                    format!("{told:?} ran, {:?} was begun, after {:?}", self.said, self.last)
                });
                (self.until, self.last) = (to, Some(what));
            }
            Event::Runs(what, at) => {
                if self.said.is_none_or(|(said, _)| said != what) {
                    findings.expect(at == self.until, Invariant::Timeline, now, || {
                        format!("{what:?} begins at {at}, what was before ended at {}", self.until)
                    });
                    self.said = Some((what, at));
                }
                self.context(what, picture, findings);
            }
            Event::Switched(from, to, at) => {
                let follows = from == self.holder && from != Some(to);
                findings.expect(follows, Invariant::Context, at, || {
                    format!("from {from:?} to {to:?}, the last was {:?}", self.holder)
                });
                self.holder = Some(to);
            }
            Event::Ended(at) => {
                findings.expect(at == self.until, Invariant::Timeline, at, || {
                    format!("the last interval ends at {}", self.until)
                });
            }
            _ => {}
        }
    }
}

impl Timeline {
    fn context(&self, what: Running, picture: &Picture<'_>, findings: &mut Findings) {
        let Some(supply) = picture.supply_of(what) else { return };
        let vcpu = |id: &SupplyId| picture.system.supply(*id).vm.is_some();
        // The outermost one: what is inside a guest belongs to it.
        let outermost = picture.servers_from(supply).filter(vcpu).last();
        let context = match (outermost, what) {
            (Some(vcpu), _) => Context::Vcpu(vcpu),
            (None, Running::Task(id)) => Context::Task(id),
            (None, Running::Blocking(member)) => Context::Section(member),
            _ => return,
        };
        findings.expect(self.holder == Some(context), Invariant::Context, picture.now, || {
            format!("{what:?} runs while {:?} has the core", self.holder)
        });
    }
}
