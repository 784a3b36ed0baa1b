//! One shard: the answers about a range of systems, as the bytes of a file.

use crate::answer::{Bench, Found, answer};
use crate::draw::{self, Sample};
use crate::parquet;
use crate::study::Study;
use rayon::prelude::*;

/// Systems that one thread takes at once, at most: they are drawn together.
const BLOCK: usize = 16;
/// Blocks for each thread, at least, where there are as many systems: of few systems each may take seconds.
const BLOCKS: usize = 4;

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
    /// `is_end_wanted` said so, which searches ask in the middle of a system.
    ///
    /// # Panics
    /// If there is no such shard.
    pub fn answered(
        study: &'a Study,
        number: u64,
        is_end_wanted: fn() -> bool,
        done: impl Fn(u64) + Sync,
    ) -> Result<Self, Interrupted> {
        let systems = study.systems_of(number);
        let asks = study.asks().len();
        let count = usize::try_from(systems.end - systems.start).expect("of a shard");
        let mut answers = vec![Ok(0); count * asks];
        let size = block_size(count, rayon::current_num_threads());
        let block = |memory: &mut Memory, (block, rows): (usize, &mut [Found])| {
            let first = systems.start + (block * size) as u64;
            for (system, row) in (first..).zip(rows.chunks_mut(asks)) {
                fill(study, system, memory, row, is_end_wanted);
                // Then searches ended early, and their answers are not those of the study.
                if is_end_wanted() {
                    return Err(Interrupted);
                }
            }
            done((rows.len() / asks) as u64);
            Ok(())
        };
        answers
            .par_chunks_mut(size * asks)
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

/// Systems of a block, where so many are for so many threads.
fn block_size(systems: usize, threads: usize) -> usize {
    systems.div_ceil(BLOCKS * threads).clamp(1, BLOCK)
}

/// Memory of a thread that is used again from system to system.
#[derive(Default)]
struct Memory {
    bench: Bench,
    sample: Sample,
    draw: draw::Memory,
}

fn fill(
    study: &Study,
    system: u64,
    memory: &mut Memory,
    row: &mut [Found],
    is_end_wanted: fn() -> bool,
) {
    let Memory { bench, sample, draw } = memory;
    let place = study.place(system);
    let how = &study.points()[place.0];
    draw.draw(sample, study.seed(), place, how);
    for (ask, cell) in study.asks().iter().zip(row) {
        *cell = answer(how, ask, sample, bench, is_end_wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    static ASKED: AtomicU32 = AtomicU32::new(0);

    #[test]
    fn an_end_that_is_wanted_comes_in_the_middle_of_a_system() {
        // Minutes of histories.
        let study = r#"
version = 1
samples = 1
[tasks]
count = 3
utilisation = "60%"
periods = "automotive"
[ask.ratio]
question = "tightness"
steps = 1000000000
histories = 1000000
"#;
        let study = crate::read(study.as_bytes()).expect("a study");
        let end = || ASKED.fetch_add(1, Ordering::Relaxed) >= 1_000;
        let done = |_| panic!("nothing is done");
        assert!(matches!(Shard::answered(&study, 0, end, done), Err(Interrupted)));
    }

    #[test]
    fn few_systems_are_spread_and_many_are_drawn_together() {
        assert_eq!(block_size(5, 2), 1, "both threads have some of five");
        assert_eq!(block_size(1, 64), 1);
        assert_eq!(block_size(100_000, 2), BLOCK);
    }
}
