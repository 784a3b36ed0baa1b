//! Every pattern's text parses back to the same history, and wrong texts are refused.

use crate::build::{core, interrupt, server, task, time};
use vorrang_model::system::{Scheduler, ServerKind, SupplyId, System};
use vorrang_sim::{ParsePatternError, Pattern};

const CORE: SupplyId = SupplyId(0);

fn system() -> System {
    let mut system = core(Scheduler::FixedPriority);
    let a = server(&mut system, "vcpu.a", CORE, ServerKind::Deferrable, ["3ms", "10ms"], 5);
    let b = server(&mut system, "vcpu.b", CORE, ServerKind::Periodic, ["4ms", "20ms"], 4);
    let c = server(&mut system, "server.c", b, ServerKind::Sporadic, ["2ms", "40ms"], 1);
    task(&mut system, "task.a", a, ["1ms", "20ms"], 2);
    task(&mut system, "task.a2", a, ["3ms", "50ms"], 1);
    task(&mut system, "task.b", b, ["1ms", "60ms"], 2);
    let x = task(&mut system, "task.x", c, ["3ms", "100ms"], 2);
    task(&mut system, "task.y", c, ["5ms", "200ms"], 1);
    system.tasks[x.0].jitter = time("7ms");
    system.tasks[x.0].blocking = time("1ms");
    interrupt(&mut system, "interrupt.i", ["10us", "1ms"]);
    interrupt(&mut system, "interrupt.j", ["20us", "1ms"]);
    system
}

#[test]
fn texts_parse_back_and_mean_the_same() {
    let system = system();
    for text in [
        "synchronous",
        "exhausted:task.x:0",
        "exhausted:task.x:1",
        "exhausted:task.x:2",
        "blocked:task.x",
        "blocked:task.x:1",
        "last:interrupt.i",
        "random:1",
        "random:2",
        "random:3",
    ] {
        let pattern = Pattern::parse(text, &system).unwrap();
        assert_eq!(pattern.to_string(), text);
        let history = pattern.history(&system, CORE).unwrap();
        assert_eq!(pattern.history(&system, CORE).unwrap(), history, "{text}: pure");
        let explicit = Pattern::explicit(&system, CORE, &history);
        let again = Pattern::parse(&explicit.to_string(), &system).unwrap();
        assert_eq!(again, explicit, "{text}");
        assert_eq!(again.history(&system, CORE).unwrap(), history, "{text}");
        assert_eq!(again.only(), pattern.only(), "{text}");
    }
}

#[test]
fn wrong_texts_are_refused_with_what_is_wrong() {
    let system = system();
    let unknown_kind = |word: &str| ParsePatternError::UnknownKind { word: word.into() };
    let unknown_name = |name: &str| ParsePatternError::UnknownName { name: name.into() };
    let malformed = |part: &str| ParsePatternError::Malformed { part: part.into() };
    for (text, error) in [
        ("", unknown_kind("")),
        ("worst", unknown_kind("worst")),
        ("synchronous:1", unknown_kind("synchronous")),
        ("exhausted:task.z:1", unknown_name("task.z")),
        ("exhausted:task.z", unknown_name("task.z")),
        ("exhausted:task.x:one", malformed("one")),
        ("blocked:task.x:-1", malformed("-1")),
        ("last:task.x", unknown_name("task.x")),
        ("random:", malformed("")),
        ("random:1.5", malformed("1.5")),
        ("explicit:task.x", malformed("task.x")),
        ("explicit:task.x=1", malformed("1")),
        ("explicit:task.x=1ms,soon", malformed("soon")),
        ("explicit:vcpu.z=1ms", unknown_name("vcpu.z")),
        ("explicit:execution=short", malformed("execution=short")),
        ("explicit:blocking=task.x", malformed("task.x")),
    ] {
        assert_eq!(Pattern::parse(text, &system).unwrap_err(), error, "{text}");
    }
}
