//! From a system to a bound for each of its tasks and interrupts.
//!
//! **Model.** Each core is walked from the top: what interrupts leave of it is a supply; each
//! scheduler turns a supply into the response times of its tasks and the supplies of its servers;
//! and so on down. Nothing here is particular to a depth.
//!
//! **Cost.** One analysis per task and server; linear in the depth for each evaluation of a supply.

use crate::coverage::not_covered;
use crate::edf::{self, Contender, Work};
use crate::effort::{Effort, NoBound};
use crate::explanation::{Explanation, Lines};
use crate::finding::{Assumption, Finding, Form, Local, Method, Reason};
use crate::fixed_priority;
use crate::load::{Load, Loads};
use crate::supply::{
    Dedicated, FixedPriorityServer, FixedSlot, PeriodicResource, Residual, Supply,
};
use vorrang_model::system::{
    InterruptId, Member, Requirement, RequirementKind, Scheduler, Server, ServerKind, SupplyId,
    System, TaskId,
};
use vorrang_time::Duration;

/// What was found for each task and interrupt of a system.
#[derive(Clone, Debug)]
pub struct Bounds {
    tasks: Vec<Finding>,
    interrupts: Vec<Finding>,
}

impl Bounds {
    /// The response time of a task.
    pub fn task(&self, id: TaskId) -> &Finding {
        &self.tasks[id.0]
    }

    /// The response time of a service routine.
    pub fn interrupt(&self, id: InterruptId) -> &Finding {
        &self.interrupts[id.0]
    }

    /// The response time that a requirement limits.
    pub fn requirement(&self, requirement: &Requirement) -> &Finding {
        match requirement.kind {
            RequirementKind::Deadline(task) => self.task(task),
            RequirementKind::HandledWithin(interrupt) => self.interrupt(interrupt),
        }
    }
}

/// Bounds the response time of every task and every interrupt.
pub fn bounds(system: &System) -> Bounds {
    let mut walk = Walk::new(system, None);
    walk.whole_system();
    let found =
        |finding: Option<Finding>| finding.expect("the walk meets every task and interrupt");
    Bounds {
        tasks: walk.tasks.into_iter().map(found).collect(),
        interrupts: walk.interrupts.into_iter().map(found).collect(),
    }
}

/// How the bound of one requirement comes about: busy window, interference by name, equation.
pub fn explain(system: &System, what: RequirementKind) -> Explanation {
    let mut walk = Walk::new(system, Some(what));
    walk.whole_system();
    Explanation(walk.lines)
}

/// One pass over a system.
struct Walk<'s> {
    system: &'s System,
    effort: Effort,
    tasks: Vec<Option<Finding>>,
    interrupts: Vec<Option<Finding>>,
    /// The requirement whose bound is put into words.
    target: Option<RequirementKind>,
    lines: Lines,
}

/// A supply on the way down, with what is known about it.
#[derive(Clone, Copy)]
struct Node<'a> {
    id: SupplyId,
    supply: &'a dyn Supply,
    form: Form,
    /// Service routines that come before every member: on fixed-priority cores they are loads
    /// like any other; elsewhere `supply` is already what they leave.
    routines: &'a [Load<'a>],
    /// A core that interrupts leave whole.
    bare_core: bool,
}

impl<'s> Walk<'s> {
    fn new(system: &'s System, target: Option<RequirementKind>) -> Self {
        Self {
            system,
            effort: Effort::default(),
            tasks: vec![None; system.tasks.len()],
            interrupts: vec![None; system.interrupts.len()],
            target,
            lines: Lines::default(),
        }
    }

    fn whole_system(&mut self) {
        for core in self.system.cores() {
            match not_covered(self.system, core) {
                Some(what) => self.give_up_on_core(core, &what),
                None => self.core(core),
            }
        }
    }

    fn give_up_on_core(&mut self, core: SupplyId, what: &str) {
        let reason = Reason::NotCovered { what: what.to_owned() };
        for interrupt in self.system.interrupts_on(core) {
            self.record_interrupt(interrupt, Err(reason.clone()));
        }
        self.give_up_below(core, Form::Core, &reason);
    }

