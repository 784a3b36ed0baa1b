//! The members of an EDF supply.

use super::{Node, Walk};
use crate::arrival::since_poll;
use crate::derivation::{Derivation, OfResponse};
use crate::device::Card;
use crate::edf::{self, Contender, Late, ResponseTimes, Work};
use crate::effort::{Effort, NoBound};
use crate::finding::{Form, Local, Method};
use crate::load::{Load, Loads};
use crate::overhead::{Interference, loss_of_server};
use crate::rate::Rate;
use crate::reason::Reason;
use crate::source::Source;
use crate::supply::{Charges, Dedicated, Interrupted, Others, PeriodicResource, Residual, Supply};
use crate::tree::{delivered_to, server_of};
use core::cell::OnceCell;
use vorrang_model::system::{Member, Server, ServerKind, SupplyId, System, Task, TaskId};
use vorrang_time::Duration;

/// An EDF supply and everything on it.
struct Contest<'a> {
    node: Node<'a>,
    members: &'a [Contender],
    effort: &'a Effort,
    /// What the searches for response times share.
    responses: Result<ResponseTimes<'a, dyn Supply + 'a>, NoBound>,
    /// Where the members pay for the routines that interrupt them: what comes before them besides.
    unpaid: Option<Interference<'a>>,
    /// How late anything is at most, once somebody asked; `None`: nothing bounds it.
    late: OnceCell<Option<Duration>>,
}

impl<'a> Contest<'a> {
    fn new(node: Node<'a>, members: &'a [Contender], effort: &'a Effort) -> Self {
        effort.restart_for_all();
        let responses = ResponseTimes::new(node.supply, members, effort);
        Self { node, members, effort, responses, unpaid: None, late: OnceCell::new() }
    }

    fn response_time(&self, index: usize) -> Result<edf::Response, NoBound> {
        let responses = self.responses.as_ref().map_err(|&why| why)?;
        self.effort.restart(self.members.len());
        responses.of(index, self.effort)
    }

    /// How late work is that is due `from` or more after the start of its window.
    fn lateness(&self, from: Duration) -> Option<Duration> {
        let on = |supply: &dyn Supply, from| {
            self.effort.restart_for_all();
            edf::lateness(supply, self.node.bare_core, self.members, from, self.effort).ok()
        };
        let search = |from| {
            let apart = on(self.node.supply, from);
            let unpaid = self.unpaid.as_ref().filter(|_| apart != Some(Duration::ZERO));
            let charged = unpaid.and_then(|Interference { loads, blocking }| {
                let core = Residual::new(&Dedicated, Loads::new(loads), self.effort);
                on(&core.blocked(*blocking), from)
            });
            apart.into_iter().chain(charged).min()
        };
        let any = *self.late.get_or_init(|| search(Duration::RESOLUTION));
        if any == Some(Duration::ZERO) { any } else { search(from).or(any) }
    }

    /// Whether what is released a relative deadline ahead is complete by then.
    fn is_never_late(&self, index: usize) -> bool {
        self.lateness(self.members[index].deadline()) == Some(Duration::ZERO)
    }

    /// How late a kept budget is at most; `None`: nothing bounds it.
    fn kept(&self) -> Option<Duration> {
        let keeps = self.members.iter().any(Contender::keeps);
        if keeps { self.lateness(Duration::RESOLUTION) } else { Some(Duration::ZERO) }
    }

    /// How late the budget of a server is that keeps what its guest does not want.
    fn late(&self, index: usize) -> Option<Late> {
        let kept = self.lateness(Duration::RESOLUTION)?;
        let whole = self.lateness(self.members[index].deadline())?;
        Some(Late { whole, kept })
    }
}

impl<'s> Walk<'s> {
    /// Returns how late budget is that a server keeps; `None`: nothing bounds it.
    pub(super) fn edf(
        &mut self,
        node: Node<'_>,
        members: &[Member],
        effort: &Effort,
    ) -> Option<Duration> {
        let system = self.system;
        let mut contenders = Vec::with_capacity(members.len());
        for &member in members {
            match self.contender(node, member) {
                Ok(contender) => contenders.push(contender),
                Err(reason) => {
                    self.give_up_on(members, node.form, &reason);
                    return None;
                }
            }
        }
        let contest = Contest::new(node, &contenders, effort);
        let contest = Contest { unpaid: self.unpaid(node, members, effort), ..contest };
        let late = contest.kept();
        let machine = node.machine.map(|machine| machine.late_by(late));
        let node = Node { machine: machine.as_ref(), ..node };
        let contest = Contest { node, ..contest };
        for (index, &member) in members.iter().enumerate() {
            match member {
                Member::Task(task) => match self.arrivals.woken(task) {
                    Some(Ok((id, _))) if self.is_paid_for(task, id, (node.id, node.form)) => {}
                    Some(Ok((_, requests))) => {
                        let mut contenders = contenders.clone();
                        contenders[index] = woken(node, task, system.task(task), &requests.calm);
                        let contest = Contest::new(node, &contenders, effort);
                        self.edf_task(&contest, index, task);
                    }
                    _ => self.edf_task(&contest, index, task),
                },
                Member::Server(server) => self.edf_server(&contest, index, server),
            }
        }
        late
    }

