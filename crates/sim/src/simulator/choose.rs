//! The decision at the end of an instant: who has the core, and until when at the latest.

use super::{Choice, Simulator, observer_ran};
use crate::observer::{Observer, Running, Source};
use crate::tree::NodeMember;
use vorrang_mechanisms::server::Server as _;
use vorrang_time::{Duration, Instant};

impl Simulator<'_> {
    /// Decides who has the core, and until when at the latest.
    #[inline]
    pub(super) fn choose(&mut self, now: Instant, observer: &mut impl Observer) {
        self.paying.clear();
        let (runs, what, left) = if let Some((_, live)) = self.routines.front() {
            let Source::Interrupt(id) = live.job.source else {
                unreachable!("only service routines are queued here")
            };
            (Choice::Routine, Running::Interrupt(id), live.remaining)
        } else {
            self.descend()
        };
        self.runs = runs;
        self.until = match runs {
            Choice::Nobody => Instant::NEVER,
            _ => now.checked_add(left).unwrap_or(Instant::NEVER),
        };
        if what != self.what {
            observer_ran(observer, self.since, now, self.what);
            (self.what, self.since) = (what, now);
        }
    }

    /// Follows the most urgent member from the core down. The last part of the result is the
    /// longest time the choice can hold.
    #[inline]
    fn descend(&mut self) -> (Choice, Running, Duration) {
        let nodes = &self.tree.nodes;
        let mut node = &nodes[0];
        let mut left = Duration::MAX;
        loop {
            let Some(key) = node.ready.first() else {
                return match node.server {
                    None => (Choice::Nobody, Running::Idle, left),
                    Some(_) => (Choice::Server, Running::Idling(node.id), left),
                };
            };
            match node.members[key.member() as usize] {
                NodeMember::Server(member) => {
                    node = &nodes[member];
                    let server = node.server.as_ref().expect("only the core is no server");
                    left = left.min(server.budget());
                    self.paying.push(member);
                }
                NodeMember::Task(task) => {
                    let state = &self.tree.tasks[task];
                    let live = state.backlog.front().expect("a ready task has a job");
                    return if live.blocking.is_zero() {
                        (Choice::Task(task), Running::Task(state.id), left.min(live.remaining))
                    } else {
                        (Choice::Task(task), Running::Blocking(state.id), left.min(live.blocking))
                    };
                }
            }
        }
    }
}
