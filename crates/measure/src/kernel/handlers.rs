//! The execution times of the kernel's threads with a real-time priority, by its own accounting.

use super::Thread;
use super::gaps::Grid;
use super::rounds::{ABOVE, Rounds, STRETCH_NS};
use crate::machine::policy::{self, Fifo};
use crate::machine::{Unable, clock};
use crate::statistics::Sorted;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

/// The kernel's threads that handle soft interrupts, by the beginning of their names.
const HANDLERS: [&str; 2] = ["ktimers", "ksoftirqd"];

/// The execution times of the kernel's threads of a processor with a real-time priority, in each period of
/// the tick.
pub(super) fn threads(
    cpu: usize,
    grid: Grid,
    rounds: &mut Rounds<'_>,
) -> Result<Vec<Thread>, String> {
    let known: Vec<Handler> = HANDLERS.iter().filter_map(|name| Handler::find(name, cpu)).collect();
    let mut ran: Vec<Vec<f64>> = vec![Vec::new(); known.len()];
    let stretches = rounds.part(1, || {
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                policy::behind_all_others();
                while !over.load(Ordering::Relaxed) {
                    policy::compute();
                }
            });
            let looked = looks(&known, grid, &mut ran);
            over.store(true, Ordering::Relaxed);
            looked
        })
    });
    stretches.map_err(|Unable(why)| why)?;
    let seen = known.into_iter().zip(ran);
    let thread = |(handler, ran): (Handler, Vec<f64>)| {
        let Handler { name, priority, .. } = handler;
        Some(Thread { name, priority, ran: Sorted::of(ran)? })
    };
    Ok(seen.filter_map(thread).collect())
}

/// Samples the kernel's accounting between ticks, for a stretch; notes execution times.
fn looks(known: &[Handler], grid: Grid, ran: &mut [Vec<f64>]) -> Result<(), Unable> {
    let _fifo = Fifo::at(ABOVE)?;
    let mut at = grid.between(clock::now_ns());
    let mut before: Option<Vec<u64>> = None;
    for _ in 0..=STRETCH_NS / grid.period_ns {
        clock::sleep_until(at);
        let now = known.iter().map(Handler::ran_ns).collect::<Result<Vec<u64>, Unable>>()?;
        for (thread, before) in before.iter().flatten().enumerate() {
            ran[thread].extend(Some(now[thread] - before).filter(|ns| *ns > 0).map(|ns| ns as f64));
        }
        before = Some(now);
        at += grid.period_ns;
    }
    Ok(())
}

/// A thread of the kernel.
struct Handler {
    name: String,
    priority: u32,
    account: String,
}

impl Handler {
    /// By its name, if it has a real-time priority; others compete within the server of `SCHED_OTHER`.
    fn find(name: &str, cpu: usize) -> Option<Self> {
        let full = format!("{name}/{cpu}");
        let processes = fs::read_dir("/proc").ok()?.flatten();
        let folder = processes.map(|process| process.path()).find(|folder| {
            fs::read_to_string(folder.join("comm")).is_ok_and(|comm| comm.trim_end() == full)
        })?;
        let stat = fs::read_to_string(folder.join("stat")).ok()?;
        let priority = priority(&stat).filter(|priority| *priority > 0)?;
        let account = folder.join("schedstat").display().to_string();
        Some(Self { name: name.to_owned(), priority, account })
    }

    fn ran_ns(&self) -> Result<u64, Unable> {
        let text = fs::read_to_string(&self.account);
        let text = text.map_err(|why| Unable(format!("{}: {why}", self.account)))?;
        let ran = text.split_whitespace().next().and_then(|ns| ns.parse().ok());
        ran.ok_or_else(|| Unable(format!("{} has no time", self.account)))
    }
}

/// The real-time priority of a process: the fortieth word of `/proc/PID/stat`, of which the second may have spaces.
fn priority(stat: &str) -> Option<u32> {
    let (_, rest) = stat.rsplit_once(") ")?;
    rest.split_whitespace().nth(37)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_priority_is_found_behind_any_name() {
        let rest = "S 2 0 0 0 -1 69238848 0 0 0 0 0 0 0 0 -2 0 1 0 12 0 0 18446744073709551615 0 0 0 0 0 0 0 2147483647 0 1 0 0 17 0 1 1 0";
        assert_eq!(priority(&format!("17 (ktimers/0) {rest}")), Some(1));
        assert_eq!(priority(&format!("17 (a) b) c) {rest}")), Some(1));
        assert_eq!(priority("17 (ktimers/0"), None);
    }
}
