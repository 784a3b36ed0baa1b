//! Servers that are scheduled by priority.

use super::found::Rests;
use super::{Fold, Node};
use crate::arrival::Arrivals;
use crate::core::{is_plain, since_poll};
use crate::coverage::{ServerMember, kind_of_server};
use crate::finding::{Finding, Form, Local, Method};
use crate::fixed_priority::LoneTask;
use crate::ground::Effort;
use crate::ground::Reason;
use crate::ground::Source;
use crate::ground::left_behind;
use crate::request::Ranked;
use crate::server_kind::{Idle, Provides, Sheet};
use crate::supply::{FixedPriorityServer, Residual, Supply};
use vorrang_model::system::{Member, Server};

impl Fold<'_> {
    /// A server with its level, and its place among `ranked`.
    pub(super) fn fixed_priority_server(
        &mut self,
        node: Node<'_>,
        own: ServerMember<'_>,
        (level, ranked, place): (Residual<'_>, &[Ranked<'_>], usize),
        effort: &Effort,
    ) {
        let ServerMember { id, server } = own;
        let equals = ranked.iter().filter(|other| other.rank == ranked[place].rank).count();
        if server.is_round_robin() {
            return self.round_robin_server(node, own, (level, equals > 1), effort);
        }
        // Equally urgent ones may wait for what it uses just before a window.
        let after_own = if equals > 1 { level.after_own(server.budget) } else { level };
        // Only budget that is kept to the end of a period is used just before the next.
        let sheet = Sheet::of_server(server);
        let level = if sheet.idle == Idle::KeptInPeriod { after_own } else { level };
        match FixedPriorityServer::new(Source::Server(id), level, server.budget, server.period) {
            Ok(provided) => {
                let provided = match sheet.provides {
                    Provides::Periodic => provided,
                    Provides::Polled => provided.polled(since_poll(self.system, id)),
                    Provides::PutOff => provided.put_off(left_behind(server)),
                    Provides::Ahead | Provides::Place | Provides::Places | Provides::Unknown => {
                        let what = kind_of_server(self.system, id);
                        return self.give_up_below(id, node.form, &Reason::not_covered(what));
                    }
                };
                self.members_of(node, id, &provided, Form::FixedPriorityServer, effort);
                let usual = (&provided as &dyn Supply, Form::FixedPriorityServer);
                self.begin_idle(node, own, &after_own, usual);
                if equals == 1 {
                    self.handled_from_request(node, own, (&after_own, &provided));
                    self.alone_in_deferrable((node, effort), own, level);
                }
            }
            Err(response) => {
                self.no_guarantee(own, Form::FixedPriorityServer, response, |window, to| {
                    level.derive_load(window, to);
                });
                // Without a guarantee the time that the machine takes for budgets is not bounded.
                if equals == 1 && node.takes_nothing() {
                    self.alone_in_deferrable((node, effort), own, level);
                }
            }
        }
    }

    /// The only task of a deferrable server, where nothing less is known.
    fn alone_in_deferrable(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        own: ServerMember<'_>,
        level: Residual<'_>,
    ) {
        let ServerMember { id, server: reserved } = own;
        let [Member::Task(task)] = self.system.supply(id).members[..] else { return };
        let is_plain = is_plain(&self.arrivals, id) && node.cold.is_none();
        if Sheet::of_server(reserved).idle != Idle::KeptInPeriod
            || self.refinements.is_none()
            || !is_plain
            || !self.is_used_by_tasks_alone((node, effort), own)
        {
            return;
        }
        let Ok(jobs) = self.arrivals.load_of(Member::Task(task)) else { return };
        let Arrivals { period, jitter, .. } = jobs.arrivals;
        let Server { budget, period: replenished, .. } = *reserved;
        let alone = LoneTask {
            task,
            server: id,
            level,
            budget,
            period: replenished,
            cost: jobs.cost,
            apart: period.saturating_sub(jitter),
            jitter,
        };
        effort.restart(1);
        let Ok(Some(worst)) = alone.response() else { return };
        let known = self.tasks[task.0].as_ref().and_then(Finding::bound);
        if known.is_some_and(|known| known <= worst.bound) {
            return;
        }
        let derivation = self.derived(Source::Task(task), |to| alone.derive(&worst, to));
        let method = Method { local: Local::FixedPriority, form: Form::FixedPriorityServer };
        let finding = self.proven(id, method, worst.bound, derivation);
        self.record_task(task, finding);
    }

    /// A server whose budget is its whole period: it is given all that more urgent members leave. At the end of a period it goes
    /// behind its equals: these may have work from before its window, so they are no load in one, and only turns bound it.
    fn round_robin_server(
        &mut self,
        node: Node<'_>,
        own: ServerMember<'_>,
        (level, has_equals): (Residual<'_>, bool),
        effort: &Effort,
    ) {
        let ServerMember { id, server } = own;
        let budget = level.time_for(server.budget);
        let is_guaranteed = budget.is_ok_and(|time| time <= server.period);
        let reason = self.why.no_guarantee(own, budget);
        self.guaranteed[id.0] =
            Some(if is_guaranteed { Ok(Rests::OnBudgets) } else { Err(reason.clone()) });
        if has_equals {
            return self.give_up_below(id, node.form, &reason);
        }
        self.members_of(node, id, &level, node.form, effort);
    }
}
