//! What a description says of one member of an EDF supply.

use super::{Contender, Work};
use crate::arrival::{Arrivals, Spacing};
use crate::demand::Load;
use crate::ground::Source;
use crate::server_kind::{Asks, Sheet};
use vorrang_model::system::{Server, SupplyId, Task, TaskId};
use vorrang_time::Duration;

/// What a job takes besides its work on a core whose kernel takes time, and the section that may hold it up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Around {
    pub(crate) job: Duration,
    pub(crate) section: Duration,
}

impl<'a> Contender<'a> {
    /// How close its jobs arrive without their jitter.
    pub(super) fn spacing(&self) -> Spacing<'a> {
        Spacing { least: self.period, further: self.distances }
    }

    /// Cost and time of a cycle, in which it demands no more in the long run; `None` if that is out of range.
    pub fn each_cycle(&self) -> Option<(Duration, Duration)> {
        let (count, time) = self.spacing().cycle();
        Some((self.cost.checked_mul(count)?, time))
    }

    /// How many of its jobs arrive by an instant, that one included, from one at zero on.
    pub(super) fn jobs_by(&self, instant: Duration) -> u64 {
        self.spacing().by(instant)
    }

    /// When the next of its jobs after an instant can arrive, from one at zero on.
    pub(super) fn next_job(&self, instant: Duration) -> Duration {
        self.spacing().next(instant)
    }

    /// When the last of its jobs up to an instant can arrive, from one at zero on.
    pub(super) fn last_job(&self, instant: Duration) -> Duration {
        self.spacing().last(instant)
    }

    /// A task with a deadline and these releases.
    pub(crate) fn of_task(
        (id, task): (TaskId, &Task),
        deadline: Duration,
        releases: &Load<'a>,
        around: Around,
    ) -> Self {
        let Arrivals { period, distances, jitter, .. } = releases.arrivals;
        let blocking = task.blocking + around.section;
        Self {
            of: Source::Task(id),
            cost: task.wcet + around.job,
            period,
            distances,
            work: Work::Jobs { deadline, jitter, blocking },
        }
    }

    /// A server; `None` if its kind has no meaning under EDF.
    pub(crate) fn of_server(id: SupplyId, server: &Server) -> Option<Self> {
        let work = match Sheet::of_server(server).asks? {
            Asks::FromPeriods => Work::PeriodicServer,
            Asks::InPeriods => Work::DeferrableServer,
            Asks::EndlessBandwidth => Work::SoftBandwidth,
            Asks::Bandwidth => match server.relative_deadline() {
                deadline if deadline < server.period => Work::ConstrainedBandwidth { deadline },
                _ => Work::ConstantBandwidth,
            },
        };
        let (cost, period) = (server.budget, server.period);
        Some(Self { of: Source::Server(id), cost, period, distances: None, work })
    }
}
