//! Small schedules, checked by hand: one character per millisecond.

use crate::build::{core, interrupt, server, task, time};
use crate::drawing::{CORE, arrivals, at, draw, draw_history};
use vorrang_model::system::{
    Activation, Member, Scheduler, ServerKind, ServerRule, SupplyId, System,
};
use vorrang_sim::{Blocker, History};

#[test]
fn equal_priorities_are_served_in_the_order_in_which_they_became_ready() {
    let mut system = core(Scheduler::FixedPriority);
    task(&mut system, "task.a", CORE, ["3ms", "10ms"], 1);
    task(&mut system, "task.b", CORE, ["2ms", "10ms"], 1);
    task(&mut system, "task.c", CORE, ["1ms", "10ms"], 2);
    assert_eq!(draw(&system, &[0, 0, 1], 10), "acaabb....");
    assert_eq!(draw(&system, &[1, 0, 4], 10), "bbaaca....");
}

#[test]
fn a_task_that_is_ready_again_when_it_completes_goes_to_the_back() {
    let mut system = core(Scheduler::FixedPriority);
    task(&mut system, "task.a", CORE, ["2ms", "2ms"], 1);
    task(&mut system, "task.b", CORE, ["2ms", "20ms"], 1);
    assert_eq!(draw(&system, &[0, 1], 8), "aabbaaaa");
}

#[test]
fn edf_breaks_ties_by_declaration() {
    let mut system = core(Scheduler::Edf);
    task(&mut system, "task.a", CORE, ["2ms", "6ms"], 0);
    task(&mut system, "task.b", CORE, ["2ms", "5ms"], 0);
    assert_eq!(draw(&system, &[0, 1], 12), "aabb..bbaa.b");
}

#[test]
fn interrupts_run_before_everything_first_come_first_served() {
    let mut system = core(Scheduler::FixedPriority);
    let a = server(&mut system, "vcpu.a", CORE, ServerKind::Deferrable, ["2ms", "5ms"], 1);
    task(&mut system, "task.a", a, ["4ms", "20ms"], 1);
    interrupt(&mut system, "interrupt.0", ["2ms", "20ms"]);
    interrupt(&mut system, "interrupt.1", ["1ms", "4ms"]);
    let history =
        History { tasks: arrivals(&[0]), interrupts: arrivals(&[2, 1]), ..History::quiet(&system) };
    // No budget is charged for service routines.
    assert_eq!(draw_history(&system, &history, 10), "a100a1aa.1");
}

#[test]
fn a_periodic_server_idles_and_a_deferrable_one_waits() {
    let draw_kind = |kind| {
        let mut system = core(Scheduler::FixedPriority);
        let a = server(&mut system, "vcpu.a", CORE, kind, ["2ms", "5ms"], 2);
        task(&mut system, "task.a", a, ["3ms", "20ms"], 1);
        task(&mut system, "task.b", CORE, ["4ms", "20ms"], 1);
        draw(&system, &[1, 0], 14)
    };
    assert_eq!(draw_kind(ServerKind::Periodic), "~abbbaab..~~..");
    assert_eq!(draw_kind(ServerKind::Deferrable), "baabbab.......");
    assert_eq!(draw_kind(ServerKind::Sporadic), "baabbba.......");
}

#[test]
fn cbs_waits_for_its_deadline_and_its_deadline_decides() {
    let mut system = core(Scheduler::Edf);
    let a = server(&mut system, "vcpu.a", CORE, ServerKind::CbsHard, ["2ms", "6ms"], 0);
    task(&mut system, "task.a", a, ["3ms", "20ms"], 1);
    task(&mut system, "task.b", CORE, ["3ms", "5ms"], 0);
    // Awake at 1 with deadline 7; gone at 5, back at 7 with deadline 13: after b's 10, at 8.
    assert_eq!(draw(&system, &[1, 0], 12), "bbbaabbba.bb");
}

#[test]
fn slots_are_the_servers_alone() {
    let mut system = core(Scheduler::Slots);
    for (name, offset) in [("vcpu.a", "0ms"), ("vcpu.b", "2ms")] {
        let id = server(&mut system, name, CORE, ServerKind::Slot, ["2ms", "5ms"], 0);
        system.supplies[id.0].server_mut().unwrap().rule =
            ServerRule::Slot { offset: time(offset) };
    }
    task(&mut system, "task.a", SupplyId(1), ["3ms", "20ms"], 1);
    task(&mut system, "task.b", SupplyId(2), ["1ms", "20ms"], 1);
    assert_eq!(draw(&system, &[0, 3], 10), "aa~b.a~~~.");
}