    /// No task on `id` or below it has a bound.
    fn give_up_below(&mut self, id: SupplyId, form: Form, reason: &Reason) {
        for &member in &self.system.supply(id).members {
            match member {
                Member::Task(task) => {
                    let finding =
                        Finding::none(Method { local: Local::NotCovered, form }, reason.clone());
                    self.record_task(task, finding);
                }
                Member::Server(server) => self.give_up_below(server, form, reason),
            }
        }
    }

    fn core(&mut self, core: SupplyId) {
        let system = self.system;
        let ids: Vec<InterruptId> = system.interrupts_on(core).collect();
        let routines: Vec<Load<'_>> =
            ids.iter().map(|&id| Load::of_interrupt(system.interrupt(id))).collect();
        self.service_routines(core, &ids, &routines);
        let effort = Effort::default();
        let after = Residual::new(&Dedicated, Loads::new(&routines), &effort);
        let node = Node {
            id: core,
            supply: &Dedicated,
            form: Form::Core,
            routines: &routines,
            bare_core: routines.is_empty(),
        };
        match system.supply(core).scheduler {
            Scheduler::FixedPriority => self.fixed_priority(node, &effort),
            Scheduler::Edf if node.bare_core => self.edf(node, &effort),
            Scheduler::Edf => self.edf(Node { supply: &after, routines: &[], ..node }, &effort),
            Scheduler::Slots => self.slots(node, &effort),
            Scheduler::Vtrr => unreachable!("not covered, as `not_covered` said"),
        }
    }

