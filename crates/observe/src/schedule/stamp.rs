//! Where and when: the beginning of a line, in each form that a kernel's trace is printed in.
//!
//! ```text
//!     low-67      [000] d..2.     1.234567: sched_switch: …            tracefs, trace-cmd report, perf script
//!     low-67        0d..2.   17us+: sched_switch: …                    the latency format
//!   360.774522 |   1)  sh-4802  |   | /* sched_switch: … */            function_graph, with funcgraph-abstime
//! ```
//!
//! Names of threads may hold anything, also `[`, `:` and spaces; so lines are read from the
//! fixed texts inside them.

/// Processor and time of a line, and what stands behind them.
#[derive(Clone, Copy)]
pub(super) struct Stamp<'a> {
    pub(super) cpu: usize,
    pub(super) at: u64,
    /// The error of its time.
    pub(super) resolution: u64,
    pub(super) rest: &'a str,
}

/// So many may stand before that of the processor: a name has 15 bytes. More would make reading a line
/// quadratic in its length.
const BRACKETS: usize = 16;
/// Flags, and marks of a delay, may stand between the processor and the time.
const BEFORE_TIME: usize = 3;
/// An instant of the latency format.
const MICROSECOND: u64 = 1_000;

impl<'a> Stamp<'a> {
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let mut brackets = line.match_indices(" [").take(BRACKETS);
        let in_brackets = brackets.find_map(|(at, _)| Self::at_bracket(&line[at + 2..]));
        in_brackets.or_else(|| Self::of_latency(line))
    }

    /// The processor stands in brackets; flags, perhaps, and the time follow.
    fn at_bracket(rest: &'a str) -> Option<Self> {
        let (cpu, mut rest) = rest.split_once(']')?;
        let cpu = cpu.parse().ok()?;
        for _ in 0..BEFORE_TIME {
            rest = rest.trim_start();
            let end = rest.find(' ').unwrap_or(rest.len());
            if let Some(time) = rest[..end].strip_suffix(':')
                && let Some((at, resolution)) = nanoseconds(time)
            {
                return Some(Self { cpu, at, resolution, rest: rest[end..].trim() });
            }
            rest = &rest[end..];
        }
        None
    }

    /// Microseconds since the trace began, with a mark of the delay; before them processor and flags.
    fn of_latency(line: &'a str) -> Option<Self> {
        let mut units = line.match_indices("us").take(BRACKETS);
        units.find_map(|(at, _)| {
            let after = line[at + 2..].strip_prefix([' ', '+', '!', '#', '*', '@', '$'])?;
            let rest = after.strip_prefix(':')?.trim();
            let (before, time) = line[..at].rsplit_once(' ')?;
            let flags = before.trim_end().rsplit(' ').next()?;
            let digits = flags.bytes().take_while(u8::is_ascii_digit).count();
            // Digits of a number are no flags.
            let cpu = flags[..digits].parse().ok().filter(|_| digits < flags.len())?;
            let at = time.parse::<u64>().ok()?.checked_mul(MICROSECOND)?;
            Some(Self { cpu, at, resolution: MICROSECOND, rest })
        })
    }
}

/// A line of the tracer `function_graph`.
pub(super) struct Graph<'a> {
    /// Of an event in it, if that has a time.
    pub(super) stamp: Option<Stamp<'a>>,
    /// The comment in it: an event, or the name of a function.
    pub(super) comment: Option<&'a str>,
}

impl<'a> Graph<'a> {
    /// It begins with a processor and `)`, before which a time may stand.
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let line = line.trim();
        let (time, line) = match line.split_once(" | ") {
            Some((time, rest)) if nanoseconds(time.trim_end()).is_some() => {
                (nanoseconds(time.trim_end()), rest.trim_start())
            }
            _ => (None, line),
        };
        let (cpu, _) = line.split_once(')')?;
        let cpu = cpu.parse().ok()?;
        let comment = line.split_once("/* ").map(|(_, comment)| {
            let comment = comment.trim_end();
            comment.strip_suffix("*/").unwrap_or(comment).trim_end()
        });
        let stamp =
            time.zip(comment).map(|((at, resolution), rest)| Stamp { cpu, at, resolution, rest });
        Some(Self { stamp, comment })
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
