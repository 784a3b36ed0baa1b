//! What the simulator does not cover is refused by name, and nothing is observed of it.

use crate::build::{core, server, share, task};
use vorrang_model::system::{Scheduler, ServerKind, SupplyId, System, Unsupported};
use vorrang_sim::{History, Search, search, simulate};
use vorrang_time::Instant;

const CORE: SupplyId = SupplyId(0);

fn refusal(system: &System) -> String {
    let horizon = Instant::from_ns(1_000);
    let outcome = simulate(system, CORE, &History::quiet(system), horizon, &mut ());
    outcome.unwrap_err().to_string()
}

fn with_server(scheduler: Scheduler, kind: ServerKind) -> System {
    let mut system = core(scheduler);
    let on = if kind == ServerKind::Share {
        share(&mut system, "vcpu.a", CORE, 1)
    } else {
        server(&mut system, "vcpu.a", CORE, kind, ["1ms", "10ms"], 1)
    };
    task(&mut system, "task.x", on, ["1ms", "100ms"], 1);
    system
}

#[test]
fn servers_that_their_parent_cannot_order_are_named() {
    for (scheduler, kind, text) in [
        (Scheduler::Edf, ServerKind::Sporadic, "sporadic servers on edf"),
        (Scheduler::Edf, ServerKind::Slot, "slot servers on edf"),
        (Scheduler::Edf, ServerKind::Table, "table servers on edf"),
        (Scheduler::Edf, ServerKind::PosixSporadic, "posix-sporadic servers on edf"),
        (Scheduler::Slots, ServerKind::Periodic, "periodic servers on slots"),
        (Scheduler::Linux, ServerKind::Slot, "slot servers on linux"),
        (Scheduler::Linux, ServerKind::Share, "share servers on linux"),
        (Scheduler::Vtrr, ServerKind::Periodic, "periodic servers on vtrr"),
    ] {
        let expected = format!("vcpu.a: {text} supplies are not simulated");
        assert_eq!(refusal(&with_server(scheduler, kind)), expected);
    }
}

#[test]
fn features_are_named() {
    let mut system = with_server(Scheduler::Edf, ServerKind::Periodic);
    let what = "the virtual side of interrupt.i".to_owned();
    system.unsupported.push(Unsupported { what, core: Some(CORE) });
    assert_eq!(refusal(&system), "the virtual side of interrupt.i is not simulated yet");
}

#[test]
fn a_search_says_what_it_left_out_and_goes_on() {
    let mut system = with_server(Scheduler::Edf, ServerKind::Slot);
    let mut other = core(Scheduler::Edf).supplies.remove(0);
    other.name = "core.1".into();
    system.supplies.push(other);
    task(&mut system, "task.y", SupplyId(2), ["1ms", "100ms"], 1);
    let seen = search(&system, &Search { work: 1_000, ..Search::default() });
    assert_eq!(seen.not_covered.len(), 1);
    assert_eq!(seen.not_covered[0].0, CORE);
    assert_eq!(seen.tasks[0], None);
    assert!(seen.tasks[1].is_some());
}
