//! Certificates, right and wrong ones, with the answers of the checker in Rust, as a file in which Coq looks for the
//! same answers.
//!
//!     cargo run -p vorrang-campaign --example certificates -- 10000 >target/answers.v
//!     sh scripts/proofs.sh target/answers.v
//!
//! **Model.** Each certificate stands in the file as it was found, and with each of its numbers moved by one. First come
//! those of examples that are certified end to end, of which every number is moved up and down; then those of random
//! systems, of which it is moved up or down. Every fourth of these is a core on which calls and switches cost, half of
//! those with cold caches besides, every fourth one with queues of refills, every eighth one a guest with pseudo-VCPUs, every
//! eighth one with timers behind a shield, and every eighth one with guests that find what they have not used.
//! `coqc` fails where it answers one certificate otherwise. At the end those of the examples that the checker refuses stand
//! as `vorrang check --certificate` writes what is certified, and their proof has to fail.

#[path = "../../certify/tests/cached/mod.rs"]
mod cached;
#[path = "../../certify/tests/called/mod.rs"]
mod called;
#[path = "../../certify/tests/idle/mod.rs"]
mod idle;
#[path = "../../certify/tests/queued/mod.rs"]
mod queued;
#[path = "../../certify/tests/shared/mod.rs"]
mod shared;
#[path = "../../certify/tests/shielded/mod.rs"]
mod shielded;

use std::io::{self, Write as _};
use vorrang_campaign::generate;
use vorrang_certificate::{Certificate, as_coq, check};
use vorrang_certify::{Search, of_interrupt, of_task};
use vorrang_model::System;

const SEED: u64 = 49;
/// Certificates in one lemma.
const TOGETHER: usize = 100;
/// Points of the longest certificate that is taken.
const POINTS: usize = 40;
/// Numbers of the longest one.
const NUMBERS: usize = 200;
/// Steps for the certificates of a system.
const STEPS: u64 = 1_000_000;
/// Of so many random systems one is a core with calls and switches, one a core with queues of refills, and one has a guest
/// with pseudo-VCPUs.
const TURNS: u64 = 4;

const EXAMPLES: [&str; 5] = [
    include_str!("../../../examples/hello.toml"),
    include_str!("../../../examples/consolidation.toml"),
    include_str!("../../../examples/irq-reservations.toml"),
    include_str!("../../../examples/interrupts.toml"),
    include_str!("../../../examples/kvm-host.toml"),
];
/// One machine, with either guest.
const FLEET: [&str; 3] = [
    include_str!("../../../examples/fleet/machine.toml"),
    include_str!("../../../examples/fleet/press.toml"),
    include_str!("../../../examples/fleet/oven.toml"),
];

fn main() -> io::Result<()> {
    let wanted = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let mut all: Vec<Certificate> = Vec::new();
    for system in examples() {
        for found in certificates(&system) {
            all.extend(moved(&found, |_| true));
            all.extend(moved(&found, |_| false));
            all.push(found);
        }
    }
    let of_examples = all.len();
    let mut index = 0;
    while all.len() < wanted {
        for found in certificates(&system(index)) {
            all.extend(moved(&found, |place| place % 2 == 0));
            all.push(found);
        }
        index += 1;
    }
    all.truncate(wanted);
    write(&all)?;
    refuse(&all[..of_examples.min(wanted)])
}

fn examples() -> Vec<System> {
    let [machine, guests @ ..] = FLEET;
    let own = |text: &str| {
        let kept =
            text.lines().filter(|of| !of.starts_with("version") && !of.starts_with("include"));
        kept.fold(machine.to_owned(), |all, line| all + "\n" + line)
    };
    let texts = EXAMPLES.map(str::to_owned).into_iter().chain(guests.map(own));
    texts.map(|text| called::system(&text)).collect()
}

fn system(index: u64) -> System {
    match index % TURNS {
        0 if index.is_multiple_of(2 * TURNS) => {
            let text = called::drawn(index);
            called::system(&cached::cached(&text, index, &cached::curve(index)))
        }
        0 => called::system(&called::drawn(index)),
        1 => queued::system(&queued::drawn(index)),
        2 if index % (2 * TURNS) == 2 => shielded::system(&shielded::drawn(index, 1 + index % 3)),
        2 => shared::system(&shared::drawn(index)),
        _ if index % (2 * TURNS) == 3 => idle::system(&idle::drawn(index)),
        _ => generate::system(SEED, index),
    }
}

/// Those of all tasks and interrupts.
fn certificates(system: &System) -> Vec<Certificate> {
    let mut search = Search::new(STEPS);
    let mut all: Vec<_> =
        system.task_ids().filter_map(|id| of_task(system, id, &mut search).ok()).collect();
    let interrupts = system.interrupt_ids();
    all.extend(interrupts.filter_map(|id| of_interrupt(system, id, &mut search).ok()));
    all.retain(|found| found.points.len() <= POINTS && found.clone().numbers().len() <= NUMBERS);
    all
}

/// The certificate with each of its numbers moved by one.
fn moved(right: &Certificate, up: impl Fn(usize) -> bool) -> Vec<Certificate> {
    let count = right.clone().numbers().len();
    (0..count)
        .map(|place| {
            let mut wrong = right.clone();
            let mut numbers = wrong.numbers();
            let number = &mut *numbers[place];
            *number = if up(place) { *number + 1 } else { number.saturating_sub(1) };
            wrong
        })
        .collect()
}

fn write(all: &[Certificate]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(vorrang_certify::head().as_bytes())?;
    for (place, some) in all.chunks(TOGETHER).enumerate() {
        let terms: Vec<_> = some.iter().map(as_coq).collect();
        let answers: Vec<_> = some.iter().map(|one| check(one).to_string()).collect();
        writeln!(
            out,
            "Lemma same{place} : map check [{}] = [{}]. Proof. vm_compute. reflexivity. Qed.",
            terms.join(";\n  "),
            answers.join("; ")
        )?;
    }
    let right = all.iter().filter(|one| check(one)).count();
    eprintln!("{right} of {} certificates are accepted", all.len());
    Ok(())
}

/// What is refused, as a proof that fails.
fn refuse(all: &[Certificate]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let refused: Vec<_> = all.iter().filter(|one| !check(one)).collect();
    for one in &refused {
        let proof = "Proof. vm_cast_no_check (eq_refl true). Fail Qed. Abort.";
        writeln!(out, "Goal check ({}) = true. {proof}", as_coq(one))?;
    }
    eprintln!("{} of {} certificates of examples are refused", refused.len(), all.len());
    Ok(())
}
