//! Supplies, tasks, and what switching between them costs.

use super::page::Page;
use crate::reading::percentage;
use crate::system::{
    Activation, Cache, CacheId, Communication, Costs, DeadlineLimits, FairServer, InterruptOrder,
    InterruptTime, Kernel, Member, Preemption, REFILLS, RtLimit, RtThrottling, Scheduler, Server,
    ServerKind, ServerRule, Supply, SupplyId, SupplyKind, System, Task, TaskId, TimerQueue,
};
use crate::word::{
    CACHE_MODELS, COMMUNICATIONS, INTERRUPT_ORDERS, INTERRUPT_TIMES, PREEMPTIONS, TIMER_QUEUES,
    text_of,
};
use std::borrow::Cow;
use vorrang_time::Duration;

pub(super) fn costs(page: &mut Page, costs: &Costs) {
    if *costs == Costs::default() {
        return;
    }
    page.table("costs");
    page.duration_unless_zero("scheduler-call", costs.scheduler_call);
    page.duration_unless_zero("context-switch", costs.context_switch);
    page.duration_unless_zero("timer-expiry", costs.timer_expiry);
    page.duration_unless_zero("interrupt-entry", costs.interrupt_entry);
    page.duration_unless_zero("interrupt-exit", costs.interrupt_exit);
    page.duration_unless_zero("vm-exit", costs.vm_exit);
}

pub(super) fn cache(page: &mut Page, cache: &Cache) {
    page.table(&cache.name);
    page.text("model", text_of(CACHE_MODELS, &cache.model));
    page.text("useful", &percentage(cache.useful_ppm));
    page.duration("sustained", cache.sustained);
}

pub(super) fn supply(page: &mut Page, system: &System, supply: &Supply) {
    page.table(&supply.name);
    if let Some(vm) = supply.vm.as_ref().filter(|vm| **vm != supply.name) {
        page.text("vm", vm);
    }
    if let Some((on, kind)) = supply.on().zip(supply.server_kind()) {
        page.text("on", &system.supply(on).name);
        page.text("server", kind.word());
    }
    match &supply.kind {
        SupplyKind::Core => {}
        SupplyKind::Server(server) => self::server(page, system, supply, server),
        SupplyKind::Share(own) => share(page, system.supply(own.on), own.weight),
        SupplyKind::Level(own) => {
            blocking(page, system, own.on, own.blocking);
            priority(page, system.supply(own.on), own.priority.0);
        }
    }
    cache_of(page, system, supply.cache);
    page.text("scheduler", supply.scheduler.word());
    page.duration_unless_zero("quantum", supply.quantum);
    if let Some(slice) = supply.time_slice {
        page.duration("time-slice", slice);
    }
    if supply.interrupt_order != InterruptOrder::default() {
        page.text("interrupts", text_of(INTERRUPT_ORDERS, &supply.interrupt_order));
    }
    if supply.is_core() && supply.interrupt_time != InterruptTime::on(supply.scheduler) {
        page.text("interrupt-time", text_of(INTERRUPT_TIMES, &supply.interrupt_time));
    }
    if supply.timer_queue != TimerQueue::default() {
        page.text("timers", text_of(TIMER_QUEUES, &supply.timer_queue));
    }
    if let Some(max_defer) = supply.max_defer {
        page.duration("max-defer", max_defer);
    }
    if supply.scheduler == Scheduler::Linux {
        kept(page, system, supply);
        deadline_limits(page, supply.deadline_limits);
        page.duration_unless_zero("overrun", supply.overrun);
        page.duration_unless_zero("sections", supply.sections);
    }
    if let Some(cpu) = system.host.cpus.get(&supply.name) {
        page.number("cpu", *cpu);
    }
    thread_of(page, system, &supply.name);
}

/// What Linux keeps from real-time threads.
fn kept(page: &mut Page, system: &System, supply: &Supply) {
    let [fair, ext] = system.kept_on(supply);
    match fair {
        None => page.text("fair-server", "none"),
        Some(FairServer::OF_LINUX) => {}
        Some(FairServer { budget, period }) => {
            page.inline("fair-server", &[("budget", budget), ("period", period)]);
        }
    }
    if let Some(FairServer { budget, period }) = ext {
        page.inline("ext-server", &[("budget", budget), ("period", period)]);
    }
    match supply.rt_throttling {
        RtThrottling::NotStated => {}
        RtThrottling::Never => page.text("rt-throttling", "none"),
        RtThrottling::After(RtLimit { budget, period, late }) => {
            let all = [("budget", budget), ("period", period), ("late", late)];
            page.inline("rt-throttling", &all);
        }
    }
}

fn deadline_limits(page: &mut Page, stated: DeadlineLimits) {
    let DeadlineLimits { shortest_period, longest_period, share_ppm } = stated;
    let texts = [
        ("min-period", shortest_period.map(|time| time.to_string())),
        ("max-period", longest_period.map(|time| time.to_string())),
        ("bandwidth", share_ppm.map(percentage)),
    ];
    let stated: Vec<(&str, String)> =
        texts.into_iter().filter_map(|(key, text)| Some((key, text?))).collect();
    if !stated.is_empty() {
        page.inline("deadline-limits", &stated);
    }
}

