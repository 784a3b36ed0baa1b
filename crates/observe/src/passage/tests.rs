//! Small lists of jobs, beside a search through every reading and every output.

use super::*;
use proptest::prelude::*;

fn job(read: u64, write: u64) -> Passage {
    Passage { read, write: Some(write), woken_by: None }
}

fn times(values: &[Value]) -> Vec<u64> {
    values.iter().map(Value::time).collect()
}

/// The writer runs at 0, 10, 20, 30 for two, the reader so much later for one.
fn after(offset: u64) -> Passages {
    let writer = (0..4).map(|place| job(10 * place, 10 * place + 2)).collect();
    let reader = (0..4).map(|place| 10 * place + offset).map(|at| job(at, at + 1)).collect();
    Passages::new(vec![writer, reader], 0)
}

#[test]
fn a_reading_at_the_instant_of_a_write_sees_it() {
    // An event just after the reading at 0 is read at 10 and out at 13.
    assert_eq!(times(&after(2).reactions()), [13, 13, 13]);
    assert_eq!(times(&after(2).ages()), [13, 13, 13]);
    // One earlier, what is read at 10 waits for the reader at 21.
    assert_eq!(times(&after(1).reactions()), [22, 22]);
    assert_eq!(times(&after(1).ages()), [22, 22]);
    assert_eq!(after(1).reactions()[0].way, [1, 2]);
    assert_eq!(after(1).ages()[0].way, [0, 1]);
}

#[test]
fn what_the_clock_cannot_tell_is_the_shorter() {
    let writer = vec![job(0, 2), job(10, 12), job(20, 22)];
    let reader = vec![job(1, 3), job(11, 13), job(21, 23)];
    let of = |resolution| {
        let passages = Passages::new(vec![writer.clone(), reader.clone()], resolution);
        times(&passages.reactions())
    };
    assert_eq!(of(0), [23]);
    assert_eq!(of(1), [13, 13]);
}

/// A job may wake the next one and go on: that has its value.
#[test]
fn a_woken_job_belongs_to_its_waker() {
    let waker = vec![job(0, 5), job(10, 15), job(20, 25)];
    let mut woken = vec![job(2, 4), job(12, 14), job(22, 24)];
    assert_eq!(times(&Passages::new(vec![waker.clone(), woken.clone()], 0).reactions()), [24]);
    for (place, job) in woken.iter_mut().enumerate() {
        job.woken_by = Some(place);
    }
    let passages = Passages::new(vec![waker, woken], 0);
    assert_eq!(times(&passages.reactions()), [14, 14]);
    assert_eq!(times(&passages.ages()), [14, 14]);
}

#[test]
fn only_what_is_complete_counts() {
    let open = Passage { read: 11, write: None, woken_by: None };
    let passages =
        Passages::new(vec![vec![job(0, 1), job(10, 11), job(20, 21)], vec![job(1, 2), open]], 0);
    assert_eq!((passages.reactions(), passages.ages()), (vec![], vec![]));
    let nothing = Passages::new(vec![vec![], vec![job(1, 2)]], 0);
    assert_eq!((nothing.reactions(), nothing.ages()), (vec![], vec![]));
    // One task alone: until its own next output.
    let alone = Passages::new(vec![vec![job(0, 3), job(10, 12), job(20, 26)]], 0);
    assert_eq!((times(&alone.reactions()), times(&alone.ages())), (vec![12, 16], vec![12, 16]));
}

/// The newest value of the first task in what a job reads: by going through all jobs before it.
fn newest(jobs: &[Vec<Passage>], task: usize, read: u64) -> Option<u64> {
    let Some(before) = task.checked_sub(1) else { return Some(read) };
    let written = jobs[before].iter().rfind(|job| job.write.is_some_and(|at| at <= read))?;
    newest(jobs, before, written.read)
}

/// Jobs of a task: so long apart, and so long each.
fn task() -> impl Strategy<Value = Vec<Passage>> {
    prop::collection::vec((0_u64..12, 0_u64..8), 0..8).prop_map(|all| {
        let mut now = 0;
        let next = |(apart, length)| {
            let read = now + apart;
            now = read + length;
            job(read, now)
        };
        all.into_iter().map(next).collect()
    })
}

proptest! {
    #[test]
    fn all_values_are_those_of_a_search_through_all_jobs(
        jobs in prop::collection::vec(task(), 1..4)
    ) {
        let passages = Passages::new(jobs.clone(), 0);
        let last = jobs.len() - 1;
        // The first output that rests on a later reading than that before the event.
        let mut reactions = Vec::new();
        for (place, job) in jobs[0].iter().enumerate() {
            let Some(next) = jobs[0].get(place + 1) else { break };
            let shows = |out: &&Passage| {
                newest(&jobs, last, out.read).is_some_and(|from| from >= next.read)
            };
            reactions.extend(jobs[last].iter().find(shows).map(|out| (job.read, out.write)));
        }
        let found = passages.reactions().into_iter().map(|of| (of.window.0, Some(of.window.1)));
        // Readings of one instant cannot be told apart by their instants.
        let apart = |jobs: &[Passage]| jobs.windows(2).all(|pair| pair[0].read < pair[1].read);
        prop_assume!(apart(&jobs[0]));
        prop_assert_eq!(found.collect::<Vec<_>>(), reactions);
        let mut ages = Vec::new();
        for pair in jobs[last].windows(2) {
            ages.extend(newest(&jobs, last, pair[0].read).map(|from| (from, pair[1].write)));
        }
        let found = passages.ages().into_iter().map(|of| (of.window.0, Some(of.window.1)));
        prop_assert_eq!(found.collect::<Vec<_>>(), ages);
    }
}
