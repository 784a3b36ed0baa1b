//! The committed consolidation is what its generator writes.

use crate::generator;

const COMMITTED: &str = include_str!("../../../../examples/consolidation.toml");

#[test]
fn the_committed_file_is_what_the_generator_writes() {
    assert_eq!(generator::description(2), COMMITTED);
}

#[test]
fn another_seed_draws_other_runnables() {
    assert_ne!(generator::description(1), COMMITTED);
}
