//! Deadline-miss probabilities of tasks, in reservations and among others, against many simulated jobs. The
//! module `chance` of the library describes the systems and the checks.
//!
//! ```text
//! vorrang-chance                  # 200 systems, 100,000 jobs each
//! vorrang-chance --systems 1000 --seed 7
//! vorrang-chance --among          # tasks among more urgent ones
//! ```
//!
//! Exit codes: 0 no violation; 1 a job beyond the backlog recursion, or more late jobs than the bound
//! allows; 2 wrong arguments.

use clap::Parser;
use std::process::ExitCode;
use vorrang_campaign::chance::{Amount, Outcome, claimed, draw, draw_among, run};

#[derive(Parser)]
#[command(version, about = "Compares bounds on the deadline-miss probability with simulations")]
struct Arguments {
    /// The number of systems.
    #[arg(long, default_value_t = 200)]
    systems: u64,
    /// The seed of the systems.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Histories of each.
    #[arg(long, default_value_t = 1_000)]
    runs: u64,
    /// Jobs of each history.
    #[arg(long, default_value_t = 100)]
    jobs: u64,
    /// Tasks among more urgent ones instead of tasks alone in a reservation.
    #[arg(long)]
    among: bool,
}

/// The number of late jobs from which on the share is compared with the bound.
const ENOUGH: u64 = 100;

fn main() -> ExitCode {
    let Arguments { systems, seed, runs, jobs, among } = Arguments::parse();
    let amount = Amount { runs, jobs };
    let mut wrong = 0;
    let (mut limits, mut bounded) = (0_u64, 0_u64);
    let mut tightness = Vec::new();
    for index in 0..systems {
        let drawn = if among { draw_among(seed, index) } else { draw(seed, index) };
        let claims = claimed(&drawn.system);
        let seen = run(&drawn, amount, |_, limit| claims[&limit]);
        if let Some(witness) = &seen.witness {
            wrong += 1;
            println!(
                "system {index}: {} jobs beyond the recursion, first in {witness}",
                seen.beyond
            );
        }
        for outcome in &seen.outcomes {
            limits += 1;
            bounded += u64::from(outcome.bound.is_some());
            if outcome.alarming {
                wrong += 1;
                println!("system {index}: {outcome:?}");
            }
            tightness.extend(ratio(outcome));
        }
        eprint!("\r{} of {systems} systems, {wrong} wrong ", index + 1);
    }
    eprintln!();
    tightness.sort_unstable();
    println!(
        "{systems} systems of {} jobs each, seed {seed}: {wrong} wrong; {bounded} of {limits} limits have a bound",
        runs * jobs
    );
    println!(
        "bound / share of late jobs, where {ENOUGH} or more were late and the bound is below one ({} limits):",
        tightness.len()
    );
    for tenth in (0..=10).filter(|_| !tightness.is_empty()) {
        let place = (tightness.len() - 1) * tenth / 10;
        println!("  {:3} %  {}.{:02}", tenth * 10, tightness[place] / 100, tightness[place] % 100);
    }
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The bound as hundredths of the share of late jobs.
fn ratio(outcome: &Outcome) -> Option<u64> {
    const TRILLION: u64 = 1_000_000_000_000;
    let bound = outcome.bound?.per_trillion_ceil();
    if outcome.late < ENOUGH || bound == TRILLION {
        return None;
    }
    let share = u128::from(outcome.late) * u128::from(TRILLION) / u128::from(outcome.jobs);
    u64::try_from(u128::from(bound) * 100 / share).ok()
}
