//! A film in a guest whose card raises a storm: descriptions, and how many frames are complete.
//!
//! **Model.** Every [`FRAME`] a frame of 10 ms of the guest's time is due; it is worked on before everything else but interrupts,
//! and those that are late are worked on in their order. So from the time that the guest has for it in each of these periods
//! follows which frames are complete. The guest is no player: it counts turns of a loop, and the frames are counted from these.

use super::MS;
use super::guest::{Guest, system};
use vorrang_model::system::TaskId;
use vorrang_sim::{Arrivals, History, Job, Observer, Source, simulate};
use vorrang_time::{Duration, Instant};
use vorrang_vcpu::{FRAME, TURN};

/// The time of a frame.
const WORK: u64 = 10 * MS;

/// The film, before everything that the guest does besides.
const TASKS: &str = r#"
[task.film]
on = "vcpu.guest"
wcet = "10ms"
period = "33366700ns"
jitter = "1ms"
deadline = "none"
priority = 5

[task.loop]
on = "vcpu.guest"
wcet = "1s"
period = "1s"
jitter = "1ms"
deadline = "none"
priority = 1

"#;
/// The thread that raises the interrupts.
const HOLDER: &str = r#"
[server.raiser]
on = "core.0"
server = "polling"
budget = "100us"
period = "20ms"
priority = 2
thread = "process:vorrang-vcpu/vorrang-vcpu"
"#;

/// What is done about the storm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Against {
    Nothing,
    /// The interrupt has a pseudo-VCPU.
    Credits,
    /// What raises it has a server of its own besides.
    Server,
}

/// The budget of the guest, of every 20 ms, in microseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    pub(crate) name: &'static str,
    pub(crate) budget: u64,
    pub(crate) against: Against,
}

const fn trial(name: &'static str, budget: u64, against: Against) -> Trial {
    Trial { name, budget, against }
}

/// The least and the largest of the publication, 36 and 70 % of a processor, and one between them.
pub(crate) const TRIALS: [Trial; 9] = [
    trial("off-36", 7200, Against::Nothing),
    trial("credits-36", 7200, Against::Credits),
    trial("held-36", 7200, Against::Server),
    trial("off-50", 10_000, Against::Nothing),
    trial("credits-50", 10_000, Against::Credits),
    trial("held-50", 10_000, Against::Server),
    trial("off-70", 14_000, Against::Nothing),
    trial("credits-70", 14_000, Against::Credits),
    trial("held-70", 14_000, Against::Server),
];

impl Trial {
    pub(crate) fn description(&self) -> String {
        let held = self.against == Against::Server;
        let guest = Guest {
            budget: self.budget,
            thread: "process:vorrang-vcpu/guest",
            raising: 15,
            apart: match self.against {
                Against::Nothing => 100,
                // It is to keep to that, and storms all the same.
                Against::Credits => 20_000,
                // In 100 us it is raised ten times at most, by what was seen.
                Against::Server => 2000,
            },
            handling: 75,
            vector: "64",
            second: None,
            reserved: self.against != Against::Nothing,
        };
        let holder = if held { HOLDER } else { "" };
        format!("version = 1\n{}{TASKS}{}{holder}", guest.server(), guest.card())
    }

    /// Frames that are complete in the simulator, in hundredths of a frame a second, where the storm is held back. It does not
    /// have several requests as one, as the controller of a guest does, so that any other storm there is all that a guest does.
    pub(crate) fn simulated(&self) -> Option<u64> {
        const SECONDS: u64 = 20;
        if self.against != Against::Server {
            return None;
        }
        let system = system(&self.description());
        let mut history = History::quiet(&system);
        let often = Arrivals { first: Some(Instant::ZERO), ..Arrivals::NEVER };
        history.tasks.fill(often);
        history.interrupts.fill(often);
        let mut frames = Frames(0);
        let core = system.cores().next().expect("there is one");
        let end = Instant::ZERO + Duration::from_ms(1000 * SECONDS);
        simulate(&system, core, &history, end, &mut frames).expect("it is covered");
        Some(100 * frames.0 / SECONDS)
    }
}

/// Jobs of the film that are complete.
struct Frames(u64);

impl Observer for Frames {
    fn completed(&mut self, job: &Job, _: Instant) {
        self.0 += u64::from(job.source == Source::Task(TaskId(0)));
    }
}

/// Frames that are complete, in hundredths of a frame a second, by the turns of the guest at the beginning of each. The last one
/// may be late, as any other, and be complete afterwards: it does not count.
pub(crate) fn frames(done: &[(u64, u32)]) -> u64 {
    let (mut late, mut due) = (0, 0);
    for pair in done.windows(2) {
        let [(_, before), (_, after)] = pair else { continue };
        let time = u64::from(after.wrapping_sub(*before)) * TURN;
        due += WORK;
        late = (late + WORK).saturating_sub(time);
    }
    let all_but_one = done.len().saturating_sub(2) as u64;
    let complete = all_but_one.min((due - late) / WORK);
    (complete * 100_000_000_000).checked_div(all_but_one * FRAME).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_counted_by_turns() {
        let turns =
            |each: u32| (0..31).map(|at| (u64::from(at) * FRAME, at * each)).collect::<Vec<_>>();
        let turns = |ms: u64| turns(u32::try_from(ms * MS / TURN).expect("few"));
        assert_eq!(frames(&turns(10)), 2997);
        assert_eq!(frames(&turns(18)), 2997, "no more than there are");
        assert_eq!(frames(&turns(2)), 620, "6 of 29");
        let mut late = turns(10);
        late[30].1 -= 1000;
        assert_eq!(frames(&late), 2997);
        assert_eq!(frames(&[]), 0);
    }
}
