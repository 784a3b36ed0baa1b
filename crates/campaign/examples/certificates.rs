//! Certificates, right and wrong ones, with the answers of the checker in Rust, as a file in which Coq looks for the
//! same answers.
//!
//!     cargo run -p vorrang-campaign --example certificates -- 10000 >target/answers.v
//!     sh scripts/proofs.sh target/answers.v
//!
//! **Model.** Each certificate of a random system stands in the file as it was found, and once for each of its numbers
//! with that number moved by one, up or down. The first are those of an example with several reservations, which are seldom
//! drawn. `coqc` fails where it answers one of them otherwise.

use std::io::{self, Write as _};
use vorrang_campaign::generate;
use vorrang_certificate::{Certificate, as_coq, check};
use vorrang_certify::{Search, of_interrupt, of_task};

const SEED: u64 = 49;
/// Certificates in one lemma.
const TOGETHER: usize = 100;
/// Points of the longest certificate that is taken.
const POINTS: usize = 40;

fn main() -> io::Result<()> {
    let wanted = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let mut all: Vec<Certificate> = Vec::new();
    let host = include_str!("../../../examples/kvm-host.toml");
    let host = vorrang_model::read(host, vorrang_model::Format::Toml).expect("a system");
    let drawn = (0..).map(|index| generate::system(SEED, index));
    for system in core::iter::once(host).chain(drawn) {
        let mut search = Search::new(10_000);
        let tasks: Vec<_> =
            system.task_ids().filter_map(|id| of_task(&system, id, &mut search).ok()).collect();
        let interrupts = system.interrupt_ids();
        let interrupts = interrupts.filter_map(|id| of_interrupt(&system, id, &mut search).ok());
        for found in tasks.into_iter().chain(interrupts) {
            if found.points.len() <= POINTS {
                all.extend(moved(&found));
                all.push(found);
            }
        }
        if all.len() >= wanted {
            break;
        }
    }
    all.truncate(wanted);
    write(&all)
}

/// The certificate with each of its numbers moved by one, in turn up and down.
fn moved(right: &Certificate) -> Vec<Certificate> {
    let count = right.clone().numbers().len();
    (0..count)
        .map(|place| {
            let mut wrong = right.clone();
            let mut numbers = wrong.numbers();
            let number = &mut *numbers[place];
            *number = if place % 2 == 0 { *number + 1 } else { number.saturating_sub(1) };
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
