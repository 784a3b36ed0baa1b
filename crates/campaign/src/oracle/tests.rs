//! The oracle against schedules drawn by hand.

use super::*;
use vorrang_model::system::{
    Interrupt, InterruptTime, Member, Priority, Scheduler, Server, ServerKind, ServerRule, Supply,
    SupplyKind, Task, Window,
};
use vorrang_time::Duration;

fn ns(ns: u64) -> Duration {
    Duration::from_ns(ns)
}

fn core(scheduler: Scheduler) -> System {
    let name = "core.0".to_owned();
    let core = Supply {
        name,
        kind: SupplyKind::Core,
        scheduler,
        members: Vec::new(),
        ..Supply::default()
    };
    System { supplies: vec![core], ..System::default() }
}

/// A server on supply `on`.
fn server(
    system: &mut System,
    on: usize,
    kind: ServerKind,
    (budget, period): (u64, u64),
    priority: u32,
) {
    let id = SupplyId(system.supplies.len());
    system.supplies[on].members.push(Member::Server(id));
    system.supplies.push(Supply {
        name: format!("server.{}", id.0),
        kind: SupplyKind::Server(Server {
            on: SupplyId(on),
            rule: kind.rule().expect("it has a budget"),
            budget: ns(budget),
            period: ns(period),
            priority: Priority(priority),
            ..Server::default()
        }),
        scheduler: Scheduler::FixedPriority,
        members: Vec::new(),
        ..Supply::default()
    });
}

/// A task on supply `on`; its jobs are given by the history.
fn task(system: &mut System, on: usize, deadline: u64, priority: u32) {
    let id = TaskId(system.tasks.len());
    system.supplies[on].members.push(Member::Task(id));
    system.tasks.push(Task {
        name: format!("task.{}", id.0),
        on: SupplyId(on),
        wcet: ns(1),
        min_interarrival: ns(100),
        deadline: Some(ns(deadline)),
        jitter: ns(0),
        blocking: ns(0),
        priority: Priority(priority),
        ..Task::default()
    });
}

fn interrupt(system: &mut System) {
    system.interrupts.push(Interrupt {
        name: format!("interrupt.{}", system.interrupts.len()),
        on: SupplyId(0),
        isr: ns(1),
        min_interarrival: ns(100),
        jitter: ns(0),
        ..Interrupt::default()
    });
}

/// Jobs released as they arrive: (arrival, execution).
fn jobs(list: &[(u64, u64)]) -> Vec<Job> {
    list.iter().map(|&(at, execution)| Job { arrival: at, release: at, execution }).collect()
}

fn tasks(lists: &[&[(u64, u64)]]) -> History {
    History { tasks: lists.iter().map(|list| jobs(list)).collect(), ..History::default() }
}

/// One letter a tick: tasks a, b, …; interrupts A, B, …; `.` idle, `-` idling, `#` blocking.
fn chart(system: &System, history: &History, ticks: u64) -> String {
    let letter = |first: u8, id: usize| char::from(first + u8::try_from(id).unwrap());
    let ran = run(system, SupplyId(0), history, ticks).ran;
    let letters = ran.iter().map(|ran| match *ran {
        Ran::Idle => '.',
        Ran::Task(id) => letter(b'a', id.0),
        Ran::Interrupt(id) => letter(b'A', id.0),
        Ran::Idling(_) => '-',
        Ran::Blocking(_) => '#',
        Ran::GuestRoutine(id) => letter(b'R', id.0),
        Ran::SchedulerCall => '%',
        Ran::ContextSwitch => '/',
        Ran::Timers => '!',
        Ran::NonPreemptible => '=',
    });
    letters.collect()
}

