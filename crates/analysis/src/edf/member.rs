//! What a description says of one member of an EDF supply.

use super::{Contender, Work};
use crate::arrival::Arrivals;
use crate::demand::Load;
use crate::ground::Source;
use crate::kind::{Asks, Sheet};
use vorrang_model::system::{Server, SupplyId, Task, TaskId};
use vorrang_time::Duration;

/// What a job takes besides its work on a core whose kernel takes time, and the section that may hold it up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Around {
    pub(crate) job: Duration,
    pub(crate) section: Duration,
}

impl Contender {
    /// A task with a deadline and these releases.
    pub(crate) fn of_task(
        (id, task): (TaskId, &Task),
        deadline: Duration,
        releases: &Load<'_>,
        around: Around,
    ) -> Self {
        let Arrivals { period, jitter, .. } = releases.arrivals;
        let blocking = task.blocking + around.section;
        Self {
            of: Source::Task(id),
            cost: task.wcet + around.job,
            period,
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
        Some(Self { of: Source::Server(id), cost: server.budget, period: server.period, work })
    }
}