fn server(page: &mut Page, system: &System, supply: &Supply, server: &Server) {
    let parent = system.supply(server.on);
    if supply.windows.is_empty() {
        page.duration("budget", server.budget);
    } else {
        page.windows("windows", &supply.windows);
    }
    page.duration("period", server.period);
    match server.rule {
        ServerRule::SchedDeadline { deadline, reclaims } => {
            if let Some(deadline) = deadline {
                page.duration("deadline", deadline);
            }
            page.flag_unless_false("reclaim", reclaims);
        }
        ServerRule::RefillQueue { refills, min_budget } => {
            if refills != REFILLS {
                page.number("refills", refills);
            }
            if let Some(least) = min_budget {
                page.duration("min-budget", least);
            }
        }
        ServerRule::Slot { offset } => page.duration("offset", offset),
        _ => {}
    }
    let by_deadline = server.kind() == ServerKind::SchedDeadline;
    if !by_deadline {
        blocking(page, system, server.on, server.blocking);
    }
    if parent.scheduler != Scheduler::Linux || !by_deadline {
        priority(page, parent, server.priority.0);
    }
}

pub(super) fn task(page: &mut Page, system: &System, id: TaskId) {
    let task = system.task(id);
    let parent = system.supply(task.on);
    page.table(&declared("task", &task.name));
    page.text("on", &parent.name);
    if task.polls {
        page.flag_unless_false("polls", true);
        return on_supply(page, system, task);
    }
    if task.execution.is_empty() {
        page.duration("wcet", task.wcet);
        if task.bcet != Duration::RESOLUTION {
            page.duration("bcet", task.bcet);
        }
    } else {
        page.weights("execution", &task.execution);
    }
    match &task.distances {
        // The source says it.
        _ if task.activation.is_by_tasks() => {}
        None => page.duration("period", task.min_interarrival),
        // What wakes it says it.
        Some(_) if task.activation != Activation::Sporadic => {}
        Some(distances) => page.distances("min-distances", distances.stated()),
    }
    match task.deadline {
        None => page.text("deadline", "none"),
        Some(deadline) if task.distances.is_none() && deadline == task.min_interarrival => {}
        Some(deadline) => page.duration("deadline", deadline),
    }
    if let Some(offset) = task.offset {
        page.duration("offset", offset);
    } else if let Some(latest) = task.latest_interarrival {
        page.duration("latest-interarrival", latest);
    }
    if task.communication != Communication::default() {
        page.text("communication", text_of(COMMUNICATIONS, &task.communication));
    }
    if task.preemption != Preemption::default() {
        page.text("preemption", text_of(PREEMPTIONS, &task.preemption));
    }
    page.duration_unless_zero("jitter", task.jitter);
    blocking(page, system, task.on, task.blocking);
    on_supply(page, system, task);
    wake_ups(page, system, id);
    learnt(page, system, &task.name);
}

/// What a task wakes alone, and what it comes after, where that is several.
fn wake_ups(page: &mut Page, system: &System, id: TaskId) {
    let names = |ids: &[TaskId]| -> Vec<&str> {
        ids.iter().map(|&id| system.task(id).name.as_str()).collect()
    };
    let task = system.task(id);
    let is_alone = |id: &TaskId| system.task(*id).activation != Activation::Join;
    let woken: Vec<TaskId> = task.wakes.iter().copied().filter(is_alone).collect();
    if !woken.is_empty() {
        page.names("wakes", &names(&woken));
    }
    if task.activation == Activation::Join {
        page.names("after", &names(&system.predecessors(id)));
    }
}

/// What its supply asks of a task, and what it is on a machine.
fn on_supply(page: &mut Page, system: &System, task: &Task) {
    let parent = system.supply(task.on);
    priority(page, parent, task.priority.0);
    share(page, parent, task.share);
    cache_of(page, system, task.cache);
    thread_of(page, system, &task.name);
}

/// The name under which something is declared; one of its own where the kernel does it by itself.
pub(super) fn declared<'a>(noun: &str, name: &'a str) -> Cow<'a, str> {
    if Kernel::does(name) {
        format!("{noun}.{}", name.replace(['.', '/'], "-")).into()
    } else {
        name.into()
    }
}

/// Where priority decides, what one member states is a default of others.
fn blocking(page: &mut Page, system: &System, on: SupplyId, own: Duration) {
    let parent = system.supply(on);
    let is_blocked = |&member: &Member| !system.section(member).is_zero();
    let by_priority = matches!(parent.scheduler, Scheduler::FixedPriority | Scheduler::Linux);
    if by_priority && parent.members.iter().any(is_blocked) {
        page.duration("blocking", own);
    } else {
        page.duration_unless_zero("blocking", own);
    }
}

fn priority(page: &mut Page, parent: &Supply, priority: u32) {
    if matches!(parent.scheduler, Scheduler::FixedPriority | Scheduler::Linux) {
        page.number("priority", priority);
    }
}

fn share(page: &mut Page, parent: &Supply, share: u32) {
    if parent.scheduler.has_shares() {
        page.number("share", share);
    }
}

pub(super) fn learnt(page: &mut Page, system: &System, name: &str) {
    if let Some(margin) = system.host.learnt.get(name) {
        page.text("learnt", &percentage(*margin));
    }
}

fn thread_of(page: &mut Page, system: &System, name: &str) {
    if let Some(thread) = system.host.threads.get(name) {
        page.text("thread", thread);
    }
}

fn cache_of(page: &mut Page, system: &System, cache: Option<CacheId>) {
    if let Some(cache) = cache {
        page.text("cache", &system.cache(cache).name);
    }
}
