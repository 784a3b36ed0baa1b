//! Any text is read without a panic, and any system that is written reads back.

mod system;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::path::Path;
use vorrang_model::{Colour, Format, System, limits, read, render, write_toml};

/// What makes a text wrong in more interesting ways than a random byte.
const PIECES: &[&str] = &[
    "",
    "\n",
    " ",
    ".",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "\"",
    "'",
    "\"\"\"",
    "=",
    ",",
    "#",
    ":",
    "\\",
    "\\u0000",
    "\u{0}",
    "\u{feff}",
    "\u{2028}",
    "ä",
    "\r",
    "-",
    "0",
    "1",
    "-1",
    "1e999",
    "nan",
    "0x",
    "9223372036854775808",
    "true",
    "null",
    "1979-05-27",
    "\"\"",
    "\"1ms\"",
    "\"-1ms\"",
    "\"0s\"",
    "\"none\"",
    "\"1000001s\"",
    "\"0.1ns\"",
    "\"core.0\"",
    "\"vcpu.cluster\"",
    "\"server.inner\"",
    "\"task.logger\"",
    "\"task.\"",
    "version = 2\n",
    "[core.0]\n",
    "[task.a]\n",
    "[task]\n",
    "core = 1\n",
    "on = \"server.inner\"\n",
    "scheduler = \"edf\"\n",
    "scheduler = \"slots\"\n",
    "scheduler = \"rate-monotonic\"\n",
    "server = \"slot\"\n",
    "server = \"sporadic\"\n",
    "offset = \"1ms\"\n",
    "priority = 1\n",
    "deadline = \"none\"\n",
    "period = \"1ns\"\n",
    "budget = \"1000000s\"\n",
    "jitter = 5\n",
    "virtual = {}\n",
    "[costs]\n",
    "[cache.small]\n",
    "[device.a]\n",
    "\"9%\"",
    "\"101%\"",
    "\"0.0000001\"",
    "scheduler = \"linux\"\n",
    "scheduler = \"stride\"\n",
    "server = \"share\"\n",
    "server = \"sched-deadline\"\n",
    "interrupts = \"nested\"\n",
    "arrive = \"line-rate\"\n",
    "wakes = true\n",
    "wakes = \"task.can-rx\"\n",
    "armed-by = \"task.can-rx\"\n",
    "receiver = \"task.read-a\"\n",
    "cache = \"cache.small\"\n",
    "quantum = \"1ms\"\n",
    "time-slice = \"1ms\"\n",
    "share = 3\n",
    "storm = \"1us\"\n",
    "bits-per-second = 1\n",
];