    /// Interrupts of one core delay each other, in whatever order they are taken.
    fn service_routines(&mut self, core: SupplyId, ids: &[InterruptId], routines: &[Load<'_>]) {
        for (index, &id) in ids.iter().enumerate() {
            let others = Loads::without(routines, index);
            let own = &routines[index];
            let found = fixed_priority::response_time(
                &Dedicated,
                own,
                Duration::ZERO,
                others,
                &self.effort,
            );
            self.effort.restart();
            if self.target == Some(RequirementKind::HandledWithin(id))
                && let Ok(response) = &found
            {
                say_busy_window(
                    &mut self.lines,
                    own,
                    response.job,
                    response.window,
                    response.bound,
                );
                self.lines.terms(own.cost * (response.job + 1), others, response.window);
                self.lines.cite("fixed priority, Lehoczky 1990; all other service routines of the core come first");
            }
            let found =
                found.map(|response| response.bound).map_err(|why| self.no_bound(core, why));
            self.record_interrupt(id, found);
        }
    }

    // ---- fixed priority ----

    fn fixed_priority(&mut self, node: Node<'_>, effort: &Effort) {
        let system = self.system;
        let mut members = system.supply(node.id).members.clone();
        members.sort_by_key(|&member| core::cmp::Reverse(priority(system, member)));
        let mut loads = node.routines.to_vec();
        let first = loads.len();
        loads.extend(
            members
                .iter()
                .map(|&m| Load::of_member(system, m).expect("covered, as `not_covered` said")),
        );
        for (place, &member) in members.iter().enumerate() {
            let equal = members[place..]
                .iter()
                .take_while(|&&other| priority(system, other) == priority(system, member))
                .count();
            let more_urgent = Loads::without(&loads[..first + place + equal], first + place);
            effort.restart();
            match member {
                Member::Task(task) => {
                    self.fixed_priority_task(
                        node,
                        task,
                        &loads[first + place],
                        more_urgent,
                        effort,
                    );
                }
                Member::Server(server) => {
                    let level = Residual::new(node.supply, more_urgent, effort);
                    self.fixed_priority_server(server, level, effort);
                }
            }
        }
    }

    fn fixed_priority_task(
        &mut self,
        node: Node<'_>,
        task: TaskId,
        own: &Load<'_>,
        more_urgent: Loads<'_>,
        effort: &Effort,
    ) {
        let blocking = self.system.task(task).blocking;
        let found = fixed_priority::response_time(node.supply, own, blocking, more_urgent, effort);
        if self.is_target(task)
            && let Ok(response) = &found
        {
            say_busy_window(&mut self.lines, own, response.job, response.window, response.bound);
            let work = own.cost * (response.job + 1) + blocking;
            if !blocking.is_zero() {
                self.lines.indented(|lines| {
                    lines.push(format!("blocking by less urgent work: {blocking}"));
                });
            }
            let demand = self.lines.terms(work, more_urgent, response.window);
            self.lines.cite(
                "x = supply((q+1) C + B + sum ceil((x+J)/T) C), Lehoczky 1990; Tindell et al. 1994",
            );
            node.supply.explain(demand, &mut self.lines);
            self.say_iteration(node, work, more_urgent);
        }
        self.record_bound(node, task, Local::FixedPriority, found.map(|response| response.bound));
    }

    /// The windows that the iteration went through.
    fn say_iteration(&mut self, node: Node<'_>, work: Duration, loads: Loads<'_>) {
        let steps = iteration(node.supply, work, loads);
        self.lines.push(format!("iteration: {}", steps.join(" -> ")));
    }

    fn fixed_priority_server(&mut self, id: SupplyId, level: Residual<'_>, effort: &Effort) {
        let supply = self.system.supply(id);
        let server = server_of(self.system, id);
        match FixedPriorityServer::new(&supply.name, level, server.budget, server.period) {
            Ok(provided) => self.members(id, &provided, Form::FixedPriorityServer, effort),
            Err(response) => self.no_guarantee(id, Form::FixedPriorityServer, response.ok()),
        }
    }

    // ---- earliest deadline first ----

    fn edf(&mut self, node: Node<'_>, effort: &Effort) {
        let system = self.system;
        let members = &system.supply(node.id).members;
        let contenders: Vec<Contender<'_>> =
            members.iter().map(|&m| contender(system, m)).collect();
        for (index, &member) in members.iter().enumerate() {
            effort.restart();
            match member {
                Member::Task(task) => self.edf_task(node, &contenders, index, task, effort),
                Member::Server(server) => self.edf_server(node, &contenders, index, server, effort),
            }
        }
    }

    fn edf_task(
        &mut self,
        node: Node<'_>,
        contenders: &[Contender<'_>],
        index: usize,
        task: TaskId,
        effort: &Effort,
    ) {
        let own = &contenders[index];
        match edf::response_time(node.supply, contenders, index, effort) {
            Ok(response) => {
                if self.is_target(task) {
                    let demand = edf::explain_terms(&mut self.lines, contenders, index, &response);
                    node.supply.explain(demand, &mut self.lines);
                }
                self.record_bound(node, task, Local::Edf, Ok(response.bound));
            }
            Err(why) => {
                effort.restart();
                let met = edf::meets_all_deadlines(node.supply, node.bare_core, contenders, effort);
                let found = if met == Ok(true) { Ok(own.deadline()) } else { Err(why) };
                self.record_bound(node, task, Local::EdfDemand, found);
            }
        }
    }

    fn edf_server(
        &mut self,
        node: Node<'_>,
        contenders: &[Contender<'_>],
        index: usize,
        id: SupplyId,
        effort: &Effort,
    ) {
        let server = server_of(self.system, id);
        let by_response = match server.kind {
            ServerKind::Periodic => {
                edf::response_time(node.supply, contenders, index, effort).map(|r| Some(r.bound))
            }
            _ => Ok(None),
        };
        let delivered = if let Ok(Some(response)) = by_response {
            Some(response)
        } else {
            // A deferrable server or CBS, or the response time was not found: the criterion says
            // whether the budget comes by the end of the period.
            effort.restart();
            let met = edf::meets_all_deadlines(node.supply, node.bare_core, contenders, effort);
            (met == Ok(true)).then_some(server.period)
        };
        match delivered {
            Some(deadline) if deadline <= server.period => {
                effort.restart();
                let name = &self.system.supply(id).name;
                let provided = PeriodicResource::new(name, server.budget, server.period, deadline);
                self.members(id, &provided, Form::PeriodicResource, effort);
                self.alone_in_cbs(id);
            }
            needs => self.no_guarantee(id, Form::PeriodicResource, needs),
        }
    }

    /// The only task of a hard CBS whose jobs are far enough apart to find the server idle with a
    /// deadline in the past: each job starts with a full budget and uses n = ceil(C / Q) periods.
    fn alone_in_cbs(&mut self, id: SupplyId) {
        let server = server_of(self.system, id);
        let [Member::Task(task)] = self.system.supply(id).members[..] else { return };
        if server.kind != ServerKind::CbsHard {
            return;
        }
        let job = self.system.task(task);
        let budgets = job.wcet.div_ceil(server.budget);
        let Some(bound) = server.period.checked_mul(budgets) else { return };
        let known = self.tasks[task.0].as_ref().and_then(|finding| finding.bound);
        let starts_afresh =
            job.min_interarrival >= bound && job.jitter.is_zero() && job.blocking.is_zero();
        if !starts_afresh || known.is_some_and(|known| known <= bound) {
            return;
        }
        if self.is_target(task) {
            self.lines = Lines::default();
            self.lines.push(format!(
                "{}: every job finds {} with its deadline in the past, so it starts with a full budget",
                job.name, self.system.supply(id).name
            ));
            self.lines.push(format!(
                "ceil({} / {}) = {budgets} budgets, one in each period of {}: {bound}",
                job.wcet, server.budget, server.period
            ));
            self.lines.cite("hard CBS with one task, Abeni, Manica, Palopoli 2009: R <= ceil(C/Q) T where T_task >= ceil(C/Q) T");
        }
        let finding = self.proven(
            id,
            Method { local: Local::AloneInCbs, form: Form::PeriodicResource },
            bound,
        );
        self.record_task(task, finding);
    }

    // ---- slots ----

    fn slots(&mut self, node: Node<'_>, effort: &Effort) {
        for &member in &self.system.supply(node.id).members {
            let Member::Server(id) = member else {
                unreachable!("not covered, as `not_covered` said")
            };
            let server = server_of(self.system, id);
            let slot = FixedSlot::new(&self.system.supply(id).name, server.budget, server.period);
            let after = Residual::new(&slot, Loads::new(node.routines), effort);
            let provided: &dyn Supply = if node.bare_core { &slot } else { &after };
            self.members(id, provided, Form::FixedSlot, effort);
        }
    }

    // ---- below a server ----

    /// The members of a server that provides `supply`.
    fn members(&mut self, id: SupplyId, supply: &dyn Supply, form: Form, effort: &Effort) {
        let node = Node { id, supply, form, routines: &[], bare_core: false };
        match self.system.supply(id).scheduler {
            Scheduler::FixedPriority => self.fixed_priority(node, effort),
            Scheduler::Edf => self.edf(node, effort),
            Scheduler::Slots | Scheduler::Vtrr => {
                unreachable!("not covered, as `not_covered` said")
            }
        }
    }

    // ---- what was found ----

    fn is_target(&self, task: TaskId) -> bool {
        self.target == Some(RequirementKind::Deadline(task))
    }

    fn no_bound(&self, supply: SupplyId, why: NoBound) -> Reason {
        Reason::NoBound { supply: self.system.supply(supply).name.clone(), why }
    }

    fn no_guarantee(&mut self, id: SupplyId, form: Form, needs: Option<Duration>) {
        let server = self.system.supply(id).name.clone();
        let reason =
            Reason::NoGuarantee { server, period: server_of(self.system, id).period, needs };
        self.give_up_below(id, form, &reason);
    }

    fn record_bound(
        &mut self,
        node: Node<'_>,
        task: TaskId,
        local: Local,
        found: Result<Duration, NoBound>,
    ) {
        let method = Method { local, form: node.form };
        let finding = match found {
            Ok(bound) => self.proven(node.id, method, bound),
            Err(why) => Finding::none(method, self.no_bound(node.id, why)),
        };
        self.record_task(task, finding);
    }

    fn record_task(&mut self, task: TaskId, finding: Finding) {
        if self.is_target(task)
            && let Some(reason) = &finding.reason
        {
            self.lines.push(format!("{}: no bound: {reason}", self.system.task(task).name));
        }
        self.tasks[task.0] = Some(finding);
    }

    fn record_interrupt(&mut self, id: InterruptId, found: Result<Duration, Reason>) {
        let core = self.system.interrupt(id).on;
        let method = Method { local: Local::ServiceRoutine, form: Form::Core };
        let finding = match found {
            Ok(bound) => self.proven(core, method, bound),
            Err(reason) => {
                if self.target == Some(RequirementKind::HandledWithin(id)) {
                    self.lines
                        .push(format!("{}: no bound: {reason}", self.system.interrupt(id).name));
                }
                Finding::none(method, reason)
            }
        };
        self.interrupts[id.0] = Some(finding);
    }

    fn proven(&self, supply: SupplyId, method: Method, bound: Duration) -> Finding {
        let assumptions = assumptions(self.system, supply, method);
        Finding { bound: Some(bound), method, assumptions, reason: None }
    }
}

fn priority(system: &System, member: Member) -> vorrang_model::system::Priority {
    match member {
        Member::Task(id) => system.task(id).priority,
        Member::Server(id) => server_of(system, id).priority,
    }
}

fn server_of(system: &System, id: SupplyId) -> &Server {
    system.supply(id).server.as_ref().expect("a member that is a supply is a server")
}

fn contender(system: &System, member: Member) -> Contender<'_> {
    match member {
        Member::Task(id) => {
            let task = system.task(id);
            let deadline = task.deadline.expect("covered, as `not_covered` said");
            Contender {
                name: &task.name,
                cost: task.wcet,
                period: task.min_interarrival,
                work: Work::Jobs { deadline, jitter: task.jitter, blocking: task.blocking },
            }
        }
        Member::Server(id) => {
            let server = server_of(system, id);
            let work = match server.kind {
                ServerKind::Periodic => Work::PeriodicServer,
                ServerKind::Deferrable => Work::DeferrableServer,
                ServerKind::CbsHard => Work::ConstantBandwidth,
                _ => unreachable!("not covered, as `not_covered` said"),
            };
            Contender {
                name: &system.supply(id).name,
                cost: server.budget,
                period: server.period,
                work,
            }
        }
    }
}

/// What a bound on the supply `id` takes for granted.
fn assumptions(system: &System, mut id: SupplyId, method: Method) -> Vec<Assumption> {
    let mut found = vec![Assumption::Workload, Assumption::NoCosts];
    if method.local != Local::ServiceRoutine {
        found.push(Assumption::Blocking);
    }
    if system.interrupts_on(system.core_of(id)).next().is_some() {
        found.push(Assumption::ServiceRoutines);
    }
    if method.local != Local::ServiceRoutine {
        loop {
            let supply = system.supply(id);
            match supply.scheduler {
                Scheduler::Slots => found.push(Assumption::Slots),
                Scheduler::Edf => found.push(Assumption::EdfDeadlines),
                Scheduler::FixedPriority | Scheduler::Vtrr => {}
            }
            let sporadic = supply.members.iter().any(|&member| match member {
                Member::Server(id) => server_of(system, id).kind == ServerKind::Sporadic,
                Member::Task(_) => false,
            });
            if sporadic {
                found.push(Assumption::SporadicActivations);
            }
            match &supply.server {
                Some(server) => id = server.on,
                None => break,
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn say_busy_window(lines: &mut Lines, own: &Load<'_>, job: u64, window: Duration, bound: Duration) {
    lines.push(format!(
        "{}: job {} of the busy window completes {window} after its start: response time {bound}",
        own.name,
        job + 1
    ));
    lines.indented(|lines| {
        let count = job + 1;
        lines.push(format!("own work: {count} x {} = {}", own.cost, own.cost * count));
    });
}

/// The windows of the fixed-point iteration, from the work alone; long ones shortened.
fn iteration(supply: &dyn Supply, work: Duration, loads: Loads<'_>) -> Vec<String> {
    const SHOWN: usize = 12;
    let mut steps = Vec::new();
    let mut window = supply.time_for(work);
    while let Ok(x) = window {
        if steps.last() == Some(&x) {
            break;
        }
        steps.push(x);
        window = loads.in_window(x).and_then(|load| supply.time_for(work + load));
    }
    let mut text: Vec<String> = steps.iter().map(ToString::to_string).collect();
    if text.len() > SHOWN {
        let hidden = text.len() - SHOWN;
        text.splice(SHOWN / 2..SHOWN / 2 + hidden, [format!("({hidden} steps)")]);
    }
    text
}
