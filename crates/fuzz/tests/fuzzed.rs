//! Some inputs of every reader, and every fault on purpose.

use std::path::PathBuf;
use std::time::Duration;
use vorrang_fuzz::corpus::Corpus;
use vorrang_fuzz::input::Input;
use vorrang_fuzz::order::Order;
use vorrang_fuzz::reader::Reader;
use vorrang_fuzz::supervisor::supervise;
use vorrang_fuzz::tally::{Fault, Tally};

/// Programs of tests are not optimised, so their time is not judged, except for what never ends.
fn fuzzed(only: Reader, inputs: u64, untimed: bool) -> Tally {
    let order = Order {
        program: PathBuf::from(env!("CARGO_BIN_EXE_vorrang-fuzz")),
        seed: 1,
        inputs,
        only: Some(only),
        untimed,
        patience: Duration::from_secs(if untimed { 120 } else { 5 }),
    };
    supervise(&order, |_, _| {}).expect("a worker starts")
}

#[test]
fn some_inputs_of_every_reader_show_nothing() {
    for reader in Reader::all() {
        let inputs = if reader == Reader::Names { 200 } else { 2_000 };
        let tally = fuzzed(reader, inputs, true);
        assert!(tally.findings.is_empty(), "{reader}: {:#?}", tally.findings);
        let count = &tally.counts[&reader];
        assert_eq!(count.inputs, inputs);
        // Who refuses everything is not tested.
        assert!(count.accepted > inputs / 20, "{reader}: {count:?}");
        assert!(count.accepted < inputs, "{reader}: {count:?}");
    }
}

#[test]
fn every_fault_is_noticed() {
    let found = fuzzed(Reader::Planted, 6, false).findings;
    let faults: Vec<(u64, Fault)> =
        found.iter().map(|finding| (finding.index, finding.fault)).collect();
    let meant =
        [Fault::Panic, Fault::Wrong, Fault::Slow, Fault::Hungry, Fault::Death, Fault::Endless];
    assert_eq!(faults, (0..).zip(meant).collect::<Vec<_>>(), "{found:?}");
    assert_eq!(found[0].says, "on purpose");
}

#[test]
fn a_seed_and_a_number_are_an_input() {
    let (corpus, again) = (Corpus::of_repository().unwrap(), Corpus::of_repository().unwrap());
    let drawn = |corpus: &Corpus, seed| -> Vec<Input> {
        (0..200).map(|index| Input::drawn(corpus, seed, index, None)).collect()
    };
    assert_eq!(drawn(&corpus, 7), drawn(&again, 7));
    assert_ne!(drawn(&corpus, 7), drawn(&corpus, 8));
}

#[test]
fn elsewhere_it_says_that_it_must_be_run_in_the_repository() {
    let folder = tempfile::tempdir().expect("a folder");
    let why = Corpus::of(folder.path()).expect_err("there is no repository").to_string();
    assert!(why.starts_with("run it in the repository, by `cargo run -p vorrang-fuzz`"), "{why}");
}