#[test]
fn fixed_priority_preempts_and_resumes() {
    let mut system = core(Scheduler::FixedPriority);
    task(&mut system, 0, 100, 2);
    task(&mut system, 0, 100, 1);
    let history = tasks(&[&[(1, 2), (6, 1)], &[(0, 4)]]);
    assert_eq!(chart(&system, &history, 9), "baabbba..");
    let outcome = run(&system, SupplyId(0), &history, 9);
    let at = |id: usize| outcome.tasks[id].iter().map(|done| done.at).collect::<Vec<_>>();
    assert_eq!((at(0), at(1)), (vec![3, 7], vec![6]));
}

#[test]
fn a_job_not_complete_at_the_horizon_has_no_completion() {
    let mut system = core(Scheduler::FixedPriority);
    task(&mut system, 0, 100, 1);
    let outcome = run(&system, SupplyId(0), &tasks(&[&[(0, 3)]]), 2);
    assert_eq!(outcome.tasks, [vec![]]);
}

#[test]
fn equal_priorities_are_served_as_they_became_ready() {
    let mut system = core(Scheduler::FixedPriority);
    task(&mut system, 0, 100, 1);
    task(&mut system, 0, 100, 1);
    task(&mut system, 0, 100, 2);
    // b was first; preempted by c it keeps its place before a.
    let history = tasks(&[&[(1, 2)], &[(0, 3)], &[(2, 1)]]);
    assert_eq!(chart(&system, &history, 7), "bbcbaa.");
    // Ready again at the instant it slept: at the back, behind b.
    let history = tasks(&[&[(0, 2), (2, 2)], &[(1, 1)], &[]]);
    assert_eq!(chart(&system, &history, 6), "aabaa.");
    // With a job that waits already, a task never stops being ready.
    let history = tasks(&[&[(0, 2), (1, 2)], &[(1, 1)], &[]]);
    assert_eq!(chart(&system, &history, 6), "aaaab.");
}

#[test]
fn edf_runs_the_earliest_deadline_and_of_equal_ones_the_first_declared() {
    let mut system = core(Scheduler::Edf);
    task(&mut system, 0, 10, 0);
    task(&mut system, 0, 6, 0);
    let history = tasks(&[&[(0, 2)], &[(1, 2)]]);
    assert_eq!(chart(&system, &history, 5), "abba.");
    let history = tasks(&[&[(0, 5)], &[(4, 2)]]);
    assert_eq!(chart(&system, &history, 8), "aaaaabb.");
}

#[test]
fn edf_counts_deadlines_from_the_arrival() {
    let mut system = core(Scheduler::Edf);
    task(&mut system, 0, 10, 0);
    task(&mut system, 0, 10, 0);
    let mut history = tasks(&[&[(2, 2)], &[]]);
    history.tasks[1] = vec![Job { arrival: 0, release: 3, execution: 1 }];
    assert_eq!(chart(&system, &history, 6), "..aba.");
}

#[test]
fn interrupts_run_first_and_in_order() {
    let mut system = core(Scheduler::FixedPriority);
    task(&mut system, 0, 100, 1);
    interrupt(&mut system);
    interrupt(&mut system);
    let mut history = tasks(&[&[(0, 3)]]);
    history.interrupts = vec![jobs(&[(2, 1), (5, 1)]), jobs(&[(1, 2), (5, 1)])];
    assert_eq!(chart(&system, &history, 8), "aBBAaABa");
}

#[test]
fn a_periodic_server_idles_its_budget_away() {
    let mut system = core(Scheduler::FixedPriority);
    server(&mut system, 0, ServerKind::Periodic, (2, 5), 2);
    task(&mut system, 1, 100, 1);
    task(&mut system, 0, 100, 1);
    let history = tasks(&[&[(1, 3)], &[(0, 9)]]);
    assert_eq!(chart(&system, &history, 10), "-abbbaabbb");
    // It begins with its first period.
    let late = History { phases: vec![0, 1], ..history };
    assert_eq!(chart(&system, &late, 10), "baabbba-bb");
}

