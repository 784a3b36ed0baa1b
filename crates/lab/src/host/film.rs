//! A film in a guest whose card raises a storm: how many frames are complete.
//!
//! **Model.** Every [`FRAME`] a frame of 10 ms of the guest's time is due; it is worked on before everything else but interrupts,
//! and those that are late are worked on in their order. So from the time that the guest has for it in each of these periods
//! follows which frames are complete. The guest is no player: it counts turns of a loop, and the frames are counted from these.

use super::dispatcher::MS;
use super::raised::{self, LENGTH_MS, Trial, content, system, told};
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_guest::raised::{FRAME, TURN, Told};
use vorrang_model::system::TaskId;
use vorrang_sim::{Arrivals, History, Job, Observer, Source, simulate};
use vorrang_time::{Duration, Instant};

/// The time of a frame.
const WORK: u64 = 10 * MS;
/// The rate of the film, in hundredths of a frame a second, less a frame at each end.
const WHOLE: u64 = 2_890;

/// The frames of each run.
pub(crate) fn checks(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    raised::of_each(of, evidence, |trial, said| {
        let told = content::<Told>(&trial.name, &told(&trial.name), evidence);
        vec![told.map_or_else(|why| why, |told| filmed(of, trial, &told, said.origin()))]
    })
}

/// The frames of the time in which servers are run, beside those of the simulator.
fn filmed(of: &Scenario, trial: &Trial, told: &Told, origin: u64) -> Check {
    let end = origin + LENGTH_MS * MS;
    let meanwhile: Vec<(u64, u32)> =
        told.done.iter().filter(|(at, _)| (origin..end).contains(at)).copied().collect();
    let (seen, simulated) = (frames(&meanwhile), simulated(of, trial));
    let shown = |rate: u64| format!("{}.{:02}", rate / 100, rate % 100);
    let said = format!(
        "{} frames a second in {} of them; simulated {}",
        shown(seen),
        meanwhile.len(),
        simulated.map_or("none".to_owned(), shown)
    );
    let what = format!("{}: the film is whole only if the storm is held back", trial.name);
    let is_whole = seen >= WHOLE;
    let holds = meanwhile.len() > 40 && is_whole == is_held(trial);
    Check::new(what, said, holds)
}

/// Whether the thread that raises the storm has a server.
fn is_held(trial: &Trial) -> bool {
    trial.how == "held"
}

/// Frames that are complete in the simulator, in hundredths of a frame a second, where the storm is held back. It does not
/// have several requests as one, as the controller of a guest does, so that any other storm there is all that a guest does.
fn simulated(of: &Scenario, trial: &Trial) -> Option<u64> {
    const SECONDS: u64 = 20;
    if !is_held(trial) {
        return None;
    }
    let system = system(of, &trial.name);
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

/// Jobs of the film that are complete.
struct Frames(u64);

impl Observer for Frames {
    fn completed(&mut self, job: &Job, _: Instant) {
        self.0 += u64::from(job.source == Source::Task(TaskId(0)));
    }
}

/// Frames that are complete, in hundredths of a frame a second, by the turns of the guest at the beginning of each. The last one
/// may be late, as any other, and be complete afterwards: it does not count.
fn frames(done: &[(u64, u32)]) -> u64 {
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
