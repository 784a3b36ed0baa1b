//! This machine, where it may be recorded.

use std::io;
use std::thread;
use std::time::Duration;
use vorrang_bpf::{Recorder, Unable};

/// What runs and wakes is told in the order of time, and what is off tells nothing; where the kernel or its rights do not let
/// programs be, the reason is said.
#[test]
fn switches_are_told_in_the_order_of_time() {
    let made = Recorder::of(&["sched/sched_switch"], &["sched/sched_waking", "irq_vectors"], None);
    let mut recorder = match made {
        Ok(recorder) => recorder,
        Err(Unable(why)) => return assert!(!why.is_empty(), "it says why"),
    };
    let formats = recorder.formats();
    assert!(formats[0].starts_with("name: sched_switch\nID: 0\n"), "{formats:?}");
    let told = |recorder: &mut Recorder, is_end: bool| {
        let mut told = Vec::new();
        let read = recorder.records(is_end, |cpu, at, bytes| {
            told.push((at, cpu, bytes.to_vec()));
            Ok(())
        });
        read.expect("nothing is lost");
        told
    };
    thread::sleep(Duration::from_millis(5));
    assert!(told(&mut recorder, false).is_empty(), "it is not on");
    recorder.begin().expect("programs are put there");
    let mut all = Vec::new();
    for _ in 0..20 {
        thread::sleep(Duration::from_millis(2));
        all.extend(told(&mut recorder, false));
    }
    recorder.end();
    all.extend(told(&mut recorder, true));
    assert!(all.is_sorted_by_key(|(at, ..)| *at));
    let switches = all.iter().filter(|(.., bytes)| bytes[..2] == [0, 0]);
    assert!(switches.count() >= 20, "this thread slept and woke: {} events", all.len());
    thread::sleep(Duration::from_millis(5));
    assert!(told(&mut recorder, true).is_empty(), "it is off");
    let refused = recorder.records(true, |_, _, _| Err(io::Error::other("not taken")));
    assert!(refused.is_ok(), "there is nothing to take");
}

#[test]
fn what_has_no_program_is_said() {
    assert!(Recorder::has("irq_vectors") && !Recorder::has("kvm/kvm_entry"));
    assert!(Recorder::of(&["sched/nothing"], &[], None).is_err());
}
