//! A line of the kernel's trace, as text.
//!
//! ```text
//!           <idle>-0       [000] d.h1    54.029328: #1     context    irq timer_latency       932 ns
//!             cc1-87882    [005] dNLh1  548.771082: irq_noise: local_timer:236 start 548.771077442 …
//! ```
//!
//! The columns between the processor and the time differ from kernel to kernel and are not read.

/// The content of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The thread that ran, by its name.
    pub thread: &'a str,
    /// And by its number.
    pub id: i32,
    /// The processor.
    pub cpu: usize,
    /// When, on the clock of the trace.
    pub at_ns: u64,
    /// The rest.
    pub text: &'a str,
}

impl<'a> Record<'a> {
    /// The record of a line; `None` of comments, stacks and other lines between records.
    pub fn of(line: &'a str) -> Option<Self> {
        // A name may hold almost anything; what follows it holds no bracket before the processor.
        let (cpu_from, cpu_to) = cpu(line)?;
        let (thread, id) = line[..cpu_from].trim().rsplit_once('-')?;
        let id = id.parse().ok()?;
        let mut rest = line[cpu_to + 1..].trim_start();
        loop {
            let (word, after) = rest.split_once(char::is_whitespace)?;
            if let Some(at_ns) = word.strip_suffix(':').and_then(nanoseconds) {
                let cpu = line[cpu_from + 1..cpu_to].parse().ok()?;
                return Some(Self { thread: thread.trim(), id, cpu, at_ns, text: after.trim() });
            }
            rest = after.trim_start();
        }
    }
}

/// Where the number of the processor stands: the first brackets with nothing but digits in them.
fn cpu(line: &str) -> Option<(usize, usize)> {
    let places = line.match_indices(" [").map(|(at, _)| at + 1);
    places.into_iter().find_map(|from| {
        let to = from + line[from..].find(']')?;
        let digits = &line[from + 1..to];
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some((from, to))
    })
}

/// Seconds with decimals, as many as there are: `54.029328`.
pub(super) fn nanoseconds(text: &str) -> Option<u64> {
    let (seconds, decimals) = text.split_once('.')?;
    let decimals = Some(decimals).filter(|digits| (1..=9).contains(&digits.len()))?;
    let rest: u64 = format!("{decimals:0<9}").parse().ok()?;
    seconds.parse::<u64>().ok()?.checked_mul(1_000_000_000)?.checked_add(rest)
}

/// The value of `key=value`, which ends where the next key begins, or at the end.
pub(super) fn value<'a>(text: &'a str, key: &str, next: Option<&str>) -> Option<&'a str> {
    let from = text.find(key)? + key.len();
    let rest = &text[from..];
    match next {
        Some(next) => rest.split_once(next).map(|(value, _)| value.trim()),
        None => rest.split_whitespace().next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_whatever_the_columns() {
        let found = Record::of("  <idle>-0  [000] d.h1  54.029328: #1 context irq").unwrap();
        let expected = Record {
            thread: "<idle>",
            id: 0,
            cpu: 0,
            at_ns: 54_029_328_000,
            text: "#1 context irq",
        };
        assert_eq!(found, expected);
        let named = |line| Record::of(line).map(|of| (of.thread, of.id, of.cpu, of.at_ns));
        let worker = named("kworker/u8:1-ev-77 [012] ....... 5.000000001: x: y");
        assert_eq!(worker, Some(("kworker/u8:1-ev", 77, 12, 5_000_000_001)));
        assert_eq!(named("a [b] c-9   [003]  7.5: z"), Some(("a [b] c", 9, 3, 7_500_000_000)));
    }

    #[test]
    fn what_is_no_record_is_none() {
        for line in [
            "",
            "# tracer: timerlat",
            " => timerlat_irq",
            "CPU:2 [LOST 7 EVENTS]",
            "a-1 [000] no time",
        ] {
            assert_eq!(Record::of(line), None, "{line}");
        }
        assert_eq!(nanoseconds("1.0000000001"), None);
        assert_eq!(nanoseconds("99999999999999999999.0"), None);
    }

    #[test]
    fn values_may_have_spaces() {
        let text = "prev_comm=a b prev_pid=7 prev_prio=120";
        assert_eq!(value(text, "prev_comm=", Some(" prev_pid=")), Some("a b"));
        assert_eq!(value(text, "prev_prio=", None), Some("120"));
        assert_eq!(value(text, "next_pid=", None), None);
    }
}