/// One change of a text; positions are taken modulo its length.
#[derive(Clone, Debug)]
enum Change {
    Byte(usize, u8),
    Insert(usize, &'static str),
    Cut(usize, usize),
    DropLine(usize),
    RepeatLine(usize, usize),
    ReplaceWord(usize, &'static str),
}

fn change() -> impl Strategy<Value = Change> {
    let piece = || prop::sample::select(PIECES);
    prop_oneof![
        (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        (any::<usize>(), piece()).prop_map(|(at, piece)| Change::Insert(at, piece)),
        (any::<usize>(), 0..40_usize).prop_map(|(at, length)| Change::Cut(at, length)),
        any::<usize>().prop_map(Change::DropLine),
        (any::<usize>(), any::<usize>()).prop_map(|(from, to)| Change::RepeatLine(from, to)),
        (any::<usize>(), piece()).prop_map(|(at, piece)| Change::ReplaceWord(at, piece)),
    ]
}

fn changed(mut text: Vec<u8>, change: &Change) -> Vec<u8> {
    let length = text.len() + 1;
    match *change {
        Change::Byte(at, byte) => {
            if let Some(place) = text.get_mut(at % length) {
                *place = byte;
            }
        }
        Change::Insert(at, piece) => {
            let at = at % length;
            text.splice(at..at, piece.bytes());
        }
        Change::Cut(at, count) => {
            let at = at % length;
            text.drain(at..(at + count).min(length - 1));
        }
        Change::DropLine(line) => {
            return with_lines(&text, |lines| {
                let line = line % lines.len();
                lines.remove(line);
            });
        }
        Change::RepeatLine(from, to) => {
            return with_lines(&text, |lines| {
                let (from, to) = (from % lines.len(), to % lines.len());
                lines.insert(to, lines[from]);
            });
        }
        Change::ReplaceWord(at, piece) => {
            let at = at % length;
            let is_end = |byte: &u8| byte.is_ascii_whitespace() || b".=[]{},".contains(byte);
            let end = text[at..].iter().position(is_end).map_or(length - 1, |end| at + end);
            text.splice(at..end, piece.bytes());
        }
    }
    text
}

fn with_lines(text: &[u8], change: impl Fn(&mut Vec<&[u8]>)) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    if !lines.is_empty() {
        change(&mut lines);
    }
    lines.concat()
}

/// A right description of one of the two formats.
fn right() -> impl Strategy<Value = (Vec<u8>, Format)> {
    const NAMES: &[&str] = &[
        "sample.toml",
        "interrupts.toml",
        "servers.toml",
        "slots.toml",
        "schedulers.toml",
        "odd-writing.toml",
        "virtual.toml",
        "turns.toml",
        "devices.toml",
        "interrupts.json",
        "slots.json",
        "servers.json",
        "turns.json",
        "devices.json",
    ];
    prop::sample::select(NAMES).prop_map(|name| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/right").join(name);
        (std::fs::read(&path).unwrap(), Format::of_path(&path))
    })
}

/// Reads a text; whatever comes of it must hold together.
fn check(source: &[u8], format: Format) {
    match read(source, format) {
        Ok(system) => {
            let written = write_toml(&system);
            let again = read(&written, Format::Toml);
            assert_eq!(again, Ok(System { unsupported: Vec::new(), ..system }), "{written}");
        }
        Err(errors) => {
            assert!(!errors.is_empty() && errors.len() <= limits::DIAGNOSTICS + 1);
            for error in &errors {
                let labels = error.others.iter().map(|label| &label.span);
                for span in labels.chain([&error.span]) {
                    assert!(span.start <= span.end && span.end <= source.len(), "{error:?}");
                }
            }
            let text = render(&errors, "any", source, Colour::Never);
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
            assert!(text.lines().all(|line| line == line.trim_end()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        // The same cases everywhere; more of them: PROPTEST_CASES=1000000.
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn changed_descriptions_are_read_without_panic(
        (source, format) in right(),
        changes in prop::collection::vec(change(), 1..6),
    ) {
        let source = changes.iter().fold(source, changed);
        check(&source, format);
        // As the other format, too.
        let other = if format == Format::Toml { Format::Json } else { Format::Toml };
        check(&source, other);
    }

    #[test]
    fn any_bytes_are_read_without_panic(source in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&source, Format::Toml);
        check(&source, Format::Json);
    }

    #[test]
    fn any_pieces_are_read_without_panic(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40),
    ) {
        check(pieces.concat().as_bytes(), Format::Toml);
        check(pieces.concat().as_bytes(), Format::Json);
    }

    #[test]
    fn any_system_that_is_written_reads_back(
        choices in prop::collection::vec(any::<u64>(), 0..400),
    ) {
        let system = system::of(choices);
        let written = write_toml(&system);
        prop_assert_eq!(read(&written, Format::Toml), Ok(system), "{}", written);
    }
}

/// The round trip is worth what the systems hold.
#[test]
fn random_systems_are_of_all_kinds() {
    use vorrang_model::system::{Activation, ServerKind, Supply};
    let mut seen = [0; 15];
    let mut state = 1_u64;
    let mut number = || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    for _ in 0..500 {
        let system = system::of((0..300).map(|_| number()).collect());
        let servers = || system.supplies.iter().filter_map(Supply::server);
        let deliveries = || system.interrupts.iter().filter_map(|of| of.delivery.as_ref());
        let woken = |by: fn(&Activation) -> bool| {
            system.tasks.iter().filter(|task| by(&task.activation)).count()
        };
        let counts = [
            servers()
                .filter(|server| server.reclaims() && server.relative_deadline() < server.period)
                .count(),
            system
                .supplies
                .iter()
                .filter(|own| own.server_kind() == Some(ServerKind::Share))
                .count(),
            system.supplies.iter().filter_map(Supply::level).count(),
            system.supplies.iter().filter(|supply| supply.cache.is_some()).count(),
            deliveries().filter(|delivery| delivery.pseudo_vcpu.is_some()).count(),
            system.interrupts.iter().filter(|of| of.storm.is_some()).count(),
            woken(|by| matches!(by, Activation::Interrupt(_))),
            woken(|by| matches!(by, Activation::Timer(_))),
            woken(|by| matches!(by, Activation::Device(_))),
            woken(|by| matches!(by, Activation::Task(_))),
            woken(|by| matches!(by, Activation::Join)),
            system.timers.iter().filter(|timer| !timer.wakes).count(),
            system.devices.iter().filter(|device| device.receiver.is_none()).count(),
            system.interrupts.iter().filter(|of| of.timer.is_some()).count(),
            system.interrupts.iter().filter(|of| of.raised_by.is_some()).count(),
            system.interrupts.iter().filter(|of| of.posted).count(),
        ];
        for (all, found) in seen.iter_mut().zip(counts) {
            *all += usize::from(found > 0);
        }
    }
    assert!(seen.iter().all(|systems| *systems >= 10), "{seen:?} of 500 systems");
}