#[test]
fn an_inner_server_pays_together_with_the_outer_one() {
    let mut system = core(Scheduler::FixedPriority);
    let a = server(&mut system, "vcpu.a", CORE, ServerKind::Deferrable, ["3ms", "6ms"], 2);
    let b = server(&mut system, "server.b", a, ServerKind::Deferrable, ["2ms", "8ms"], 2);
    task(&mut system, "task.a", b, ["5ms", "40ms"], 1);
    task(&mut system, "task.b", a, ["3ms", "40ms"], 1);
    task(&mut system, "task.c", CORE, ["9ms", "40ms"], 1);
    // At 9 b still has one unit, but its outer budget is exhausted until 12.
    assert_eq!(draw(&system, &[0, 0, 0], 20), "aabcccbbacccaccca...");
}

#[test]
fn a_sporadic_server_counts_its_period_from_where_its_level_became_active() {
    let mut system = core(Scheduler::FixedPriority);
    let a = server(&mut system, "vcpu.a", CORE, ServerKind::Sporadic, ["2ms", "6ms"], 2);
    task(&mut system, "task.a", a, ["4ms", "20ms"], 1);
    task(&mut system, "task.b", CORE, ["2ms", "20ms"], 3);
    // Active since 0 because of b: what a consumes in [2, 4) is back at 6.
    assert_eq!(draw(&system, &[1, 0], 10), "bbaa..aa..");
}

#[test]
fn a_less_urgent_section_precedes_the_job_and_follows_what_is_more_urgent() {
    let mut system = core(Scheduler::FixedPriority);
    let a = task(&mut system, "task.a", CORE, ["2ms", "20ms"], 1);
    task(&mut system, "task.b", CORE, ["1ms", "4ms"], 2);
    system.tasks[a.0].blocking = time("3ms");
    let blocked = |at_ms, first: &[u64]| {
        let blocker = Some(Blocker { member: Member::Task(a), from: at(at_ms) });
        let history = History { tasks: arrivals(first), blocker, ..History::quiet(&system) };
        draw_history(&system, &history, 10)
    };
    assert_eq!(blocked(1, &[1, 2]), ".*b**aba..");
    // It began before the window, and so before what is more urgent.
    assert_eq!(blocked(2, &[2, 0]), "b.**b*aab.");
    assert_eq!(blocked(2, &[2, 1]), ".b***baa.b");
    // No section before its time.
    assert_eq!(blocked(3, &[1, 2]), ".aba..b...");
}

#[test]
fn a_section_holds_up_a_task_that_an_interrupt_wakes_once_in_a_window() {
    let mut system = core(Scheduler::FixedPriority);
    let a = task(&mut system, "task.a", CORE, ["2ms", "6ms"], 1);
    let i = interrupt(&mut system, "interrupt.0", ["1ms", "6ms"]);
    system.interrupts[i.0].wakes = Some(a);
    system.tasks[a.0].activation = Activation::Interrupt(i);
    system.tasks[a.0].blocking = time("1ms");
    let drawn = |system: &System| {
        let blocker = Some(Blocker { member: Member::Task(a), from: at(0) });
        let interrupts = arrivals(&[1]);
        let history = History { interrupts, blocker, ..History::quiet(system) };
        draw_history(system, &history, 15)
    };
    assert_eq!(drawn(&system), ".0*aa..0*aa..0*");
    // The next request comes before the job is complete: that is the same window.
    system.tasks[a.0].blocking = time("4ms");
    assert_eq!(drawn(&system), ".0****a0aaa..0*");
}

#[test]
fn work_that_is_released_at_a_replenishment_finds_the_new_budget() {
    let mut system = core(Scheduler::FixedPriority);
    let a = server(&mut system, "vcpu.a", CORE, ServerKind::Deferrable, ["2ms", "5ms"], 2);
    task(&mut system, "task.a", a, ["2ms", "5ms"], 1);
    assert_eq!(draw(&system, &[3], 10), "...aa...aa");
    assert_eq!(draw(&system, &[0], 10), "aa...aa...");
}
