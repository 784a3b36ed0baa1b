//! The activity of a processor during a violation.

use crate::comparison::Place;
use crate::schedule::Schedule;
use std::collections::BTreeMap;

/// A thread that had a processor, and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// A thread with its number, an interrupt, or idling.
    pub who: String,
    /// How long.
    pub time: u64,
}

/// The threads that had the processor of a place meanwhile, the longest first. Time of service routines is
/// counted for the thread that they interrupt, too.
pub fn meanwhile(schedule: &Schedule, place: &Place) -> Vec<Share> {
    let (begin, end) = place.window;
    let within = |from: u64, to: u64| to.min(end).saturating_sub(from.max(begin));
    let mut times: BTreeMap<String, u64> = BTreeMap::new();
    for run in schedule.all_runs().filter(|run| run.cpu == place.cpu) {
        let who = if run.thread == 0 {
            "idle".to_owned()
        } else {
            let name = schedule.names.get(&run.thread).unwrap_or(&run.name);
            format!("{name} ({})", run.thread)
        };
        *times.entry(who).or_default() += within(run.begin, run.end);
    }
    for (what, routines) in [
        ("interrupt", &schedule.routines),
        ("vector", &schedule.vectors),
        ("soft interrupt", &schedule.soft),
    ] {
        for routine in routines.iter().filter(|routine| routine.cpu == place.cpu) {
            let who = format!("{what} {} ({})", routine.interrupt, routine.name);
            *times.entry(who).or_default() += within(routine.begin, routine.end);
        }
    }
    let shares = times.into_iter().filter(|(_, time)| *time > 0);
    let mut shares: Vec<Share> = shares.map(|(who, time)| Share { who, time }).collect();
    shares.sort_by(|one, other| other.time.cmp(&one.time).then_with(|| one.who.cmp(&other.who)));
    shares
}
