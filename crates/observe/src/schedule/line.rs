//! One line of a trace: an event with its processor, its time and its values.
//!
//! ```text
//!     low-67      [000] d..2.     1.234567: sched_switch: prev_comm=low prev_pid=67 …     tracefs
//!     low-67      [000]           1.234567: sched_switch:         low:67 [120] R ==> …    trace-cmd report
//!     low    67   [000]           1.234567: sched:sched_switch: prev_comm=low …           perf script
//! ```
//!
//! Names of threads may hold anything, also `[`, `:` and spaces; so lines are read from the
//! fixed texts inside them, and the values of an event by its keys.

use super::Left;

/// An event.
pub(super) struct Line<'a> {
    pub(super) cpu: usize,
    pub(super) at: u64,
    /// The error of its time.
    pub(super) resolution: u64,
    pub(super) name: &'a str,
    pub(super) values: &'a str,
}

/// A thread that leaves a processor, and the one that gets it.
pub(super) struct Switch<'a> {
    pub(super) previous: (u32, &'a str),
    pub(super) left: Left,
    /// Whether it was still ready.
    pub(super) preempted: bool,
    pub(super) next: (u32, &'a str),
    /// Priority of the next, as the kernel counts: the less, the more urgent; −1 for a reservation.
    pub(super) priority: i32,
}

/// So many may stand before that of the processor: a name has 15 bytes. More would make reading a line
/// quadratic in its length.
const BRACKETS: usize = 16;

impl<'a> Line<'a> {
    /// The processor stands in brackets; flags, perhaps, and the time follow.
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let mut brackets = line.match_indices(" [").take(BRACKETS);
        brackets.find_map(|(at, _)| Self::at_bracket(&line[at + 2..]))
    }

    fn at_bracket(rest: &'a str) -> Option<Self> {
        let (cpu, rest) = rest.split_once("] ")?;
        let cpu = cpu.parse().ok()?;
        let rest = rest.trim_start();
        let (first, after) = rest.split_once(' ')?;
        let rest = if first.ends_with(':') { rest } else { after.trim_start() };
        let (time, rest) = rest.split_once(": ")?;
        let (at, resolution) = nanoseconds(time)?;
        let (name, values) = rest.trim_start().split_once(": ")?;
        // perf names the subsystem, too.
        let name = name.rsplit(':').next()?;
        Some(Self { cpu, at, resolution, name, values: values.trim_start() })
    }

    /// The value of a key, up to the next key.
    pub(super) fn value(&self, key: &str, next: &str) -> Option<&'a str> {
        let begin = self.values.find(key)? + key.len();
        let rest = &self.values[begin..];
        let end = if next.is_empty() { rest.len() } else { rest.find(next)? };
        Some(rest[..end].trim())
    }

    /// A number behind a key, up to a space or a comma.
    pub(super) fn number(&self, key: &str) -> Option<u32> {
        let begin = self.values.find(key)? + key.len();
        self.values[begin..].split([' ', ',']).next()?.parse().ok()
    }

    pub(super) fn switch(&self) -> Option<Switch<'a>> {
        let (previous, state, next, priority) = if self.values.starts_with("prev_comm=") {
            let previous = (
                self.value("prev_pid=", " prev_prio=")?.parse().ok()?,
                self.value("prev_comm=", " prev_pid=")?,
            );
            let state = self.value("prev_state=", " ==> ")?;
            let next = (
                self.value("next_pid=", " next_prio=")?.parse().ok()?,
                self.value("next_comm=", " next_pid=")?,
            );
            (previous, state, next, self.value("next_prio=", "")?)
        } else {
            let (from, to) = self.values.split_once(" ==> ")?;
            let (previous, state) = short(from)?;
            let (next, _) = short(to)?;
            (previous, state, next, to.rsplit_once('[')?.1.trim_end().strip_suffix(']')?)
        };
        let (left, preempted) = left(state);
        let priority = priority.trim().parse().ok()?;
        Some(Switch { previous, left, preempted, next, priority })
    }

    /// The thread that is woken, and the processor on which it will run, if that is said.
    pub(super) fn woken(&self) -> Option<((u32, &'a str), Option<usize>)> {
        if self.values.starts_with("comm=") {
            let who = (self.value(" pid=", " prio=")?.parse().ok()?, self.value("comm=", " pid=")?);
            return Some((who, self.value("target_cpu=", "").and_then(|cpu| cpu.parse().ok())));
        }
        let (who, rest) = short(self.values)?;
        let cpu = rest.rsplit_once("CPU:").and_then(|(_, cpu)| cpu.trim().parse().ok());
        Some((who, cpu))
    }
}

/// `name:67 [120] rest`, as trace-cmd writes a thread.
fn short(text: &str) -> Option<((u32, &str), &str)> {
    let (who, rest) = text.rsplit_once(" [")?;
    let (name, number) = who.rsplit_once(':')?;
    let (_priority, rest) = rest.split_once(']')?;
    Some(((number.parse().ok()?, name.trim()), rest.trim()))
}

/// What the letters of a state say, and whether the thread could have gone on: `+` marks one that
/// was interrupted on its way to sleep.
fn left(state: &str) -> (Left, bool) {
    if state.starts_with('R') || state.ends_with('+') {
        return (Left::Ready, true);
    }
    match state.chars().next() {
        Some('D' | 'T' | 't') => (Left::Held, false),
        _ => (Left::Asleep, false),
    }
}

/// `1.234567` seconds, up to nine digits behind the point; and the weight of the last digit.
fn nanoseconds(text: &str) -> Option<(u64, u64)> {
    let (seconds, fraction) = text.split_once('.')?;
    let digits = u32::try_from(fraction.len()).ok().filter(|&digits| digits <= 9)?;
    let weight = 10_u64.pow(9 - digits);
    let fraction: u64 = fraction.parse().ok()?;
    let seconds: u64 = seconds.parse().ok()?;
    let at = seconds.checked_mul(1_000_000_000)?.checked_add(fraction * weight)?;
    Some((at, weight))
}
