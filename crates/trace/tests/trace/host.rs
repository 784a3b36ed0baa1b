//! What a machine did, told by hand, and what the trace says of it.

use crate::reading::Reading;
use vorrang_time::Instant;
use vorrang_trace::{HostThread, HostTrace, Label, NewRow};

fn ns(ns: u64) -> Instant {
    Instant::from_ns(5_000_000_000 + ns)
}

fn read() -> Reading {
    let thread = |number, name: &str, priority| HostThread { number, name: name.into(), priority };
    let threads = [thread(0, "idle", 120), thread(7, "worker", 89), thread(4711, "vcpu", -1)];
    let row = |name: &str, under| NewRow { name: name.into(), under };
    let rows = [row("core.0", None), row("vcpu.a", Some(0)), row("task.worker", Some(0))];
    let mut trace = HostTrace::new(Vec::new(), &threads, &rows);
    trace.switch(1, true, 4711, ns(10));
    trace.waking(1, 7, ns(12));
    trace.switch(1, true, 7, ns(20));
    trace.switch(1, false, 0, ns(30));
    // An unknown thread: nothing is written of it.
    trace.switch(1, true, 99, ns(35));
    trace.begin(1, Label::Row, ns(10));
    trace.begin(1, Label::Guest, ns(11));
    trace.end(1, ns(18));
    trace.end(1, ns(20));
    trace.begin(2, Label::Job, ns(12));
    trace.begin(2, Label::Row, ns(20));
    trace.end(2, ns(30));
    trace.end(2, ns(30));
    trace.mark(2, Label::AboveBound, ns(30));
    trace.mark(3, Label::AboveBound, ns(30));
    trace.begin(0, Label::Of(2), ns(40));
    trace.end(0, ns(41));
    Reading::of(&trace.finish().expect("memory takes everything"))
}

#[test]
fn who_had_a_cpu_is_there_by_its_number() {
    let read = read();
    assert_eq!(read.threads[&4711], ("vcpu".to_owned(), "vcpu".to_owned()));
    // The reader knows threads by their numbers, and compares their names.
    let to = |at: u64, state: u64, name: &str| (1, ns(at).as_ns(), state, name.to_owned());
    assert_eq!(read.switches, [to(10, 0, "vcpu"), to(20, 0, "worker"), to(30, 1, "idle")]);
    assert_eq!(read.wakings, [(1, ns(12).as_ns(), "worker".to_owned())]);
}

#[test]
fn rows_have_their_slices_under_their_core() {
    let read = read();
    assert_eq!(read.tracks, ["core.0", "core.0/vcpu.a", "core.0/task.worker"]);
    let slices = |path: &str| -> Vec<(String, u64, u64)> {
        let own = read.slices.iter().filter(|slice| slice.0 == path);
        let begin = ns(0).as_ns();
        own.map(|(_, name, from, to)| (name.clone(), from - begin, to - begin)).collect()
    };
    let slice = |name: &str, from, to| (name.to_owned(), from, to);
    let guest = [slice("in the guest", 11, 18), slice("vcpu.a", 10, 20)];
    assert_eq!(slices("core.0/vcpu.a"), guest);
    let job = [slice("task.worker", 20, 30), slice("job", 12, 30)];
    assert_eq!(slices("core.0/task.worker"), job);
    assert_eq!(slices("core.0"), [slice("task.worker", 40, 41)], "called as another row");
    let marks: Vec<(&str, &str)> =
        read.marks.iter().map(|(path, name, ..)| (path.as_str(), name.as_str())).collect();
    assert_eq!(marks, [("core.0/task.worker", "above the bound")]);
}