    /// A member at its worst.
    fn contender(&self, node: Node<'_>, member: Member) -> Result<Contender, Reason> {
        if let Member::Task(task) = member
            && let Some((id, requests)) = self.arrivals.woken(task).transpose()?
        {
            // What waits for ever has its deadline before everybody else's.
            if requests.waits_for_ever {
                return Err(self.why.held_back(id));
            }
            return Ok(woken(node, task, self.system.task(task), &requests.storm));
        }
        Ok(match member {
            Member::Task(task) => {
                woken(node, task, self.system.task(task), &self.arrivals.jobs[task.0])
            }
            Member::Server(id) => contender(self.system, id),
        })
    }

    fn edf_task(&mut self, contest: &Contest<'_>, index: usize, task: TaskId) {
        let Contest { node, members, .. } = contest;
        match contest.response_time(index) {
            Ok(response) => {
                let derivation = self.derived(|to| {
                    self.derive_woken(task, &members[index], to);
                    let demand = edf::derive(to, members, index, &response);
                    node.supply.derive(demand, to);
                });
                self.record_bound(*node, task, Local::Edf, Ok(response.bound), derivation);
            }
            Err(why) => {
                let own = &members[index];
                let from = own.least_time_to_deadline();
                let late = if from.is_zero() { None } else { contest.lateness(from) };
                let found = late.map_or(Err(why), |late| Ok(own.deadline() + late));
                let derivation = self.derived(|to| self.derive_woken(task, own, to));
                self.record_bound(*node, task, Local::EdfDemand, found, derivation);
            }
        }
    }

    fn derive_woken(&self, task: TaskId, own: &Contender, to: &mut Derivation) {
        if let Some(Ok((by, _))) = self.arrivals.woken(task) {
            let (period, jitter) = (own.period, own.jitter());
            to.push(OfResponse::Woken { task, by, period, jitter });
        }
    }

    fn edf_server(&mut self, contest: &Contest<'_>, index: usize, id: SupplyId) {
        let server = server_of(self.system, id);
        let deadline = contest.members[index].deadline();
        match server.kind {
            ServerKind::Periodic | ServerKind::Polling => {
                let response = contest.response_time(index).ok().map(|response| response.bound);
                let delivered =
                    response.or_else(|| contest.is_never_late(index).then_some(deadline));
                self.guest_by(contest, id, delivered);
            }
            // The criterion says whether the budget comes by the end of the period.
            ServerKind::Deferrable => {
                let delivered = contest.is_never_late(index).then_some(deadline);
                self.guest_by(contest, id, delivered);
            }
            _ => self.bandwidth_server(contest, index, id),
        }
    }

    /// The guest of a server that loses at the end of its period what was not delivered by then.
    fn guest_by(&mut self, contest: &Contest<'_>, id: SupplyId, delivered: Option<Duration>) {
        let server = server_of(self.system, id);
        match delivered {
            Some(deadline) if deadline <= server.period => {
                let Server { budget, period, .. } = *server;
                let provided = PeriodicResource::new(Source::Server(id), budget, period, deadline);
                let provided = match server.kind {
                    ServerKind::Polling => provided.polled(since_poll(self.system, id)),
                    _ => provided,
                };
                let form = Form::PeriodicResource;
                self.members_of(contest.node, id, &provided, form, contest.effort);
            }
            // Under EDF a demand above the supply in the long run is everybody's.
            needs => {
                let needs = needs.ok_or(NoBound::Overload);
                self.no_guarantee(id, Form::PeriodicResource, needs);
            }
        }
    }

    /// The guest of a constant-bandwidth server, which keeps what was not delivered by its
    /// deadline. One that is late by more than a period would put its deadline off.
    fn bandwidth_server(&mut self, contest: &Contest<'_>, index: usize, id: SupplyId) {
        let server = server_of(self.system, id);
        let deadline = contest.members[index].deadline();
        let late = contest.late(index);
        self.late[id.0] = late.filter(|late| late.kept <= server.period);
        match (self.late[id.0], late) {
            (Some(_), _) if server.kind == ServerKind::CbsSoft => {
                self.guest_of_soft_server(contest.node, id, contest.effort);
            }
            (Some(late), _) => {
                let Server { budget, period, .. } = *server;
                let delivered = deadline + late.behind(server);
                let provided = PeriodicResource::new(Source::Server(id), budget, period, delivered);
                self.guest_of_bandwidth_server(contest, id, &provided);
            }
            (None, late) => {
                let needs = late.map(|late| deadline + late.kept).ok_or(NoBound::Overload);
                self.no_guarantee(id, Form::PeriodicResource, needs);
            }
        }
    }

