//! How systems are drawn at one point of a study: every axis has one of its values.

use vorrang_time::Duration;

/// All that decides what is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The scheduler of the core, unless a question names another.
    pub scheduler: String,
    /// The tasks.
    pub tasks: Tasks,
    /// The virtual machines that the tasks are in; `None`: they are on the core.
    pub guests: Option<Guests>,
    /// Interrupts beside the tasks.
    pub interrupts: Option<Interrupts>,
    /// The overhead of the machine, as in a description.
    pub costs: Vec<(&'static str, Duration)>,
}

/// Tasks of the core, or of each virtual machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tasks {
    /// How many: on the core, or in each virtual machine.
    pub count: usize,
    /// Of all of them together, in millionths of the core.
    pub utilisation_ppm: u64,
    /// How it is divided among them.
    pub division: Division,
    /// Their periods.
    pub periods: Periods,
    /// Their deadlines.
    pub deadlines: Deadlines,
}

/// How a utilisation is divided among tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Division {
    /// Every division as likely (`UUniFast`: Bini, Buttazzo 2005).
    Uunifast,
    /// Every division as likely in which each part is within its bounds, in millionths: what
    /// Dirichlet-Rescale is for (Griffin, Bate, Davis 2020). One of each for all tasks, or as many of each as
    /// there are tasks on the core, or in a virtual machine.
    Drs {
        /// Least of a task.
        least_ppm: Vec<u64>,
        /// Most of a task.
        most_ppm: Vec<u64>,
    },
}

/// Where periods come from; all are whole multiples of `grain`, but those of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Periods {
    /// Each doubling as likely.
    LogUniform {
        /// The shortest period.
        shortest: Duration,
        /// The longest period.
        longest: Duration,
        /// All are multiples of it.
        grain: Duration,
    },
    /// `shortest` times a power of two up to `longest`, each as likely.
    Harmonic {
        /// The shortest period.
        shortest: Duration,
        /// The longest period.
        longest: Duration,
    },
    /// Those of an engine control unit (Kramer, Ziegenbein, Hamann 2015, table III).
    Automotive,
}

/// Where deadlines come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadlines {
    /// At the period.
    Implicit,
    /// Uniform from this part of the period, in millionths, to the period; never below the execution
    /// time.
    Constrained {
        /// The least part.
        tightest_ppm: u64,
    },
}

/// Virtual machines with one virtual processor each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guests {
    /// How many.
    pub count: usize,
    /// The kind of their servers, unless a question names another.
    pub server: String,
    /// The period of each server.
    pub period: Duration,
    /// Its budget.
    pub budget: Budget,
    /// The scheduler inside.
    pub scheduler: String,
}

/// How much a virtual machine receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// This many millionths of what its tasks use.
    OfDemand(u64),
    /// What `vorrang design` chooses.
    Designed,
}

/// Interrupts, all for the first virtual machine, or without one for the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupts {
    /// How many.
    pub count: usize,
    /// Of all of their routines together, in millionths of the core.
    pub utilisation_ppm: u64,
    /// Least time between two arrivals, the shortest.
    pub shortest: Duration,
    /// And the longest.
    pub longest: Duration,
    /// What a routine on the core takes of this, in millionths; a guest's takes the rest.
    pub host_ppm: u64,
    /// Whether a pseudo-VCPU pays for the guest's routines.
    pub pseudo_vcpu: bool,
}
