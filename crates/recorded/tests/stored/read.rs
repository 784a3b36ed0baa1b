//! What is stored is what was printed.

use crate::writer::{events, file};
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};
use std::{env, fs};
use vorrang_recorded::Text;

/// Where the test's kernel has the function that wakes a thread from its timer.
pub(crate) const WAKES: u64 = 0xffff_ffff_8118_c5f0;
pub(crate) const SYMBOLS: &str = "ffffffff81000000 T _stext\nffffffff8118c5f0 t hrtimer_wakeup\nffffffff8118c600 T hrtimer_try\n";

pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../observe/tests/data").join(name)
}

/// The text that is made of a file.
pub(crate) fn made(bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Text::new(Cursor::new(bytes))?.read_to_end(&mut text)?;
    Ok(text)
}

pub(crate) fn text(bytes: Vec<u8>) -> std::io::Result<String> {
    Ok(String::from_utf8(made(bytes)?).expect("a text"))
}

/// Processor, time and event of each line that has a format here, in the order of time; times of a microsecond have nine
/// digits, too.
fn told(text: &str) -> Vec<String> {
    let known = |line: &&str| events(line).len() == 1;
    let told = |line: &str| {
        let (cpu, rest) =
            line.split_once(" [").expect("a processor").1.split_once("] ").expect("flags");
        let (time, event) =
            rest.split_once(' ').expect("a time").1.trim().split_once(": ").expect("an event");
        let (seconds, fraction) = time.split_once('.').expect("a fraction");
        format!("{seconds}.{fraction:0<9} {cpu} {event}")
    };
    text.lines().filter(known).map(told).collect()
}

/// Events of two processors, some of them far apart, names that are no names, and lent priorities.
pub(crate) const HARD: &str = "\
          <idle>-0       [001] d..2.     7.000000001: sched_waking: comm=a [0]: x pid=67 prio=-1 target_cpu=001
          <idle>-0       [000] d..2.     7.000000002: irq_handler_entry: irq=24 name=eth0 rx
          <idle>-0       [000] d..2.     7.000000003: irq_handler_exit: irq=24 ret=1
          <idle>-0       [001] d..2.     7.500000004: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a [0]: x next_pid=67 next_prio=-1
             a-67        [001] d..2.     7.500000005: sched_pi_setprio: comm=low pid=69 oldprio=120 newprio=9
             a-67        [001] d..2.    90.000000006: sched_switch: prev_comm=a [0]: x prev_pid=67 prev_prio=-1 prev_state=D ==> next_comm=swapper/1 next_pid=0 next_prio=120
";

#[test]
fn a_file_says_what_the_text_of_the_same_events_says() {
    for name in ["7.2-rt.trace", "6.12-rt.trace"] {
        let printed = fs::read_to_string(data(name)).expect("a trace");
        let stored = text(file(&events(&printed), SYMBOLS, "mono")).expect("a file");
        equal(&stored, &printed, name);
    }
    let stored = text(file(&events(HARD), SYMBOLS, "local global [boot]")).expect("a file");
    equal(&stored, HARD, "hard");
}

/// Line by line, so that a difference is short.
#[track_caller]
pub(crate) fn equal(stored: &str, printed: &str, name: &str) {
    let (stored, printed) = (told(stored), told(printed));
    assert!(!printed.is_empty(), "{name}");
    for (stored, printed) in stored.iter().zip(&printed) {
        assert_eq!(stored, printed, "{name}");
    }
    assert_eq!(stored.len(), printed.len(), "{name}");
}

/// What a thread asked for is known by the address of a function.
#[test]
fn a_timer_that_wakes_is_known_by_its_address() {
    let asks = "    a-7   [000] d..2.   1.000000001: hrtimer_start: hrtimer=1 function=hrtimer_wakeup expires=5 softexpires=4\n";
    let stored = text(file(&events(asks), SYMBOLS, "mono")).expect("a file");
    assert!(stored.ends_with("hrtimer_start: function=hrtimer_wakeup softexpires=4\n"), "{stored}");
    let hidden = text(file(&events(asks), "", "mono")).expect("a file");
    assert!(hidden.contains("function=0xffffffff8118c5f0 "), "{hidden}");
}

/// `trace-cmd convert` 3.1.6 made the others of the first, which is of this writer.
#[test]
fn what_trace_cmd_wrote_is_read() {
    let printed = fs::read_to_string(data("7.2-rt.trace")).expect("a trace");
    let own = file(&events(&printed), SYMBOLS, "mono");
    if env::var_os("VORRANG_WRITE_DOCS").is_some() {
        fs::write(data("7.2-rt.v6.dat"), &own).expect("it can be written");
    }
    assert!(
        fs::read(data("7.2-rt.v6.dat")).expect("a file") == own,
        "write it anew, and convert it"
    );
    for name in ["7.2-rt.v6.dat", "7.2-rt.v7.dat", "7.2-rt.v7-zstd.dat"] {
        let stored = text(fs::read(data(name)).expect(name)).expect(name);
        equal(&stored, &printed, name);
    }
}