    /// The guest has what the server does not pay for.
    fn guest_of_bandwidth_server(
        &mut self,
        contest: &Contest<'_>,
        id: SupplyId,
        provided: &PeriodicResource,
    ) {
        let Contest { node, effort, .. } = *contest;
        let form = Form::PeriodicResource;
        match self.charges(node, id, effort) {
            Err(reason) => self.give_up_below(id, form, &reason),
            Ok(None) => {
                self.members_of(node, id, provided, form, effort);
                self.alone_in_cbs(node, id, None, effort);
            }
            Ok(Some(charges)) => {
                let left = Interrupted::new(Source::Server(id), provided, &charges, effort);
                self.members_of(node, id, &left, form, effort);
                self.alone_in_cbs(node, id, Some(&charges), effort);
            }
        }
    }

    /// A soft server may be far ahead of its bandwidth, and then far behind: only a task that is
    /// alone knows how far.
    fn guest_of_soft_server(&mut self, node: Node<'_>, id: SupplyId, effort: &Effort) {
        self.guaranteed[id.0] = Some(Ok(()));
        if !self.alone_in_cbs(node, id, None, effort) {
            let supply = self.system.supply(id);
            let name = &supply.name;
            let what = match supply.members[..] {
                [Member::Task(task)] if takes_packets(self.system, task) => {
                    let task = &self.system.task(task).name;
                    format!("{task}, which takes packets, in {name}, a \"cbs-soft\" server")
                }
                _ => format!("what shares {name}, a \"cbs-soft\" server"),
            };
            self.give_up_below(id, Form::PeriodicResource, &Reason::NotCovered { what });
        }
    }

    /// The only task of a constant-bandwidth server (`SCHED_DEADLINE` with D = T included), from
    /// the instant at which the server starts afresh: see [`alone`]. Whether it has a bound.
    fn alone_in_cbs(
        &mut self,
        node: Node<'_>,
        id: SupplyId,
        charges: Option<&Charges<'_>>,
        effort: &Effort,
    ) -> bool {
        let server = server_of(self.system, id);
        let [Member::Task(task)] = self.system.supply(id).members[..] else { return false };
        let kind = matches!(
            server.kind,
            ServerKind::CbsHard | ServerKind::CbsSoft | ServerKind::SchedDeadline
        );
        let job = self.system.task(task);
        let constrained = server.deadline.is_some_and(|deadline| deadline < server.period);
        let is_cold = node.cold.is_some() || !loss_of_server(self.system, id).is_zero();
        let takes_packets = takes_packets(self.system, task);
        if !kind || is_cold || constrained || !job.blocking.is_zero() || takes_packets {
            return false;
        }
        let job = match self.arrivals.woken(task) {
            _ if !delivered_to(self.system, id).is_empty() => return false,
            Some(Err(_)) => return false,
            Some(Ok((_, requests))) if requests.waits_for_ever => return false,
            Some(Ok((_, requests))) => {
                let Load { period, jitter, .. } = requests.calm;
                &Task { min_interarrival: period, jitter, ..job.clone() }
            }
            None => {
                let Load { period, jitter, .. } = self.arrivals.jobs[task.0];
                &Task { min_interarrival: period, jitter, ..job.clone() }
            }
        };
        effort.restart(1);
        let Some(late) = self.late[id.0] else { return false };
        let Ok(worst) = alone(job, (server, late, charges), effort) else { return false };
        let known = self.tasks[task.0].as_ref().and_then(|finding| finding.bound);
        if known.is_some_and(|known| known <= worst.bound) {
            return true;
        }
        let derivation =
            self.derived(|to| derive_alone((task, job, id, server), charges, &worst, to));
        let method = Method { local: Local::AloneInCbs, form: Form::PeriodicResource };
        let finding = self.proven(id, method, worst.bound, derivation);
        self.record_task(task, finding);
        true
    }
}

/// Whether a job is something else than its execution time, or comes with packets.
fn takes_packets(system: &System, task: TaskId) -> bool {
    Card::polled_by(system, task).or_else(|| Card::read_by(system, task)).is_some()
}

