//! What is said of a thread of this process, and what the kernel of this machine answers it.
//!
//! The first cause that stops a thread names the error of the kernel, whichever that is here: with a capability or
//! without, in a container or not.
#![cfg(target_os = "linux")]

use std::fs;
use vorrang_doctor::{Asked, State, Subject, examine};
use vorrang_enforce::{Kernel as _, Linux, Policy};
use vorrang_time::Duration;

fn policy(asked: Asked) -> Policy {
    match asked {
        Asked::Priority(priority) => Policy::fifo(priority),
        Asked::Deadline { runtime, deadline, period } => {
            let [runtime, deadline, period] = [runtime, deadline, period].map(Duration::as_ns);
            Policy::deadline(runtime, deadline, period)
        }
    }
}

/// The number of the calling thread.
fn own() -> i32 {
    let link = fs::read_link("/proc/thread-self").expect("procfs is mounted");
    link.file_name().and_then(|name| name.to_str()?.parse().ok()).expect("the number of a thread")
}

/// What is said to stop it, beside what the kernel answers; `None`: nothing.
fn both(text: &'static str, pinned: bool) -> (Option<String>, Option<i32>) {
    let asked = Asked::read(text).expect("a policy");
    let thread = std::thread::spawn(move || {
        let number = own();
        if pinned {
            let may = Linux.affinity(number).expect("it may look");
            Linux.set_affinity(number, &may[..1]).expect("it may stay where it may be");
        }
        let found = examine(&Linux, &Subject::thread(number, Some(asked)));
        assert!(found.len() > 5, "{found:?}");
        let said = found.into_iter().find(|finding| finding.state == State::Stops);
        let answer = vorrang_sched::set(0, policy(asked));
        // Not for longer than it is asked for.
        let _ = vorrang_sched::set(0, Policy::plain(Policy::OTHER));
        (said.map(|finding| finding.says), answer.err().and_then(|why| why.raw_os_error()))
    });
    thread.join().expect("it ends")
}

#[test]
fn the_first_cause_is_the_error_of_the_kernel() {
    const EPERM: i32 = 1;
    const EBUSY: i32 = 16;
    const EINVAL: i32 = 22;
    for (asked, pinned) in [
        ("fifo:1", false),
        ("fifo:99", false),
        ("deadline:1ms/100ms", false),
        ("deadline:1ms/100ms", true),
        ("deadline:1000ns/1ms", false),
        ("deadline:20us/50us", false),
        ("deadline:1s/5s", false),
        ("deadline:4ms/3ms/10ms", true),
    ] {
        let (said, answer) = both(asked, pinned);
        let word = match answer {
            None => "",
            Some(EPERM) => "EPERM: ",
            Some(EBUSY) => "EBUSY: ",
            Some(EINVAL) => "EINVAL: ",
            Some(other) => panic!("{asked}: error {other}"),
        };
        let is_one_processor = std::thread::available_parallelism().is_ok_and(|of| of.get() == 1);
        let said = said.unwrap_or_default();
        assert_eq!(
            said.is_empty(),
            word.is_empty(),
            "{asked}, pinned {pinned}: {said:?} {answer:?}"
        );
        assert!(said.starts_with(word), "{asked}, pinned {pinned}: {said:?} {answer:?}");
        if pinned && !is_one_processor {
            assert!(!said.is_empty(), "{asked}: a part of a root domain is not enough");
        }
    }
}