#[test]
fn a_deferrable_server_keeps_its_budget_and_gives_it_twice_in_a_row() {
    let mut system = core(Scheduler::FixedPriority);
    server(&mut system, 0, ServerKind::Deferrable, (2, 5), 2);
    task(&mut system, 1, 100, 1);
    task(&mut system, 0, 100, 1);
    let history = tasks(&[&[(3, 5)], &[(0, 9)]]);
    assert_eq!(chart(&system, &history, 12), "bbbaaaabbbab");
}

#[test]
fn a_sporadic_server_gets_back_one_period_after_its_level_became_active() {
    let mut system = core(Scheduler::FixedPriority);
    server(&mut system, 0, ServerKind::Sporadic, (2, 5), 2);
    task(&mut system, 1, 100, 1);
    task(&mut system, 0, 100, 1);
    // Active from 1: what is consumed at 1 and at 2 comes back at 6.
    let history = tasks(&[&[(1, 5)], &[(0, 20)]]);
    assert_eq!(chart(&system, &history, 14), "baabbbaabbbabb");
    // The level is active from 1 and again from 4: one tick returns at 6, the other at 9.
    let history = tasks(&[&[(1, 1), (4, 3)], &[(0, 20)]]);
    assert_eq!(chart(&system, &history, 11), "babbababbab");
}

#[test]
fn a_higher_level_gives_a_sporadic_server_its_time() {
    let mut system = core(Scheduler::FixedPriority);
    server(&mut system, 0, ServerKind::Sporadic, (1, 5), 2);
    task(&mut system, 1, 100, 1);
    task(&mut system, 0, 100, 3);
    task(&mut system, 0, 100, 1);
    // b is more urgent than the server and ready from 0: the tick used at 3 returns at 5.
    let history = tasks(&[&[(2, 2)], &[(0, 3)], &[(0, 9)]]);
    assert_eq!(chart(&system, &history, 8), "bbbacacc");
    // c is less urgent: the tick used at 2 returns at 7.
    let history = tasks(&[&[(2, 2)], &[], &[(0, 9)]]);
    assert_eq!(chart(&system, &history, 8), "ccacccca");
}

#[test]
fn a_hard_cbs_waits_for_its_deadline() {
    let mut system = core(Scheduler::Edf);
    server(&mut system, 0, ServerKind::CbsHard, (2, 5), 0);
    task(&mut system, 1, 100, 1);
    task(&mut system, 0, 50, 0);
    // Wakes at 1 with deadline 6, is out of budget at 3, has the next at 6 with deadline 11.
    let history = tasks(&[&[(1, 5)], &[(0, 20)]]);
    assert_eq!(chart(&system, &history, 14), "baabbbaabbbabb");
}

#[test]
fn a_hard_cbs_keeps_its_deadline_only_if_its_budget_is_not_worth_more() {
    let mut system = core(Scheduler::Edf);
    server(&mut system, 0, ServerKind::CbsHard, (2, 8), 0);
    task(&mut system, 1, 100, 1);
    task(&mut system, 0, 50, 0);
    // Sleeps at 1 with one tick left until 8. At 3 one tick in 5 is less than two in eight?
    // 1 * 8 >= 5 * 2 is false: it keeps both and waits for 8 after that tick.
    let history = tasks(&[&[(0, 1), (3, 2)], &[(0, 20)]]);
    assert_eq!(chart(&system, &history, 10), "abbabbbbab");
    // At 4: 1 * 8 >= 4 * 2 is true: full budget, deadline 12.
    let history = tasks(&[&[(0, 1), (4, 3)], &[(0, 20)]]);
    assert_eq!(chart(&system, &history, 14), "abbbaabbbbbbab");
}

