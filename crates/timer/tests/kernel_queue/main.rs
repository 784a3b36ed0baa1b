//! The queue of the kernel module against [`TimerShield`]: the same random histories, the same answers.
//!
//! They differ in one thing, on purpose: of the timers that have expired and may run, the library takes the earliest
//! first, the module the earliest of the most urgent level. So the library is asked level by level.
//!
//! Of timers of one level and one instant the library takes the lowest slot, the kernel the one that was armed first; no two
//! of these histories have the same instant.

mod kernel;

use kernel::{Kernel, LEAST};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use vorrang_time::Instant;
use vorrang_timer::{TimerQueue as _, TimerShield, Urgency};

const SLOTS: u32 = 64;
const HISTORIES: u64 = 60;
const STEPS: u32 = 300;

/// How urgent the timers of a level are.
fn urgency(level: u32) -> Urgency {
    match level {
        0 => Urgency::MOST,
        LEAST => Urgency::BACKGROUND,
        level => Urgency::of_priority(LEAST - level),
    }
}

/// What runs while a level does: an idle core is less urgent than every timer.
fn running(level: u32) -> Urgency {
    if level == LEAST { Urgency::LEAST } else { urgency(level) }
}

struct Both {
    kernel: Kernel,
    library: TimerShield,
    random: ChaCha8Rng,
    /// Of these levels timers are armed.
    levels: Vec<u32>,
    /// Whether the kernel has cancelled one since nothing was held: of that the tree is not told.
    cancelled: bool,
}

impl Both {
    fn below(&mut self, limit: u32) -> u32 {
        self.random.next_u32() % limit
    }

    fn level(&mut self) -> u32 {
        let choice = self.below(u32::try_from(self.levels.len()).unwrap());
        self.levels[choice as usize]
    }

    /// Few instants, and no two timers at one.
    fn at(&mut self, slot: u32) -> u64 {
        u64::from(self.below(30) * SLOTS + slot)
    }

    fn defer(&mut self) -> u64 {
        if self.below(2) == 0 { 0 } else { u64::from(1 + self.below(20 * SLOTS)) }
    }

    fn step(&mut self) {
        let slot = self.below(SLOTS);
        match self.below(8) {
            0..=2 => {
                let (at, level) = (self.at(slot), self.level());
                let before = self.library.pending(slot).is_some();
                self.library.arm(slot, Instant::from_ns(at), urgency(level));
                let answer = self.kernel.ask(&format!("arm 0 {slot} {at} {level}"));
                assert_eq!(answer, u32::from(before).to_string());
            }
            3 => {
                let before = self.library.cancel(slot);
                let answer = self.kernel.ask(&format!("cancel 0 {slot}"));
                assert_eq!(answer, u32::from(before).to_string());
                self.cancelled |= before;
            }
            4 => {
                let level = self.level();
                self.library.rekey(slot, urgency(level));
                self.kernel.ask(&format!("rekey 0 {slot} {level}"));
            }
            _ => {
                let (now, defer, level) = (self.at(SLOTS - 1), self.defer(), self.level());
                let expected = self.expire(now, level, defer);
                let command = format!("expire 0 {now} {level} {defer}");
                assert_eq!(self.kernel.number(&command), expected.map(u64::from), "{command}");
            }
        }
        self.compare();
    }

    /// What the module's rule takes out.
    fn expire(&mut self, now: u64, level: u32, defer: u64) -> Option<u32> {
        let library = &mut self.library;
        let by_level =
            (0..=level).find_map(|level| library.expire(Instant::from_ns(now), running(level)));
        if by_level.is_some() || defer == 0 {
            return by_level;
        }
        let (slot, first) = library.iter().min_by_key(|(_, pending)| pending.at)?;
        if first.at.as_ns() + defer > now {
            return None;
        }
        library.cancel(slot);
        Some(slot)
    }

    fn compare(&mut self) {
        // Before anything else, which mends the tree.
        let is_empty = self.library.iter().next().is_none();
        let answer = self.kernel.ask("empty 0") == "1";
        assert!(is_empty || !answer, "something is held");
        assert!(self.cancelled || answer == is_empty, "the tree is told of what is taken out");
        let defer = self.defer();
        for level in [0, 1, 2, 49, 50, 51, 98, 99, LEAST] {
            let may_run = self.library.next_event(running(level)).map(Instant::as_ns);
            let first = self.library.iter().map(|(_, pending)| pending.at.as_ns()).min();
            let last = first.filter(|_| defer > 0 && level < LEAST).map(|at| at + defer);
            let expected = may_run.into_iter().chain(last).min();
            let command = format!("event 0 {level} {defer}");
            assert_eq!(self.kernel.number(&command), expected, "{command}");
        }
        self.cancelled &= !is_empty;
    }
}

#[test]
fn the_queue_of_the_module_answers_as_the_library_does() {
    let mut kernel = Some(Kernel::start());
    for seed in 0..HISTORIES {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let levels = match seed % 3 {
            0 => vec![0, 1, 50, 99, LEAST],
            1 => (0..4).map(|_| random.next_u32() % (LEAST + 1)).collect(),
            _ => (0..=LEAST).collect(),
        };
        let library = TimerShield::with_levels(SLOTS, SLOTS + 1);
        let kernel_of_this = kernel.take().unwrap();
        let mut both = Both { kernel: kernel_of_this, library, random, levels, cancelled: false };
        both.kernel.ask("reset");
        (0..STEPS).for_each(|_| both.step());
        let listed: Vec<String> = both.library.iter().map(|(slot, _)| format!("{slot} ")).collect();
        assert_eq!(both.kernel.ask("held 0"), listed.concat().trim_end(), "seed {seed}");
        kernel = Some(both.kernel);
    }
}

#[test]
fn a_timer_that_the_kernel_cancelled_is_forgotten_whatever_is_asked() {
    let mut kernel = Kernel::start();
    for level in 0..=LEAST {
        kernel.ask(&format!("arm 0 {level} {} {level}", 1000 + level));
    }
    // All but the last one; the tree of minima is not told.
    for slot in 0..LEAST {
        assert_eq!(kernel.ask(&format!("cancel 0 {slot}")), "1");
    }
    assert_eq!(kernel.number("event 0 99 0"), None);
    assert_eq!(kernel.number("event 0 100 0"), Some(u64::from(1000 + LEAST)));
    assert_eq!(kernel.number("expire 0 1099 100 0"), None);
    assert_eq!(kernel.number("expire 0 1100 100 0"), Some(u64::from(LEAST)));
    assert_eq!(kernel.number("event 0 100 5"), None);
}

#[test]
fn a_timer_that_has_waited_long_enough_fires_whatever_runs() {
    let mut kernel = Kernel::start();
    kernel.ask("arm 0 7 100 90");
    assert_eq!(kernel.number("event 0 20 0"), None);
    assert_eq!(kernel.number("event 0 20 50"), Some(150));
    assert_eq!(kernel.number("expire 0 149 20 50"), None);
    assert_eq!(kernel.number("expire 0 150 20 50"), Some(7));
    // One that is set for ever never has.
    kernel.ask(&format!("arm 0 7 {} 90", i64::MAX - 10));
    assert_eq!(kernel.number("event 0 20 50"), None);
    assert_eq!(kernel.number(&format!("expire 0 {} 20 50", i64::MAX - 5)), None);
}
