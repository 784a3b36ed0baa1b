//! What the future of a small system depends on.

/// The most tasks.
pub const MOST_TASKS: usize = 5;

/// The most supplies, cores included.
pub const MOST_SUPPLIES: usize = 6;

/// The most jobs of one task that are not done.
pub const MOST_JOBS: usize = 3;

/// No arrival yet.
pub const NEVER: u8 = u8::MAX;

/// What a value rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Label {
    /// On nothing that is followed.
    #[default]
    Old,
    /// On the reading that is followed.
    Followed,
    /// On a later reading.
    Newer,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// There is none.
    #[default]
    None,
    /// Arrived, and not released.
    Held,
    /// Released, and has not had the processor.
    Ready,
    /// It has had the processor.
    Begun,
    /// Complete, and has not written yet.
    Complete,
}

/// A job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// How far it is.
    pub stage: Stage,
    /// Ticks since its arrival, where they matter.
    pub age: u8,
    /// Ticks that it has had.
    pub used: u8,
    /// What it has read.
    pub label: Label,
}

/// A task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Ticks since the last arrival, no more than matter.
    pub gap: u8,
    /// What was written last.
    pub output: Label,
    /// Of each of two that wake it together: jobs that are complete, and of which the other's is not.
    pub ahead: [u8; 2],
    /// Its jobs, the first one first.
    pub jobs: [Job; MOST_JOBS],
}

/// A budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// What is left.
    pub left: u8,
    /// Until it is replenished.
    pub due: u8,
}

/// The state before the arrivals of an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// By id.
    pub tasks: [Task; MOST_TASKS],
    /// By id of the supply.
    pub budgets: [Budget; MOST_SUPPLIES],
    /// Ticks since the beginning, while a first arrival is still to come at a certain instant.
    pub now: u8,
    /// A reading, or a job, is followed.
    pub follows: bool,
}

impl Default for State {
    fn default() -> Self {
        let task = Task {
            gap: NEVER,
            output: Label::Old,
            ahead: [0; 2],
            jobs: [Job::default(); MOST_JOBS],
        };
        Self {
            tasks: [task; MOST_TASKS],
            budgets: [Budget::default(); MOST_SUPPLIES],
            now: 0,
            follows: false,
        }
    }
}

impl Task {
    /// The job that wants the processor, if it may have it.
    pub fn ready(&self) -> Option<usize> {
        let first = self.jobs.iter().position(|job| job.stage != Stage::Complete)?;
        matches!(self.jobs[first].stage, Stage::Ready | Stage::Begun).then_some(first)
    }

    /// One more job; `false`: there are too many.
    pub fn push(&mut self, job: Job) -> bool {
        let free = self.jobs.iter_mut().find(|job| job.stage == Stage::None);
        free.map(|free| *free = job).is_some()
    }

    /// Its first job is done.
    pub fn pop(&mut self) -> Job {
        let first = self.jobs[0];
        self.jobs.rotate_left(1);
        self.jobs[MOST_JOBS - 1] = Job::default();
        first
    }
}

impl State {
    /// Distributes states over a table; nothing else depends on it.
    pub fn hash(&self) -> usize {
        let mix =
            |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let rest = u64::from_le_bytes([self.now, u8::from(self.follows), 0, 0, 0, 0, 0, 0]);
        let budgets = self.budgets.iter().fold(0, |sum: u64, own| {
            sum.rotate_left(11) ^ u64::from(u16::from_le_bytes([own.left, own.due]))
        });
        let words = self.tasks.iter().flat_map(Task::words).chain([budgets, rest]);
        let sum = words.fold(0, mix);
        usize::try_from((sum ^ sum >> 29) & u64::from(u32::MAX)).expect("of 32 bits")
    }
}

impl Task {
    fn words(&self) -> [u64; 2] {
        let [first, second, third] = self.jobs.map(Job::word);
        let own = u32::from_le_bytes([self.gap, self.output as u8, self.ahead[0], self.ahead[1]]);
        [u64::from(first) | u64::from(second) << 32, u64::from(third) | u64::from(own) << 32]
    }
}

impl Job {
    fn word(self) -> u32 {
        u32::from_le_bytes([self.stage as u8, self.age, self.used, self.label as u8])
    }
}
