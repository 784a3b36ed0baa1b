//! The course of a case that is drawn, worked out by hand by the rules.

use super::case::Case;
use super::course::{Completion, Course, Ended, Stretch};
use super::job::{Job, MS};
use std::collections::BTreeMap;

impl Case {
    /// The course that is drawn.
    pub fn course(&self) -> Course {
        let names = self.names();
        let rows: BTreeMap<&str, &str> =
            self.drawn.lines().filter_map(|row| row.trim().split_once(' ')).collect();
        let mut course = Course::default();
        for (task, name) in names.iter().enumerate() {
            let row = rows.get(name.as_str());
            let row = row.unwrap_or_else(|| panic!("{}: {name} is not drawn", self.name));
            let row = letters(row.trim());
            course.stretches.extend(stretches(task, &row));
            course.completions.extend(completions(task, &row, self.jobs(name)));
        }
        course.in_order();
        course
    }
}

impl Course {
    /// Stretches and completions in the order of time, ties in that of the tasks.
    pub(super) fn in_order(&mut self) {
        self.stretches.sort_by_key(|one| (one.begin, one.task));
        self.completions.sort_by_key(|one| (one.at, one.task, one.job));
    }
}

/// A row with a letter for every millisecond.
fn letters(row: &str) -> String {
    let (mut all, mut times) = (String::new(), 0);
    for letter in row.chars() {
        if let Some(digit) = letter.to_digit(10) {
            times = times * 10 + digit as usize;
        } else {
            all.extend(std::iter::repeat_n(letter, times.max(1)));
            times = 0;
        }
    }
    all
}

/// The stretches of a row.
fn stretches(task: usize, row: &str) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut before = '.';
    for (at, letter) in (0_u64..).zip(row.chars().chain(['.'])) {
        let at = at * MS;
        if letter == '#' && before != '#' {
            stretches.push(Stretch { task, begin: at, end: at, ended: Ended::Done });
        } else if letter != '#' && before == '#' {
            let last = stretches.last_mut().expect("one began");
            last.end = at;
            last.ended = match letter {
                '-' => Ended::Preempted,
                'x' => Ended::Throttled,
                _ => Ended::Done,
            };
        }
        before = letter;
    }
    stretches
}

/// The ends of the jobs: each has its work from the letters `#`, one after the other.
fn completions(task: usize, row: &str, jobs: &[Job]) -> Vec<Completion> {
    let ran: Vec<u64> =
        (1_u64..).zip(row.chars()).filter(|(_, letter)| *letter == '#').map(|(at, _)| at).collect();
    let mut done = 0;
    let complete = |(number, job): (usize, &Job)| {
        done += usize::try_from(job.work).expect("milliseconds of a script");
        let at = ran.get(done - 1)?;
        Some(Completion { task, job: number, arrival: job.at * MS, at: at * MS })
    };
    jobs.iter().enumerate().filter_map(complete).collect()
}

#[cfg(test)]
mod tests {
    use super::super::case::tests::case;
    use super::*;

    #[test]
    fn a_drawing_is_a_course() {
        let course = case().course();
        let seen: Vec<_> = course
            .stretches
            .iter()
            .map(|one| (one.task, one.begin / MS, one.end / MS, one.ended))
            .collect();
        assert_eq!(
            seen,
            [
                (0, 0, 2, Ended::Throttled),
                (1, 2, 4, Ended::Done),
                (0, 5, 6, Ended::Done),
                (0, 7, 8, Ended::Done),
                (2, 9, 10, Ended::Preempted),
                (2, 11, 14, Ended::Done)
            ]
        );
        let done: Vec<_> = course
            .completions
            .iter()
            .map(|one| (one.task, one.job, one.arrival / MS, one.response() / MS))
            .collect();
        assert_eq!(done, [(1, 0, 1, 3), (0, 0, 0, 6), (0, 1, 7, 1), (2, 0, 9, 5)]);
    }
}
