//! One event of a trace: its processor, its time and its values.
//!
//! ```text
//!     sched_switch: prev_comm=low prev_pid=67 …         tracefs
//!     sched_switch:         low:67 [120] R ==> …        trace-cmd report
//!     sched:sched_switch: prev_comm=low …               perf script
//!     67:120:R ==> [003]  2389: 94:R sleep              the wakeup tracers
//! ```
//!
//! Names of threads may hold anything, so the values of an event are read by their keys.

use super::Left;
use super::stamp::Stamp;

/// An event.
pub(super) struct Line<'a> {
    pub(super) cpu: usize,
    pub(super) at: u64,
    /// The error of its time.
    pub(super) resolution: u64,
    pub(super) name: &'a str,
    pub(super) values: &'a str,
}

/// A thread, as an event names it.
#[derive(Clone, Copy)]
pub(super) struct Thread<'a> {
    pub(super) number: u32,
    pub(super) name: Option<&'a str>,
    /// As the kernel counts: the less, the more urgent; −1 for a reservation.
    pub(super) priority: i32,
}

/// A thread that leaves a processor, and the one that gets it.
pub(super) struct Switch<'a> {
    pub(super) previous: Thread<'a>,
    pub(super) left: Left,
    /// Whether it was still ready.
    pub(super) preempted: bool,
    pub(super) next: Thread<'a>,
}

/// A thread whose priority changes because others wait for what it holds.
pub(super) struct Inherits {
    pub(super) thread: u32,
    pub(super) own: i32,
    pub(super) new: i32,
}

/// The names by which switches and wake-ups of the wakeup tracers are known here.
const SWITCH: &str = "sched_switch";
const WAKEUP: &str = "sched_wakeup";

impl<'a> Line<'a> {
    /// What stands behind a time: the name of an event, and its values.
    pub(super) fn of(stamp: Stamp<'a>) -> Self {
        let Stamp { cpu, at, resolution, rest } = stamp;
        let (name, values) = rest.split_once(' ').unwrap_or((rest, ""));
        let name = name.trim_end_matches(':');
        // perf names the subsystem, too.
        let name = name.rsplit(':').next().unwrap_or(name);
        Self { cpu, at, resolution, name, values: values.trim_start() }
    }

    /// `0:120:R ==> [003]  2389: 94:R sleep`; with `+` it is a wake-up.
    pub(super) fn of_wakeup_tracer(stamp: &Stamp<'a>) -> Option<Self> {
        let (before, after) = stamp.rest.split_once(" [")?;
        let (who, arrow) = before.split_once(' ')?;
        let name = match arrow.trim() {
            "==>" => SWITCH,
            "+" => WAKEUP,
            _ => return None,
        };
        counted(who)?;
        counted(after.split_once(']')?.1)?;
        let Stamp { cpu, at, resolution, rest } = *stamp;
        Some(Self { cpu, at, resolution, name, values: rest })
    }

    /// The value of a key, up to the next key.
    pub(super) fn value(&self, key: &str, next: &str) -> Option<&'a str> {
        let begin = self.values.find(key)? + key.len();
        let rest = &self.values[begin..];
        let end = if next.is_empty() { rest.len() } else { rest.find(next)? };
        Some(rest[..end].trim())
    }

    /// A number behind a key, up to a space or a comma.
    pub(super) fn number<N: std::str::FromStr>(&self, key: &str) -> Option<N> {
        let begin = self.values.find(key)? + key.len();
        self.values[begin..].split([' ', ',']).next()?.parse().ok()
    }

    pub(super) fn switch(&self) -> Option<Switch<'a>> {
        let (previous, state, next) = if self.values.starts_with("prev_comm=") {
            let previous = Thread {
                number: self.value("prev_pid=", " prev_prio=")?.parse().ok()?,
                name: Some(self.value("prev_comm=", " prev_pid=")?),
                priority: self.value("prev_prio=", " prev_state=")?.parse().ok()?,
            };
            let state = self.value("prev_state=", " ==> ")?;
            let next = Thread {
                number: self.value("next_pid=", " next_prio=")?.parse().ok()?,
                name: Some(self.value("next_comm=", " next_pid=")?),
                priority: first_word(self.value("next_prio=", "")?).parse().ok()?,
            };
            (previous, state, next)
        } else if let Some((from, to)) = self.values.split_once("==> [") {
            let (previous, state) = counted(from)?;
            let (mut next, rest) = counted(to.split_once(']')?.1)?;
            next.name = rest.split_once(' ').map(|(_, name)| name.trim());
            (previous, state.trim(), next)
        } else {
            let (from, to) = self.values.split_once(" ==> ")?;
            let (previous, state) = short(from)?;
            let (next, _) = short(to)?;
            (previous, state, next)
        };
        let (left, preempted) = left(state);
        Some(Switch { previous, left, preempted, next })
    }

    /// The thread that is woken, and the processor on which it will run, if that is said.
    pub(super) fn woken(&self) -> Option<(Thread<'a>, Option<usize>)> {
        if self.values.starts_with("comm=") {
            let thread = Thread {
                number: self.value(" pid=", " prio=")?.parse().ok()?,
                name: Some(self.value("comm=", " pid=")?),
                priority: self.number(" prio=")?,
            };
            let cpu = first_word(self.value("target_cpu=", "")?).parse().ok()?;
            return Some((thread, Some(cpu)));
        }
        if let Some((_, to)) = self.values.split_once(" + [") {
            let (cpu, who) = to.split_once(']')?;
            let (mut thread, rest) = counted(who)?;
            thread.name = rest.split_once(' ').map(|(_, name)| name.trim());
            return Some((thread, cpu.parse().ok()));
        }
        let (thread, rest) = short(self.values)?;
        let cpu = rest.rsplit_once("CPU:").and_then(|(_, cpu)| cpu.trim().parse().ok());
        Some((thread, cpu))
    }

    /// `comm=low pid=67 oldprio=120 newprio=9`
    pub(super) fn inherits(&self) -> Option<Inherits> {
        let (thread, own, new) =
            (self.number(" pid=")?, self.number(" oldprio=")?, self.number(" newprio=")?);
        Some(Inherits { thread, own, new })
    }
}

/// trace-cmd prints some without their sign: −1 is 4294967295.
fn priority(text: &str) -> Option<i32> {
    let number: i64 = text.trim().parse().ok()?;
    let signed = if number > i64::from(i32::MAX) { number - (1 << 32) } else { number };
    i32::try_from(signed).ok()
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or(text)
}

/// `name:67 [120] rest`, as trace-cmd writes a thread.
fn short(text: &str) -> Option<(Thread<'_>, &str)> {
    let (who, rest) = text.rsplit_once(" [")?;
    let (name, number) = who.rsplit_once(':')?;
    let (urgency, rest) = rest.split_once(']')?;
    let (number, priority) = (number.parse().ok()?, priority(urgency)?);
    Some((Thread { number, name: Some(name.trim()), priority }, rest.trim()))
}

/// `67:120:rest`, as the wakeup tracers write a thread.
fn counted(text: &str) -> Option<(Thread<'_>, &str)> {
    let (number, rest) = text.trim().split_once(':')?;
    let (urgency, rest) = rest.split_once(':')?;
    let (number, priority) = (number.trim().parse().ok()?, priority(urgency)?);
    Some((Thread { number, name: None, priority }, rest))
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
