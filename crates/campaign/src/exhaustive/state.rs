//! What the future of a small core depends on, in few bytes.
//!
//! Times are relative to the present instant, and what cannot matter any more is left out, so that as many
//! histories as possible meet in one state: a distance that is over does not grow, and ages of jobs are
//! kept only where a deadline or the observed response counts from them.

/// The most tasks and routines.
pub const MOST_WORK: usize = 5;

/// The most servers.
pub const MOST_SERVERS: usize = 3;

/// The most jobs of one task that wait or run.
pub const MOST_PENDING: usize = 4;

/// The most fragments of a budget.
pub const MOST_REFILLS: usize = 4;

/// The state after step 3 of an instant, before arrivals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Tasks and routines.
    pub jobs: [Jobs; MOST_WORK],
    /// Servers, the one with the smallest id first.
    pub servers: [Budget; MOST_SERVERS],
    /// Less urgent work that holds up one member.
    pub section: Section,
    /// The server that pays for routines, where the core chose one last; zero: there is none.
    pub chosen: u8,
}

/// The sections that hold up one member: at most one in each busy window of its level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// From now on there is one in each window.
    pub begun: bool,
    /// There was one in this window.
    pub closed: bool,
    /// What is left of it.
    pub left: u8,
    /// How many jobs of a task come before the one that it holds up.
    pub before: u8,
}

/// The jobs of one task or routine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jobs {
    /// Time since the last arrival, at most the least distance of arrivals.
    pub gap: u8,
    /// What the first job still executes for at most.
    pub left: u8,
    /// The position among the ready members of a supply on which it matters, from one.
    pub place: u8,
    /// Its last job ended at this instant.
    pub slept: bool,
    /// Its last job has arrived, and is not released.
    pub held: bool,
    /// Time since the arrival of each job that is not complete, plus one; zero: there is none.
    pub ages: [u8; MOST_PENDING],
}

/// One server.
#[expect(
    clippy::struct_excessive_bools,
    reason = "states are many, so they are small; each is what the model names"
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// What is left; below zero: what was overrun.
    pub amount: i8,
    /// By how much its runtimes end late in this history.
    pub late: u8,
    /// Until the next replenishment or the deadline; of a slot or a table the time in its period.
    pub clock: i8,
    /// Its guest had something ready at the last instant; of a periodic server: it is started.
    pub awake: bool,
    /// It was ready at the last instant.
    pub ready: bool,
    /// As of [`Jobs`].
    pub place: u8,
    /// It is exhausted at this instant.
    pub exhausted: bool,
    /// It waits for its deadline (`SCHED_DEADLINE`); the level is active (sporadic server).
    pub flag: bool,
    /// Fragments of a sporadic server: from when on, and how much; no amount: there is none.
    pub refills: [(i8, u8); MOST_REFILLS],
}

impl State {
    /// Distributes states over a table; nothing else depends on it.
    pub fn hash(&self) -> usize {
        // The golden ratio, as in Fibonacci hashing.
        let mix =
            |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let jobs = self.jobs.iter().map(|jobs| jobs.word());
        let servers = self.servers.iter().flat_map(Budget::words);
        let rest = [self.section.word(), self.chosen.into()];
        let sum = jobs.chain(servers).chain(rest).fold(0, mix);
        usize::try_from((sum ^ sum >> 29) & u64::from(u32::MAX)).expect("of 32 bits")
    }
}

impl Jobs {
    /// All of it but the flag, in which states with these numbers hardly ever differ.
    fn word(self) -> u64 {
        let [first, second, third, fourth] = self.ages;
        let held = u8::from(self.held);
        u64::from_le_bytes([self.gap, self.left, self.place, first, second, third, fourth, held])
    }
}

impl Section {
    fn word(self) -> u64 {
        let flags = u8::from(self.begun) | u8::from(self.closed) << 1;
        u64::from_le_bytes([flags, self.left, self.before, 0, 0, 0, 0, 0])
    }
}

impl Budget {
    /// All of it but two flags.
    fn words(&self) -> [u64; 2] {
        let ([amount], [clock]) = (self.amount.to_le_bytes(), self.clock.to_le_bytes());
        let flags = u8::from(self.awake) | u8::from(self.flag) << 1;
        let refills = self.refills.iter().fold(0, |sum: u64, &(time, amount)| {
            let [time] = time.to_le_bytes();
            sum << 16 | u64::from(u16::from_le_bytes([time, amount]))
        });
        [u64::from_le_bytes([amount, clock, self.place, flags, self.late, 0, 0, 0]), refills]
    }
}

impl Jobs {
    /// A job is released and not complete.
    pub fn are_ready(&self) -> bool {
        self.ages[usize::from(self.held)] > 0
    }

    /// How many jobs are not complete.
    pub fn count(&self) -> usize {
        self.ages.iter().filter(|age| **age > 0).count()
    }

    /// The age of the last of them.
    pub fn last_age(&mut self) -> &mut u8 {
        let last = self.count() - 1;
        &mut self.ages[last]
    }

    /// One more job waits; `None` if there are too many.
    pub fn push(&mut self, age: u8, wcet: u8) -> Option<()> {
        if self.ages[0] == 0 {
            self.left = wcet;
        }
        *self.ages.iter_mut().find(|age| **age == 0)? = age;
        Some(())
    }

    /// The first job is complete; its age.
    pub fn pop(&mut self, wcet: u8) -> u8 {
        let age = self.ages[0];
        self.ages.rotate_left(1);
        self.ages[MOST_PENDING - 1] = 0;
        self.left = if self.ages[0] > 0 { wcet } else { 0 };
        age
    }
}
