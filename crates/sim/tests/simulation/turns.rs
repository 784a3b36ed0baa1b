//! Members that take turns, drawn: one character per millisecond.

use crate::build::{self, core, interrupt, server, task, time};
use crate::drawing::{arrivals, draw, draw_history};
use vorrang_model::system::{Costs, Scheduler, ServerKind, SupplyId, System, TaskId};
use vorrang_sim::History;

const CORE: SupplyId = SupplyId(0);

/// Tasks with these shares and so many milliseconds of work each, taking turns of `quantum`.
fn tasks(scheduler: Scheduler, quantum: &str, shares: &[(u32, &str)]) -> System {
    let mut system = core(scheduler);
    system.supplies[0].quantum = time(quantum);
    for (place, &(share, work)) in shares.iter().enumerate() {
        let id = task(&mut system, &format!("task.{place}"), CORE, [work, "100ms"], 0);
        system.tasks[id.0].share = share;
    }
    system
}

/// The same shares as virtual processors, with one busy task each.
fn vcpus(scheduler: Scheduler, quantum: &str, shares: &[u32]) -> System {
    let mut system = core(scheduler);
    system.supplies[0].quantum = time(quantum);
    for (place, &share) in shares.iter().enumerate() {
        let name = format!("vcpu.{place}");
        let id = build::share(&mut system, &name, CORE, share);
        system.supplies[id.0].vm = Some(name.clone());
        task(&mut system, &format!("task.{place}"), id, ["50ms", "100ms"], 1);
    }
    system
}

#[test]
fn shares_decide_who_runs_how_often() {
    let shares = [3, 2, 1];
    for (scheduler, drawn) in [
        (Scheduler::RoundRobin, "abcabcabcabc"),
        (Scheduler::WeightedRoundRobin, "aaabbcaaabbc"),
        (Scheduler::Stride, "abaabcabaabc"),
        (Scheduler::Vtrr, "abcabaabcaba"),
    ] {
        let work = shares.map(|share| (share, "50ms"));
        assert_eq!(draw(&tasks(scheduler, "1ms", &work), &[0, 0, 0], 12), drawn);
        assert_eq!(draw(&vcpus(scheduler, "1ms", &shares), &[0, 0, 0], 12), drawn);
    }
}

#[test]
fn equals_take_slices() {
    let equals = |slice: Option<&str>| {
        let mut system = core(Scheduler::FixedPriority);
        system.supplies[0].time_slice = slice.map(time);
        for (place, (work, priority)) in [("6ms", 1), ("3ms", 1), ("1ms", 2)].iter().enumerate() {
            task(&mut system, &format!("task.{place}"), CORE, [work, "100ms"], *priority);
        }
        system
    };
    // Preempted, b keeps the rest of its slice and its place.
    assert_eq!(draw(&equals(Some("2ms")), &[0, 0, 3], 10), "aabcbaabaa");
    assert_eq!(draw(&equals(None), &[0, 0, 3], 10), "aaacaaabbb");
    // Alone in its priority a member goes on; what becomes ready waits for the end of a slice.
    assert_eq!(draw(&equals(Some("2ms")), &[0, 3, 20], 10), "aaaabbaab.");
}

#[test]
fn a_budget_that_is_the_period_is_a_slice() {
    let mut system = core(Scheduler::FixedPriority);
    for (place, work) in ["20ms", "2ms"].iter().enumerate() {
        let name = format!("server.{place}");
        let id = server(&mut system, &name, CORE, ServerKind::RefillQueue, ["5ms", "5ms"], 1);
        task(&mut system, &format!("task.{place}"), id, [work, "20ms"], 1);
    }
    // b begins with what is left of its slice: at its third job that is 1 ms.
    let runs = [(5, "a"), (2, "b"), (15, "a"), (2, "b"), (20, "a"), (1, "b"), (5, "a"), (1, "b")];
    let drawn: String = runs.iter().map(|(times, who)| who.repeat(*times)).collect();
    assert_eq!(draw(&system, &[0, 1], 51), drawn);
}

#[test]
fn virtual_time_round_robin_keeps_its_published_orders() {
    for (shares, drawn) in [
        (&[1, 1, 1][..], "abcabcabc"),
        (&[2, 1, 1], "abcaabca"),
        (&[5, 1], "abaaaaabaaaa"),
        (&[4, 3, 2, 1], "abcdabcabaabcdabcaba"),
        (&[6, 3, 1], "abcababaaaabcababaaa"),
    ] {
        let first = vec![0; shares.len()];
        let system = vcpus(Scheduler::Vtrr, "1ms", shares);
        assert_eq!(draw(&system, &first, drawn.len() as u64), drawn);
    }
}

#[test]
fn a_turn_ends_when_its_quantum_is_used_or_its_member_sleeps() {
    let system = tasks(Scheduler::RoundRobin, "3ms", &[(1, "4ms"), (1, "2ms"), (1, "5ms")]);
    // c joins while it is a's turn: just before a, so behind b.
    assert_eq!(draw(&system, &[0, 0, 1], 12), "aaabbccc".to_owned() + "acc.");
    // Nothing else is ready: the next turn is a's again, and b waits for its end.
    assert_eq!(draw(&system, &[0, 4, 20], 8), "aaaabb..");
    assert_eq!(draw(&system, &[4, 0, 1], 12), "bbcccaaacca.");
}

#[test]
fn a_turn_goes_on_after_what_comes_before_the_members() {
    let mut system = tasks(Scheduler::RoundRobin, "2ms", &[(1, "3ms"), (1, "3ms")]);
    interrupt(&mut system, "interrupt.0", ["1ms", "50ms"]);
    let interrupts = arrivals(&[1]);
    let history = History { tasks: arrivals(&[0, 0]), interrupts, ..History::quiet(&system) };
    assert_eq!(draw_history(&system, &history, 8), "a0abbab.");
}

#[test]
fn guests_take_turns_inside_their_budget() {
    let mut system = core(Scheduler::FixedPriority);
    let kind = ServerKind::Deferrable;
    let vcpu = server(&mut system, "vcpu.a", CORE, kind, ["3ms", "5ms"], 1);
    system.supplies[vcpu.0].scheduler = Scheduler::RoundRobin;
    system.supplies[vcpu.0].quantum = time("2ms");
    for name in ["task.a", "task.b"] {
        task(&mut system, name, vcpu, ["4ms", "50ms"], 0);
    }
    // A turn is cut by the end of the budget and goes on with the next.
    assert_eq!(draw(&system, &[0, 0], 14), "aab..baa..bb..");
}

#[test]
fn the_end_of_a_turn_calls_the_scheduler_even_if_nobody_else_is_ready() {
    let mut system = tasks(Scheduler::RoundRobin, "2ms", &[(1, "5ms")]);
    let one = time("1ms");
    system.costs = Costs { scheduler_call: one, context_switch: one, ..Costs::default() };
    assert_eq!(draw(&system, &[0], 12), "^^aa^aa^a^..");
}

#[test]
fn a_member_that_is_ready_again_at_once_leaves_and_joins() {
    let mut system = tasks(Scheduler::RoundRobin, "4ms", &[(1, "2ms"), (1, "2ms"), (1, "2ms")]);
    system.tasks[TaskId(0).0].min_interarrival = time("2ms");
    // a is complete and released again at 2: behind b and c.
    assert_eq!(draw(&system, &[0, 0, 0], 10), "aabbccaaaa");
}
