//! Two courses, event by event.
//!
//! **Model.** Events are beginnings and ends of stretches, with the reason of each end, and
//! completions. Two courses agree if they have the same events in the same order and no instant
//! differs by more than a tolerance.
//!
//! **Does not cover** other facts: that a core is idle follows from the stretches.

use super::course::{Completion, Course, Stretch};

/// The result of a comparison of two courses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Events that were compared.
    pub events: usize,
    /// The largest difference of two instants.
    pub largest: u64,
    /// Differences beyond the tolerance, as sentences; none: they agree.
    pub differences: Vec<String>,
}

/// Compares an observed course with the expected one; `names` are those of the tasks.
pub fn compare(expected: &Course, seen: &Course, names: &[String], tolerance: u64) -> Comparison {
    let mut comparison = Comparison::default();
    comparison.stretches(&expected.stretches, &seen.stretches, names, tolerance);
    comparison.completions(&expected.completions, &seen.completions, names, tolerance);
    comparison
}

impl Comparison {
    fn stretches(
        &mut self,
        expected: &[Stretch],
        seen: &[Stretch],
        names: &[String],
        tolerance: u64,
    ) {
        for (expected, seen) in expected.iter().zip(seen) {
            let same = expected.task == seen.task && expected.ended == seen.ended;
            let instants = [(expected.begin, seen.begin), (expected.end, seen.end)];
            if !self.agree(same, &instants, tolerance) {
                let said = |one: &Stretch| said_stretch(one, names);
                self.differences.push(format!("{}, not {}", said(seen), said(expected)));
                // Later differences follow from this one.
                return;
            }
        }
        self.count("stretches", expected.len(), seen.len(), || {
            let place = expected.len().min(seen.len());
            let extra = expected.get(place).or(seen.get(place));
            extra.map_or_else(String::new, |one| said_stretch(one, names))
        });
    }

    fn completions(
        &mut self,
        expected: &[Completion],
        seen: &[Completion],
        names: &[String],
        tolerance: u64,
    ) {
        let said = |one: &Completion| {
            let Completion { task, job, at, .. } = *one;
            format!("job {job} of {} complete at {}", names[task], time(at))
        };
        for (expected, seen) in expected.iter().zip(seen) {
            let same = (expected.task, expected.job) == (seen.task, seen.job);
            let instants = [(expected.arrival, seen.arrival), (expected.at, seen.at)];
            if !self.agree(same, &instants, tolerance) {
                self.differences.push(format!("{}, not {}", said(seen), said(expected)));
                return;
            }
        }
        self.count("completions", expected.len(), seen.len(), || {
            let place = expected.len().min(seen.len());
            expected.get(place).or(seen.get(place)).map_or_else(String::new, said)
        });
    }

    /// Notes two events; whether they agree.
    fn agree(&mut self, same: bool, instants: &[(u64, u64)], tolerance: u64) -> bool {
        let furthest = instants.iter().map(|(one, other)| one.abs_diff(*other)).max();
        let furthest = furthest.unwrap_or_default();
        if !same || furthest > tolerance {
            return false;
        }
        self.events += instants.len();
        self.largest = self.largest.max(furthest);
        true
    }

    fn count(&mut self, what: &str, expected: usize, seen: usize, first: impl Fn() -> String) {
        if expected != seen {
            let first = first();
            self.differences.push(format!("{seen} {what}, not {expected}; the first one: {first}"));
        }
    }
}

fn said_stretch(one: &Stretch, names: &[String]) -> String {
    let Stretch { task, begin, end, ended } = *one;
    format!("{} from {} to {} ({})", names[task], time(begin), time(end), ended.word())
}

/// Milliseconds and microseconds.
pub(super) fn time(instant: u64) -> String {
    format!("{}.{:03} ms", instant / 1_000_000, instant / 1_000 % 1_000)
}

#[cfg(test)]
mod tests {
    use super::super::course::Ended;
    use super::*;

    const TOLERANCE: u64 = 10;

    fn course() -> Course {
        let stretch = |task, begin, end, ended| Stretch { task, begin, end, ended };
        Course {
            stretches: vec![
                stretch(0, 0, 200, Ended::Throttled),
                stretch(1, 200, 1000, Ended::Preempted),
                stretch(0, 1000, 1100, Ended::Done),
                stretch(1, 1100, 1300, Ended::Done),
            ],
            completions: vec![
                Completion { task: 0, job: 0, arrival: 0, at: 1100 },
                Completion { task: 1, job: 0, arrival: 0, at: 1300 },
            ],
        }
    }

    fn against(seen: &Course) -> Comparison {
        compare(&course(), seen, &["a".to_owned(), "b".to_owned()], TOLERANCE)
    }

    #[test]
    fn a_course_agrees_with_itself_and_with_one_that_is_a_little_later() {
        let same = Comparison { events: 12, largest: 0, differences: Vec::new() };
        assert_eq!(against(&course()), same);
        let mut late = course();
        for stretch in &mut late.stretches {
            stretch.begin += 4;
            stretch.end += 9;
        }
        late.completions[1].at += TOLERANCE;
        assert_eq!(against(&late), Comparison { largest: TOLERANCE, ..same });
    }

    /// Every single change of a course is noticed.
    #[test]
    fn whatever_is_wrong_is_noticed() {
        type Change = fn(&mut Course);
        let wrong: &[(&str, Change)] = &[
            ("too late", |course| course.stretches[2].begin += TOLERANCE + 1),
            ("too early", |course| course.stretches[1].end -= TOLERANCE + 1),
            ("another thread", |course| course.stretches[3].task = 0),
            ("not throttled", |course| course.stretches[0].ended = Ended::Preempted),
            ("throttled", |course| course.stretches[2].ended = Ended::Throttled),
            ("in another order", |course| course.stretches.swap(1, 2)),
            ("too little", |course| course.stretches.truncate(3)),
            ("too much", |course| course.stretches.push(course.stretches[3])),
            ("nothing at all", |course| course.stretches.clear()),
            ("a job takes longer", |course| course.completions[0].at += TOLERANCE + 1),
            ("a job arrives later", |course| course.completions[0].arrival += TOLERANCE + 1),
            ("another job", |course| course.completions[1].job = 1),
            ("a job is missing", |course| course.completions.truncate(1)),
        ];
        for (what, change) in wrong {
            let mut seen = course();
            change(&mut seen);
            let differences = against(&seen).differences;
            assert!(!differences.is_empty(), "{what}");
        }
    }

    #[test]
    fn a_difference_is_a_sentence() {
        let mut seen = course();
        seen.stretches[0].end = 2_345_000;
        assert_eq!(
            against(&seen).differences,
            [
                "a from 0.000 ms to 2.345 ms (throttled), not a from 0.000 ms to 0.000 ms (throttled)"
            ]
        );
    }
}
