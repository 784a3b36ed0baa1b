//! What two looks say of a thread.

use super::*;
use std::time::Duration;

const MS: u64 = 1_000_000;

fn looked(policy: Policy, ran: u64, waited: u64) -> Finding {
    let thread = Thread { thread: 7, process: 7, start: 1, name: "engine".to_owned() };
    let begin = Instant::now();
    let sample = |ran, waited, at: u64| Sample {
        label: Some("server.engine".to_owned()),
        thread: thread.clone(),
        policy,
        holds: true,
        cpus: vec![1],
        times: Some(Times { ran, waited }),
        at: (begin + Duration::from_nanos(at), begin + Duration::from_nanos(at + MS)),
    };
    let first = sample(5 * MS, 9 * MS, 0);
    let second = sample(5 * MS + ran, 9 * MS + waited, 1000 * MS);
    rows(&[first], &[second])[0].finding
}

#[test]
fn less_than_the_budget_is_told_from_asking_for_less() {
    let reserved = Policy {
        policy: Policy::DEADLINE,
        runtime: 2 * MS,
        deadline: 10 * MS,
        period: 10 * MS,
        ..Policy::default()
    };
    assert_eq!(looked(reserved, 199 * MS, 795 * MS), Finding::Budget);
    assert_eq!(looked(reserved, 196 * MS, 800 * MS), Finding::Budget);
    assert_eq!(looked(reserved, 150 * MS, 845 * MS), Finding::TooLittle);
    assert_eq!(looked(reserved, 150 * MS, 100 * MS), Finding::AskedForLess);
    assert_eq!(looked(reserved, 205 * MS, 790 * MS), Finding::Budget);
    assert_eq!(looked(reserved, 207 * MS, 790 * MS), Finding::TooMuch);
    let reclaims = Policy { flags: 2, ..reserved };
    assert_eq!(looked(reclaims, 900 * MS, 90 * MS), Finding::Budget);
    let fifo = Policy::fifo(10);
    assert_eq!(looked(fifo, 10 * MS, 900 * MS), Finding::Nothing);
}

#[test]
fn a_look_that_took_long_does_not_accuse_a_thread() {
    let begin = Instant::now();
    let at = |ms: u64| begin + Duration::from_nanos(ms * MS);
    // Asked for at 0 and at 1000 ms; the kernel answers at once, or after 30 ms.
    assert_eq!(between((at(0), at(1)), (at(1000), at(1030))), (999 * MS, 1030 * MS));
    let policy = Policy {
        policy: Policy::DEADLINE,
        runtime: MS,
        deadline: 10 * MS,
        period: 10 * MS,
        ..Policy::default()
    };
    let thread = Thread { thread: 7, process: 7, start: 1, name: "engine".to_owned() };
    let now = |end| Sample {
        label: Some("server.engine".to_owned()),
        thread: thread.clone(),
        policy,
        holds: true,
        cpus: vec![1],
        times: None,
        at: (at(1000), at(end)),
    };
    let received = Some(Times { ran: 104 * MS, waited: 900 * MS });
    let found = |end| {
        let now = now(end);
        finding(&now, received, between((at(0), at(1)), now.at))
    };
    assert_eq!(found(1000), Finding::TooMuch);
    assert_eq!(found(1030), Finding::Budget);
}
