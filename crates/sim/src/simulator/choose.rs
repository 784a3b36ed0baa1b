//! The decision at the end of an instant: what the core runs, and until when at the latest.

use super::one_core::{Choice, OneCore, observer_ran};
use crate::node::NodeMember;
use crate::observer::{Context, Observer, Running, Section};
use crate::routines::Work;
use crate::tree::Tree;
use vorrang_mechanisms::server::{AnyServer, Server as _};
use vorrang_model::system::Member;
use vorrang_time::{Duration, Instant};

/// What the core may run.
#[derive(Clone, Copy, Debug)]
struct Chosen {
    runs: Choice,
    what: Running,
    /// The longest time the choice can hold.
    left: Duration,
}

/// What the schedulers of the core and of its servers choose.
#[derive(Clone, Copy, Debug)]
struct Decision {
    runs: Choice,
    what: Running,
    context: Option<Context>,
    /// The least of the budgets that are charged for it, and the rest of a turn.
    budget: Duration,
    /// Its remaining work, at full rate.
    work: Option<Duration>,
}

impl OneCore<'_> {
    /// Decides what the core runs, and until when at the latest. False: timers were handled in no time, and
    /// something else may be ready.
    #[inline]
    pub(super) fn choose(&mut self, now: Instant, observer: &mut impl Observer) -> bool {
        let Chosen { runs, what, left } = self.chosen(now, observer);
        if left.is_zero() {
            self.begin_steps(now, observer);
            return false;
        }
        self.runs = runs;
        if let Choice::Routine(node) = runs {
            self.tree.nodes[node].routines.begin();
        }
        self.until = match runs {
            Choice::Idle => Instant::NEVER,
            _ => now.checked_add(left).unwrap_or(Instant::NEVER),
        };
        if what != self.what {
            observer_ran(observer, self.since, now, self.what);
            (self.what, self.since) = (what, now);
        }
        observer.runs(what, now);
        true
    }

    /// The kernel's own sections, then service routines, then what the schedulers choose; but a
    /// call of the scheduler ends with its decision, whatever is requested by then.
    #[inline]
    fn chosen(&mut self, now: Instant, observer: &mut impl Observer) -> Chosen {
        let is_charged = self.kernel.is_charged;
        if is_charged && self.runs == Choice::Idle && self.is_wanted() {
            self.kernel.go_on();
        }
        let decides = is_charged && self.kernel.end_section();
        if !decides && let Some(first) = self.before_schedulers(now, observer) {
            return first;
        }
        let Decision { runs, what, context, budget, work } = self.descend();
        let of_core = |&node: &usize| {
            let node = &self.tree.nodes[node];
            node.parent == 0 && matches!(node.server, Some(AnyServer::SchedDeadline(_)))
        };
        self.decided = self.paying.first().copied().filter(of_core);
        observer.decided(what, now);
        if self.expiries.is_some() {
            self.let_timers_through(now, observer);
        }
        self.kernel.give(self.system, context, now, observer);
        if let Some(first) = self.section().or_else(|| self.routine()) {
            return first;
        }
        let left = work.map_or(budget, |work| self.kernel.time_for(work).min(budget));
        Chosen { runs, what, left }
    }

    /// Whether something is requested on the core, or ready and not throttled.
    fn is_wanted(&self) -> bool {
        self.tree.nodes[0].routines.first().is_some() || self.chosen_of_core().is_some()
    }

    /// What takes precedence over the choice of the schedulers.
    #[inline]
    fn before_schedulers(&mut self, now: Instant, observer: &mut impl Observer) -> Option<Chosen> {
        let is_charged = self.kernel.is_charged;
        let section = if is_charged { self.section() } else { None };
        section.or_else(|| self.routine()).or_else(|| {
            self.kernel.call(now, observer);
            if is_charged { self.section() } else { None }
        })
    }

    /// No server is charged, and no member has a turn.
    #[inline]
    fn forget_path(&mut self) {
        self.paying.clear();
        self.turning.clear();
        self.real_time.forget();
    }

    /// The section of the kernel that has the core.
    fn section(&mut self) -> Option<Chosen> {
        let (section, left) = self.kernel.section()?;
        self.forget_path();
        Some(Chosen { runs: Choice::Kernel, what: Running::Kernel(section), left })
    }

    /// The service routine of the core that comes first.
    #[inline]
    fn routine(&mut self) -> Option<Chosen> {
        let request = self.tree.nodes[0].routines.first()?;
        let what = running(&self.tree, 0, &request.work);
        let left = request.remaining;
        self.forget_path();
        let budget = if self.charges_routines { self.charge_interrupted() } else { None };
        let left = budget.map_or(left, |budget| left.min(budget));
        Some(Chosen { runs: Choice::Routine(0), what, left })
    }

    /// The interrupted server is charged, also beyond its budget; returns the rest of the budget, if there is
    /// any.
    fn charge_interrupted(&mut self) -> Option<Duration> {
        if self.runs != Choice::Routine(0) {
            self.interrupted = self.decided;
        }
        let node = self.interrupted?;
        self.paying.push(node);
        self.count_charged(node);
        let core = &self.tree.nodes[0];
        let (reclaims, active) = (core.reclaims, core.active);
        let server = self.tree.nodes[node].server();
        if reclaims {
            server.reclaim(active);
        }
        Some(server.budget()).filter(|left| !left.is_zero())
    }

    /// Follows the most urgent member from the core down; in a guest, routines come before members.
    #[inline]
    fn descend(&mut self) -> Decision {
        self.forget_path();
        let mut place = 0;
        let mut budget = Duration::MAX;
        loop {
            let chosen = self.chosen_on(place, &mut budget);
            let node = &self.tree.nodes[place];
            let Some(member) = chosen else {
                let (runs, what) = match node.server {
                    None => (Choice::Idle, Running::Idle),
                    Some(_) => (Choice::Server, Running::Idling(node.id)),
                };
                return Decision { runs, what, context: node.context, budget, work: None };
            };
            if node.kept_by.is_none()
                && let Some(left) = node.ready.turn()
            {
                budget = budget.min(left);
                self.turning.push(place);
            }
            match node.members[member as usize] {
                NodeMember::Server(member) => {
                    if node.reclaims {
                        let active = node.active;
                        self.tree.nodes[member].server().reclaim(active);
                    }
                    if let Some(section) = self.section_before(member, budget) {
                        return section;
                    }
                    let own = &self.tree.nodes[member];
                    let server = own.server.as_ref().expect("only the core is no server");
                    if !server.background() {
                        budget = budget.min(server.budget());
                        self.paying.push(member);
                    }
                    place = own.pays_for.map_or(member, |pays_for| pays_for.guest);
                    let guest = &self.tree.nodes[place];
                    if let Some(request) = guest.routines.first() {
                        let what = running(&self.tree, place, &request.work);
                        let runs = Choice::Routine(place);
                        let (context, work) = (guest.context, Some(request.remaining));
                        return Decision { runs, what, context, budget, work };
                    }
                }
                NodeMember::Task(task) => {
                    let state = &self.tree.tasks[task];
                    let live = state.backlog.front().expect("a ready task has a job");
                    let member = Member::Task(state.id);
                    let (what, work, outside) = if live.blocking.is_zero() {
                        (Running::Task(state.id), live.remaining, Context::Task(state.id))
                    } else {
                        (Running::Blocking(member), live.blocking, Context::Section(member))
                    };
                    let context = Some(node.context.unwrap_or(outside));
                    let runs = Choice::Task(task);
                    return Decision { runs, what, context, budget, work: Some(work) };
                }
            }
        }
    }
}

impl OneCore<'_> {
    /// The section that blocks a server, which is not charged to the server.
    #[inline]
    fn section_before(&self, node: usize, budget: Duration) -> Option<Decision> {
        let blocking = self.blocking.as_ref().filter(|blocking| !blocking.left.is_zero())?;
        let NodeMember::Server(blocked) = blocking.member else { return None };
        let member = Member::Server(self.tree.nodes[node].id);
        let context = self.tree.parent(node).context;
        (blocked == node).then(|| Decision {
            runs: Choice::Section,
            what: Running::Blocking(member),
            context: Some(context.unwrap_or(Context::Section(member))),
            budget,
            work: Some(blocking.left),
        })
    }
}

/// What the core runs during this request at the interrupt level of a node.
fn running(tree: &Tree, node: usize, work: &Work) -> Running {
    let Work::Routine { interrupt, .. } = *work else {
        return Running::Kernel(Section::Timers);
    };
    let id = tree.interrupts[interrupt].id;
    if node == 0 { Running::Interrupt(id) } else { Running::GuestRoutine(id) }
}
