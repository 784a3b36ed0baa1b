//! What the kernel printed of its scheduler: `/proc/sched_debug`, `/sys/kernel/debug/sched/debug`.
//!
//! **Model.** Each processor has a table of its threads, whether they are ready or not. The name stands in the fifteen
//! columns that end where `task` of the first line does, since it may have blanks; the number follows. Then come times with
//! points and letters, and `switches` and `prio` are the first two words that are whole numbers. A priority of -1 is that of
//! `SCHED_DEADLINE`; 0 to 98 are those of `SCHED_FIFO` and `SCHED_RR` from 99 downwards. The last word is the group.
//!
//! **Source.** `print_task` in kernel/sched/debug.c of Linux, 3.10 to 6.18.

use crate::found::Policy;

/// A thread of a table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) thread: i32,
    pub(super) name: &'a str,
    pub(super) policy: Option<Policy>,
    pub(super) ran_on: Option<u32>,
    pub(super) group: Option<&'a str>,
}

/// Bytes of a name.
const NAME: usize = 15;

/// All threads of it.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let (mut all, mut cpu, mut end) = (Vec::new(), None, None);
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("cpu#") {
            cpu = rest.split([',', ' ']).next().and_then(|number| number.parse().ok());
            end = None;
        } else if line.contains(" task ") && line.contains(" PID ") {
            end = line.find(" task ").map(|at| at + " task".len());
        } else if line.trim().is_empty() {
            end = None;
        } else if let Some(line) = end.and_then(|end| row(line, end, cpu)) {
            all.push(line);
        }
    }
    all
}

fn row(line: &str, end: usize, cpu: Option<u32>) -> Option<Line<'_>> {
    let name = line.get(end.checked_sub(NAME)?..end)?.trim();
    let mut words = line.get(end..)?.split_whitespace();
    let thread = words.next()?.parse().ok()?;
    let words: Vec<&str> = words.collect();
    let whole = |word: &&str| word.parse::<i64>().ok();
    let mut pairs = words.windows(2).filter_map(|pair| whole(&pair[0]).zip(whole(&pair[1])));
    let policy = match pairs.next()?.1 {
        -1 => Some(Policy::Deadline),
        priority @ 0..=98 => u32::try_from(99 - priority).ok().map(Policy::RealTime),
        100..=139 => Some(Policy::Other),
        _ => None,
    };
    let group = words.last().copied().filter(|word| word.starts_with('/'));
    Some(Line { thread, name, policy, ran_on: cpu, group })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel's own text, of 6.18 and of 3.10.
    #[test]
    fn tables_of_old_and_new_kernels_are_read() {
        let new = "cpu#1, 2445.404 MHz\n  .nr_running                    : 3\n\nrunnable tasks:\n \
S            task   PID       vruntime   eligible    deadline             slice          sum-exec      switches  prio         wait-time        sum-sleep       sum-block  node   group-id  group-path\n\
-------------------------------------------------------------------------------------------------------------\n \
S       CPU 0/KVM 20824  19450444.982514   E           1.400000           1.400000         2.260890         2      92         0.000000         0.000000         0.000000   0      0        /machine.slice/a\n\
>R          sleep 20827  19450925.858047   E    19451079.012949 S         1.400000         1.769018         2     120         0.000000         0.000000         0.000000   0      0        /\n \
S           sleep 20826  19450445.077518   E           1.400000           1.400000         1.607585         2      -1         0.000000         0.000000         0.000000   0      0        /\n\n\
 S       CPU 1/KVM 5 0.0 1 1\n";
        let all = lines(new);
        let policies: Vec<_> = all.iter().map(|line| (line.thread, line.policy)).collect();
        let wanted = [
            (20824, Some(Policy::RealTime(7))),
            (20827, Some(Policy::Other)),
            (20826, Some(Policy::Deadline)),
        ];
        assert_eq!(policies, wanted);
        assert_eq!((all[0].name, all[0].ran_on), ("CPU 0/KVM", Some(1)));
        assert_eq!(all[0].group, Some("/machine.slice/a"));
        let old = "cpu#0, 2394.454 MHz\nrunnable tasks:\n            task   PID         tree-key  switches  prio     exec-runtime         sum-exec        sum-sleep\n\
----------------------------------------------------------------------------------------------------------\n     \
migration/0     7         0.000000      3242     0         0.000000        11.240130         0.000000 0 /\n";
        let line = Line {
            thread: 7,
            name: "migration/0",
            policy: Some(Policy::RealTime(99)),
            ran_on: Some(0),
            group: Some("/"),
        };
        assert_eq!(lines(old), [line]);
        assert_eq!(lines("cpu#0\n task   PID \nüüüüüüüüüüü\n x\n"), []);
    }
}
