//! The committed consolidation is what its generator writes.

#[path = "../examples/consolidation/generator.rs"]
mod generator;
#[path = "../examples/consolidation/layout.rs"]
mod layout;

const COMMITTED: &str = include_str!("../../../examples/consolidation.toml");

#[test]
fn the_committed_file_is_what_the_generator_writes() {
    assert_eq!(generator::description(2), COMMITTED);
}

#[test]
fn another_seed_draws_other_runnables() {
    assert_ne!(generator::description(1), COMMITTED);
}
