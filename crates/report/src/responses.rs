//! The response times of a history by chance, with the worst seen, the bound and the limit on one axis.

use crate::times::{self, Counted, Marked};
use vorrang_figure::Figure;
use vorrang_model::system::{SupplyId, System, TaskId};
use vorrang_sim::{Observations, Observer, Pattern, Search, Simulator, Source, time_of};
use vorrang_time::{Duration, Instant};
use vorrang_verdict::distribution::Resolution;
use vorrang_verdict::ruling::Ruling;
use vorrang_verdict::search::search;
use vorrang_verdict::unit::Unit;
use vorrang_verdict::watch::Responses;

/// Jobs of all cores together that are run for a report, about.
pub(crate) const JOBS: u64 = 400_000;
/// The longest history.
const LONGEST: Duration = Duration::from_ms(100_000);

/// What was seen on one core.
pub(crate) struct OnCore {
    core: SupplyId,
    responses: Responses,
    time: Duration,
}

/// One history by chance of each of these cores, as far as the simulator covers them; about so many jobs in all.
pub(crate) fn on_cores(system: &System, cores: &[SupplyId], seed: u64, jobs: u64) -> Vec<OnCore> {
    let jobs = jobs / (cores.len() as u64).max(1);
    let resolution = Resolution::shared(system.tasks.len() + system.interrupts.len(), LONGEST);
    let follow = |&core: &SupplyId| {
        let pattern = Pattern::parse(&format!("periodic:{seed}"), system).ok()?;
        let history = pattern.history(system, core).ok()?;
        let time = time_of(system, core, &history, jobs).min(LONGEST);
        let mut responses = Responses::of_core(system, core, &history, resolution);
        let mut simulator = Simulator::new(system, core).ok()?;
        run(&mut simulator, &history, time, &mut responses);
        Some(OnCore { core, responses, time })
    };
    cores.iter().filter_map(follow).collect()
}

fn run(
    simulator: &mut Simulator<'_>,
    history: &vorrang_sim::History,
    time: Duration,
    observer: &mut impl Observer,
) {
    simulator.run(history, Instant::ZERO + time, observer);
}

/// The figure of a requirement about `source`, if there is anything to draw.
pub(crate) fn figure(name: &str, ruling: &Ruling, source: Source, on: &[OnCore]) -> Option<Figure> {
    let on_core = on.iter().find(|of| of.core == ruling.core)?;
    let row = on_core.responses.rows.iter().find(|row| row.source == source)?;
    let description = format!(
        "{} jobs of a history by chance of {}: shortest {}, mean {}, longest {}. Bound, limit and the worst of \
         all histories tried are on the same axis.",
        row.completed.count(),
        shown(Some(on_core.time)),
        shown(row.completed.shortest()),
        shown(row.completed.mean()),
        shown(row.completed.longest())
    );
    let worst = ruling.observed.as_ref().map(|seen| Marked::worst("worst seen", seen.response));
    let bound = ruling.bound.map(Marked::bound);
    let marked: Vec<Marked> =
        worst.into_iter().chain(bound).chain([Marked::limit(ruling.limit)]).collect();
    let title = format!("Response times: {}", ruling.name);
    let counted = [Counted::of("jobs of a history by chance", &row.completed)];
    times::figure(name, (&title, &description), ("response time", "jobs"), &counted, &marked)
}

/// What is simulated of a whole system to stand beside what was measured of it.
pub struct Simulated {
    seen: Vec<OnCore>,
    worst: Observations,
}

impl Simulated {
    /// One history by chance of every core that the simulator covers, and the search of `vorrang check`.
    pub fn of(system: &System) -> Self {
        let cores: Vec<SupplyId> = system.cores().collect();
        let bounds = vorrang_analysis::bounds(system);
        let worst = search(system, &bounds, &Search::default(), &mut (), &mut |_| {});
        Self { seen: on_cores(system, &cores, worst.seed, JOBS), worst }
    }

    /// The responses of a task.
    pub fn task(&self, id: TaskId) -> Option<Counted> {
        let mut rows = self.seen.iter().flat_map(|on| &on.responses.rows);
        let row = rows.find(|row| row.source == Source::Task(id))?;
        Some(Counted::of("simulated, a history by chance", &row.completed))
    }

    /// The worst response that the search found of it.
    pub fn worst(&self, id: TaskId) -> Option<Marked> {
        let worst = self.worst.tasks[id.0].as_ref()?;
        Some(Marked::worst("worst simulated", worst.response))
    }
}

/// A time in its own unit.
pub(crate) fn shown(of: Option<Duration>) -> String {
    of.map_or_else(|| "-".to_owned(), |of| Unit::of(of).text(of))
}
