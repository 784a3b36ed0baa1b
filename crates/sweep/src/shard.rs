//! One shard: the answers about a range of systems, as the bytes of a file.

use crate::answer::{Bench, Found, answer};
use crate::draw::{self, Sample};
use crate::parquet;
use crate::study::Study;
use rayon::prelude::*;

/// Systems that one thread takes at once. A thread checks after as many whether it is to end; few,
/// because a system may take a tenth of a second.
const BLOCK: usize = 16;

/// It was ended before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// The answers about the systems of one shard.
pub struct Shard<'a> {
    study: &'a Study,
    number: u64,
    /// Row by row, one for each question.
    answers: Vec<Found>,
}

impl<'a> Shard<'a> {
    /// Asks everything about every system of the shard, on the threads of the current pool. `done` is told
    /// how many systems were asked about.
    ///
    /// # Errors
    /// `is_end_wanted` said so.
    ///
    /// # Panics
    /// If there is no such shard.
    pub fn answered(
        study: &'a Study,
        number: u64,
        is_end_wanted: impl Fn() -> bool + Sync,
        done: impl Fn(u64) + Sync,
    ) -> Result<Self, Interrupted> {
        let systems = study.systems_of(number);
        let asks = study.asks().len();
        let count = usize::try_from(systems.end - systems.start).expect("of a shard");
        let mut answers = vec![Ok(0); count * asks];
        let block = |memory: &mut Memory, (block, rows): (usize, &mut [Found])| {
            if is_end_wanted() {
                return Err(Interrupted);
            }
            let first = systems.start + (block * BLOCK) as u64;
            for (system, row) in (first..).zip(rows.chunks_mut(asks)) {
                fill(study, system, memory, row);
            }
            done((rows.len() / asks) as u64);
            Ok(())
        };
        answers
            .par_chunks_mut(BLOCK * asks)
            .enumerate()
            .map_init(Memory::default, block)
            .collect::<Result<(), Interrupted>>()?;
        Ok(Self { study, number, answers })
    }

    /// As a Parquet file; `tool` made it.
    pub fn bytes(&self, tool: &str) -> Vec<u8> {
        parquet::file(self.study, self.number, &self.answers, tool)
    }
}

/// Memory of a thread that is used again from system to system.
#[derive(Default)]
struct Memory {
    bench: Bench,
    sample: Sample,
    draw: draw::Memory,
}

fn fill(study: &Study, system: u64, memory: &mut Memory, row: &mut [Found]) {
    let Memory { bench, sample, draw } = memory;
    let place = study.place(system);
    let how = &study.points()[place.0];
    draw.draw(sample, study.seed(), place, how);
    for (ask, cell) in study.asks().iter().zip(row) {
        *cell = answer(how, ask, sample, bench);
    }
}