#[test]
fn a_server_of_linux_pays_for_what_interrupts_it() {
    let mut system = core(Scheduler::Linux);
    system.supplies[0].interrupt_time = InterruptTime::Charged;
    server(&mut system, 0, ServerKind::SchedDeadline, (4, 10), 0);
    task(&mut system, 1, 100, 1);
    interrupt(&mut system);
    let drawn = |work: &[(u64, u64)], at: u64| {
        let mut history = tasks(&[work]);
        history.interrupts = vec![jobs(&[(at, 3)])];
        chart(&system, &history, 24)
    };
    assert_eq!(drawn(&[(0, 9)], 1), "aAAA......aaaa......aaaa");
    assert_eq!(drawn(&[(0, 9)], 3), "aaaAAA....aa........aaaa");
    assert_eq!(drawn(&[(0, 3), (12, 3)], 3), "aaaAAA......aa......a...");
    assert_eq!(drawn(&[(4, 3)], 1), ".AAAaaa.................");
}

#[test]
fn a_slot_is_its_servers_alone() {
    let mut system = core(Scheduler::Slots);
    server(&mut system, 0, ServerKind::Slot, (2, 5), 0);
    server(&mut system, 0, ServerKind::Slot, (1, 5), 0);
    system.supplies[2].server_mut().unwrap().rule = ServerRule::Slot { offset: ns(3) };
    task(&mut system, 1, 100, 1);
    task(&mut system, 2, 100, 1);
    interrupt(&mut system);
    let mut history = tasks(&[&[(1, 2)], &[(0, 3)]]);
    history.interrupts = vec![jobs(&[(8, 1)])];
    assert_eq!(chart(&system, &history, 15), "-a.b.a-.A.--.b.");
}

#[test]
fn the_windows_of_a_table_are_its_servers_alone() {
    let mut system = core(Scheduler::Slots);
    server(&mut system, 0, ServerKind::Table, (3, 6), 0);
    let window = |offset, length| Window { offset: ns(offset), length: ns(length) };
    system.supplies[1].windows = vec![window(1, 1), window(3, 2)];
    task(&mut system, 1, 100, 1);
    let history = tasks(&[&[(2, 4)]]);
    assert_eq!(chart(&system, &history, 13), ".-.aa..a.a-..");
}

#[test]
fn a_server_in_a_server_pays_both() {
    let mut system = core(Scheduler::FixedPriority);
    server(&mut system, 0, ServerKind::Deferrable, (3, 6), 1);
    server(&mut system, 1, ServerKind::Deferrable, (2, 6), 2);
    task(&mut system, 2, 100, 1);
    task(&mut system, 1, 100, 1);
    let history = tasks(&[&[(0, 4)], &[(0, 4)]]);
    assert_eq!(chart(&system, &history, 13), "aab...aab...b");
}

#[test]
fn blocking_precedes_the_job_and_follows_what_is_more_urgent() {
    let mut system = core(Scheduler::FixedPriority);
    task(&mut system, 0, 100, 2);
    task(&mut system, 0, 100, 3);
    system.tasks[0].blocking = ns(2);
    let mut history = tasks(&[&[(1, 1)], &[(2, 1)]]);
    history.blocker = Some((Member::Task(TaskId(0)), 1));
    assert_eq!(chart(&system, &history, 6), ".#b#a.");
    // It began before the window did, once in each.
    let mut busy = tasks(&[&[(1, 1), (2, 1), (9, 1)], &[(0, 1)]]);
    busy.blocker = Some((Member::Task(TaskId(0)), 1));
    assert_eq!(chart(&system, &busy, 13), "b##aa....##a.");
    // Not before its time.
    busy.blocker = Some((Member::Task(TaskId(0)), 2));
    assert_eq!(chart(&system, &busy, 13), "ba##a....##a.");
}

#[test]
fn less_urgent_work_goes_on_when_something_becomes_ready_on_an_idle_core() {
    let mut system = core(Scheduler::Linux);
    task(&mut system, 0, 100, 2);
    interrupt(&mut system);
    system.supplies[0].sections = ns(3);
    let mut history = tasks(&[&[(1, 1), (5, 2), (9, 1)]]);
    history.interrupts = vec![jobs(&[(2, 1)])];
    history.sections = 3;
    assert_eq!(chart(&system, &history, 15), ".===Aaaa.===a..");
}
