//! Random processors: what the dispatcher lets run is what the simulator says.

use crate::memory::Job;
use crate::simulated::Case;
use crate::stated::{BY_DEADLINE, BY_PRIORITY, job, server};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use vorrang_host::processor::Order;
use vorrang_model::system::Server;
use vorrang_time::{Duration, Instant};

/// So many are drawn.
const CASES: u64 = 10_000;
/// Looks and releases, in microseconds.
const LOOK: u64 = 500;

struct Draw(ChaCha8Rng);

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        self.0.next_u64() % end
    }

    fn server(&mut self, order: Order) -> Server {
        let kinds = match order {
            Order::FixedPriority => &BY_PRIORITY[..],
            Order::Edf => &BY_DEADLINE[..],
        };
        let kind = kinds[usize::try_from(self.below(kinds.len() as u64)).expect("few")];
        // Coarse ones end and return at the same instants.
        let unit = [1, 500][usize::from(self.below(2) == 0)];
        let period = 2000 + 250 * self.below(60);
        let budget = (1 + self.below(period / 2)).next_multiple_of(unit);
        let priority = 1 + u32::try_from(self.below(4)).expect("few");
        Server {
            refills: 2 + u32::try_from(self.below(7)).expect("few"),
            min_budget: (self.below(3) == 0).then(|| Duration::from_us(1 + budget / 5)),
            ..server(kind, [budget, period], priority)
        }
    }

    fn jobs(&mut self) -> Vec<Job> {
        let (longest, pause) = (1 + self.below(8000), 1 + self.below(20));
        let mut release = self.below(10);
        let mut jobs = Vec::new();
        for _ in 0..self.below(60) {
            jobs.push(job(release * LOOK, 1 + self.below(longest)));
            release += self.below(pause);
        }
        jobs
    }

    fn case(&mut self) -> Case {
        let order = if self.below(2) == 0 { Order::FixedPriority } else { Order::Edf };
        let count = 1 + self.below(5);
        Case {
            order,
            servers: (0..count).map(|_| self.server(order)).collect(),
            jobs: (0..count).map(|_| self.jobs()).collect(),
            look: Duration::from_us(LOOK),
            horizon: Instant::from_ns(150_000_000),
        }
    }
}

#[test]
fn random_processors_run_as_they_are_simulated() {
    let mut stretches = 0;
    for seed in 0..CASES {
        let case = Draw(ChaCha8Rng::seed_from_u64(seed)).case();
        let (ours, simulated) = (case.dispatched(), case.simulated());
        stretches += ours.len();
        let differs = ours.iter().zip(&simulated).position(|(one, other)| one != other);
        assert!(
            ours == simulated,
            "seed {seed}: {case:?}\nfrom stretch {differs:?} on\n{:?}\n{:?}",
            &ours[differs.unwrap_or(0)..],
            &simulated[differs.unwrap_or(0)..]
        );
    }
    assert!(stretches > 50 * usize::try_from(CASES).expect("few"), "{stretches}: they run");
}