/// The worst job of a task that is alone in a constant-bandwidth server.
struct Alone {
    bound: Duration,
    /// Which job since the server started afresh, from 0.
    job: u64,
    /// The time of the server that is used, interrupts included.
    used: Duration,
    budgets: u64,
    /// How late the last of them may be.
    late: Duration,
}

/// Job q since the server started afresh at `r` completes by the deadline of the last budget that
/// it uses, `r + ceil((q + 1) C / Q) T`, or as late as that budget is, and arrived at `r − J + q T_task`
/// or later. The first job uses whole budgets; later ones may have slept in between. A job that
/// arrives after the last deadline before it responds no later than the first one, for `ceil` of a
/// sum is at most the sum of both. What the server pays for besides counts like work.
fn alone(
    task: &Task,
    (server, late, charges): (&Server, Late, Option<&Charges<'_>>),
    effort: &Effort,
) -> Result<Alone, NoBound> {
    let needs = Rate::floor(task.wcet, task.min_interarrival);
    effort.expect(needs, Rate::ceil(server.budget, server.period), 1)?;
    let zero = Duration::ZERO;
    let mut worst = Alone { bound: zero, job: 0, used: zero, budgets: 0, late: zero };
    let mut work = Duration::ZERO;
    let mut arrived = Duration::ZERO;
    for job in 0.. {
        effort.spend(1)?;
        work = work.checked_add(task.wcet).ok_or(NoBound::TooLong)?;
        let late = if job == 0 { late.whole } else { late.kept };
        let by = |used: Duration| {
            let done = server.period.checked_mul(used.div_ceil(server.budget));
            done.ok_or(NoBound::TooLong)
        };
        let used = match charges {
            None => work,
            Some(charges) => {
                // A routine that wakes the guest may still run, and it sleeps after each job.
                let others = Others { blocks: 1, sleeps: job };
                charges.used_for((work, others), effort, |used| {
                    by(used)?.checked_add(late).ok_or(NoBound::TooLong)
                })?
            }
        };
        let done = by(used)?;
        let done = done.checked_add(task.jitter).ok_or(NoBound::TooLong)?;
        let bound = done.checked_add(late).ok_or(NoBound::TooLong)?.saturating_sub(arrived);
        if bound > worst.bound {
            worst = Alone { bound, job, used, budgets: used.div_ceil(server.budget), late };
        }
        arrived = arrived.checked_add(task.min_interarrival).ok_or(NoBound::TooLong)?;
        if done <= arrived {
            break;
        }
    }
    Ok(worst)
}

fn derive_alone(
    (task, job, id, server): (TaskId, &Task, SupplyId, &Server),
    charges: Option<&Charges<'_>>,
    worst: &Alone,
    to: &mut Derivation,
) {
    let Alone { bound, job: number, used, budgets, late } = *worst;
    let Server { budget, period, .. } = *server;
    to.push(OfResponse::AloneInServer { task, job: number, server: id, budgets, period });
    if charges.is_some_and(|charges| !charges.run.is_empty()) {
        to.push(OfResponse::AlonePays { server: id, work: job.wcet * (number + 1), used });
    }
    if !late.is_zero() {
        to.push(OfResponse::AloneLate { server: id, late });
    }
    let (late, apart) = (job.jitter + late, job.min_interarrival);
    to.push(OfResponse::AloneSum { used, budget, period, late, job: number, apart, bound });
    to.cite("constant-bandwidth server with one task, Abeni, Manica, Palopoli 2009: R <= ceil(C/Q) T where T_task >= ceil(C/Q) T");
}

/// A task whose jobs are released so.
fn woken(node: Node<'_>, id: TaskId, task: &Task, releases: &Load<'_>) -> Contender {
    let deadline = task.deadline.expect("covered, as `not_covered` said");
    let section = task.blocking + node.around_section(id);
    let (jitter, blocking) = (releases.jitter, section);
    Contender {
        of: Source::Task(id),
        cost: task.wcet + node.around_job(id),
        period: releases.period,
        work: Work::Jobs { deadline, jitter, blocking },
    }
}

fn contender(system: &System, id: SupplyId) -> Contender {
    let server = server_of(system, id);
    let work = match server.kind {
        ServerKind::Periodic | ServerKind::Polling => Work::PeriodicServer,
        ServerKind::Deferrable => Work::DeferrableServer,
        ServerKind::CbsHard => Work::ConstantBandwidth,
        ServerKind::CbsSoft => Work::SoftBandwidth,
        ServerKind::SchedDeadline => match server.deadline {
            Some(deadline) if deadline < server.period => Work::ConstrainedBandwidth { deadline },
            _ => Work::ConstantBandwidth,
        },
        _ => unreachable!("not covered, as `not_covered` said"),
    };
    let of = Source::Server(id);
    Contender { of, cost: server.budget, period: server.period, work }
}
