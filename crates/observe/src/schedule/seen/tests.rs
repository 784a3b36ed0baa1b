//! Lines that are read in one pass say what the reader of all forms says of them.

use super::{Fact, Seen, Service, quick, slow};
use std::fs;
use std::path::Path;

#[test]
fn both_readers_say_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let (mut lines, mut fast) = (0, 0);
    for name in ["6.12-rt.trace", "7.2-rt.trace", "6.12-rt.perf", "6.12-rt.trace-cmd"] {
        let text = fs::read(folder.join(name)).expect("a trace");
        for line in text.split(|byte| *byte == b'\n') {
            lines += 1;
            if let Some(happened) = quick::of(line) {
                fast += 1;
                let shown = String::from_utf8_lossy(line);
                assert_eq!(Ok(Seen::Event(happened)), slow::of(line), "{shown}");
            }
        }
    }
    assert!(fast * 2 > lines, "{fast} of {lines} lines are read in one pass");
}

fn fact(event: &str) -> Fact<'_> {
    match Seen::of(event.as_bytes()).expect("an event") {
        Seen::Event(happened) => happened.fact,
        Seen::Nothing => panic!("nothing: {event}"),
    }
}

#[test]
fn names_hold_anything() {
    let line = "     a pid=1 [0]-7       [003] d..2.     1.000002: sched_waking: comm=a pid=x b pid=9 prio=-1 target_cpu=003";
    // The first key behind a name is taken, by both readers.
    assert_eq!(quick::of(line.as_bytes()), None);
    let line = "            a [0]-7       [003] d..2.     1.000002: sched_waking: comm=a [7] b pid=9 prio=-1 target_cpu=003";
    let Fact::Waking(named, Some(3)) = fact(line) else { panic!("{line}") };
    assert_eq!((named.number, named.name, named.priority), (9, &b"a [7] b"[..], -1));
}

#[test]
fn calls_and_alarms_are_known() {
    let cases = [
        ("sys_clock_nanosleep(which_clock: 1, flags: 1)", Fact::Calls(b"clock_nanosleep")),
        ("sys_clock_nanosleep -> 0x0", Fact::Returns),
        ("syscalls:sys_enter_futex: uaddr: 0x1", Fact::Calls(b"futex")),
        ("syscalls:sys_exit_futex: 0x0", Fact::Returns),
        (
            "hrtimer_start: hrtimer=0000b8a function=hrtimer_wakeup expires=5000000 softexpires=5000000 mode=ABS",
            Fact::Alarm(5_000_000),
        ),
        (
            "hrtimer_start: hrtimer=0000b8a function=tick_sched_timer expires=5 softexpires=5 mode=ABS",
            Fact::Other,
        ),
        ("local_timer_entry: vector=236", Fact::Enters(Service::Vector(b"local_timer"), b"")),
    ];
    for (event, expected) in cases {
        let line = format!("             a-7       [000] .....     1.000001: {event}");
        assert_eq!(fact(&line), expected, "{event}");
    }
    assert!(Seen::of(b"CPU:0 [LOST 12 EVENTS]").is_err());
    assert!(Seen::of(b"nonsense").is_err());
    assert!(Seen::of(&[0xff, b'a']).is_err());
}
