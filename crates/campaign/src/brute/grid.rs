//! Every combination of the open parameters of a history, with periodic arrivals and full execution.

use super::packets::{arrivals, cards_on, spacing, start_of_packets};
use super::{
    apart, blockable, earliest, endless, horizon, interrupts_on, known_arrivals, phases,
    start_of_interrupt, tasks_that_end,
};
use crate::oracle::{History, Job, start};
use crate::random::Random;
use vorrang_model::system::{DeviceId, InterruptId, Member, SupplyId, System, TaskId};
use vorrang_time::Duration;

/// One open parameter of a history.
#[derive(Clone, Copy, Debug)]
enum Open {
    Phase(SupplyId),
    Task(TaskId),
    /// Whether the first job of the task is released as late as its jitter allows.
    LateTask(TaskId),
    Interrupt(InterruptId),
    LateInterrupt(InterruptId),
    Packets(DeviceId),
    /// The length of sections of the kernel.
    Sections(u64),
    /// Which of the members is blocked; zero: none.
    Blocked,
}

/// All combinations for one core.
#[derive(Clone, Debug)]
pub struct Grid<'a> {
    system: &'a System,
    core: SupplyId,
    /// Each with the number of its values.
    open: Vec<(Open, u64)>,
    blockable: Vec<Member>,
    horizon: u64,
}

impl<'a> Grid<'a> {
    /// The open parameters of a core: every offset of a first release within its period, and so on.
    pub fn new(system: &'a System, core: SupplyId) -> Self {
        let mut open: Vec<(Open, u64)> = Vec::new();
        open.extend(phases(system, core).iter().map(|&(id, period)| (Open::Phase(id), period)));
        for id in tasks_that_end(system, core) {
            let task = system.task(id);
            let values = if task.offset.is_some() { 1 } else { task.cycle().1.as_ns() };
            open.push((Open::Task(id), values));
            open.extend((!task.jitter.is_zero()).then_some((Open::LateTask(id), 2)));
        }
        for id in interrupts_on(system, core) {
            let interrupt = system.interrupt(id);
            open.push((Open::Interrupt(id), interrupt.cycle().1.as_ns()));
            open.extend((!interrupt.jitter.is_zero()).then_some((Open::LateInterrupt(id), 2)));
        }
        for id in cards_on(system, core) {
            open.push((Open::Packets(id), spacing(system.device(id)).0));
        }
        let blockable: Vec<Member> = blockable(system, core).collect();
        let sections = system.supply(core).sections.as_ns();
        if sections > 0 {
            open.push((Open::Sections(sections), 2));
        }
        open.push((Open::Blocked, 1 + u64::try_from(blockable.len()).expect("a handful")));
        Self { system, core, open, blockable, horizon: horizon(system) }
    }

    /// How many combinations there are.
    pub fn size(&self) -> u64 {
        self.open.iter().fold(1, |size: u64, (_, values)| size.saturating_mul(*values))
    }

    /// All histories of the grid, or `most` of them evenly drawn.
    pub fn histories(&self, most: u64, random: &mut Random) -> impl Iterator<Item = History> {
        let size = self.size();
        let random = random.clone();
        let drawn = (0..most.min(size)).scan(random, move |random, number| {
            Some(if size <= most { number } else { random.below(size) })
        });
        drawn.map(|number| self.history(number))
    }

    /// The history with this number: the number in the mixed radix of the open values.
    fn history(&self, mut number: u64) -> History {
        let system = self.system;
        let mut history = History {
            phases: vec![0; system.supplies.len()],
            tasks: vec![Vec::new(); system.tasks.len()],
            interrupts: vec![Vec::new(); system.interrupts.len()],
            packets: vec![Vec::new(); system.devices.len()],
            ..History::default()
        };
        let late = |value: u64, jitter: Duration| value * jitter.as_ns();
        for &(open, values) in &self.open {
            let value = number % values;
            number /= values;
            match open {
                Open::Phase(id) => history.phases[id.0] = value,
                Open::Task(id) => {
                    let task = system.task(id);
                    let begin = start(system, task.on, &history.phases);
                    let apart = apart(task.min_interarrival, task.distances.as_ref());
                    let known = known_arrivals(task, begin, self.horizon);
                    history.tasks[id.0] = match known {
                        Some(known) => known.into_iter().map(|at| at_once(at, task.wcet)).collect(),
                        None => self.densest(begin + value, &apart, task.wcet),
                    };
                }
                Open::LateTask(id) => {
                    delay_first(&mut history.tasks[id.0], late(value, system.task(id).jitter));
                }
                Open::Interrupt(id) => {
                    let interrupt = system.interrupt(id);
                    let first = start_of_interrupt(system, id, &history.phases) + value;
                    let apart = apart(interrupt.min_interarrival, interrupt.distances.as_ref());
                    history.interrupts[id.0] = self.densest(first, &apart, interrupt.isr);
                }
                Open::LateInterrupt(id) => {
                    let jitter = system.interrupt(id).jitter;
                    delay_first(&mut history.interrupts[id.0], late(value, jitter));
                }
                Open::Packets(id) => {
                    let first = start_of_packets(system, id, &history.phases) + value;
                    history.packets[id.0] = arrivals(system.device(id), first, self.horizon, |_| 0);
                }
                Open::Sections(longest) => history.sections = value * longest,
                Open::Blocked => {
                    let index = usize::try_from(value).expect("a handful");
                    let member = index.checked_sub(1).map(|index| self.blockable[index]);
                    history.blocker = member.map(|member| (member, 0));
                }
            }
        }
        endless(system, self.core, &mut history);
        history
    }

    fn densest(&self, first: u64, apart: &[u64], execution: Duration) -> Vec<Job> {
        let (mut jobs, mut arrival) = (Vec::new(), first);
        while arrival <= self.horizon.max(first) {
            jobs.push(at_once(arrival, execution));
            arrival = earliest(&jobs, apart);
        }
        jobs
    }
}

/// A job that is released when it arrives.
fn at_once(arrival: u64, execution: Duration) -> Job {
    Job { arrival, release: arrival, execution: execution.as_ns() }
}

/// Releases the first job later, and with it those that arrived before it was released.
fn delay_first(jobs: &mut [Job], by: u64) {
    let Some(first) = jobs.first().map(|job| job.arrival + by) else { return };
    for job in jobs {
        job.release = job.arrival.max(first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn a_grid_has_as_many_different_histories_as_its_size_says() {
        let mut seen = 0;
        for index in 0..200 {
            let system = generate::system(3, index);
            let grid = Grid::new(&system, SupplyId(0));
            if grid.size() > 3_000 {
                continue;
            }
            seen += 1;
            let mut histories: Vec<String> =
                grid.histories(3_000, &mut Random::new(1, 1)).map(|h| format!("{h:?}")).collect();
            assert_eq!(histories.len() as u64, grid.size());
            histories.sort();
            histories.dedup();
            assert_eq!(histories.len() as u64, grid.size(), "system {index}");
        }
        assert!(seen > 3);
    }
}
