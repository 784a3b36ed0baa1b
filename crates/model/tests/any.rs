//! Any text is read without a panic, and any system that is written reads back.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::path::Path;
use vorrang_model::system::{
    Interrupt, InterruptId, Member, Priority, Requirement, RequirementKind, Scheduler, Server,
    ServerKind, Supply, SupplyId, Task, TaskId,
};
use vorrang_model::{Colour, Format, System, limits, read, render, write_toml};
use vorrang_time::Duration;

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
        "interrupts.json",
        "slots.json",
        "servers.json",
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

/// Choices made so far and still to make: a system is built from a list of numbers.
struct Choices {
    left: std::vec::IntoIter<u64>,
}

impl Choices {
    /// A number below `limit`; zero when the list is at its end.
    fn below(&mut self, limit: u64) -> u64 {
        self.left.next().unwrap_or(0) % limit
    }

    fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap()
    }

    fn duration(&mut self, most: Duration) -> Duration {
        Duration::from_ns(1 + self.below(most.as_ns()))
    }

    fn any_duration(&mut self) -> Duration {
        let most = [Duration::from_us(1), Duration::from_ms(100), Duration::MAX_STATED];
        let most = most[self.index(3)];
        self.duration(most)
    }

    fn or_zero(&mut self) -> Duration {
        if self.below(2) == 0 { Duration::ZERO } else { self.any_duration() }
    }
}

/// A system as `read` would make it: cores, then servers and tasks in some order.
fn system(choices: Vec<u64>) -> System {
    let mut choices = Choices { left: choices.into_iter() };
    let mut system = System::default();
    let schedulers = [Scheduler::FixedPriority, Scheduler::Edf, Scheduler::Slots];
    for number in 0..=choices.below(3) {
        let scheduler = schedulers[choices.index(3)];
        let name = format!("core.{number}");
        system.supplies.push(Supply {
            name,
            server: None,
            scheduler,
            members: Vec::new(),
            ..Supply::default()
        });
    }
    while choices.left.len() > 0 {
        let on = SupplyId(choices.index(system.supplies.len()));
        if choices.below(2) == 0 {
            add_server(&mut system, on, &mut choices);
        } else {
            add_task(&mut system, on, &mut choices);
        }
    }
    let own = system.tasks.iter().enumerate().filter_map(|(index, task)| {
        let kind = RequirementKind::Deadline(TaskId(index));
        Some(Requirement { name: task.name.clone(), kind, limit: task.deadline? })
    });
    system.requirements = own.collect();
    add_interrupt(&mut system, &mut choices);
    system
}

fn add_server(system: &mut System, on: SupplyId, choices: &mut Choices) {
    let parent = system.supply(on).scheduler;
    let kinds: &[ServerKind] = match parent {
        Scheduler::FixedPriority => &[
            ServerKind::Periodic,
            ServerKind::Polling,
            ServerKind::Deferrable,
            ServerKind::Sporadic,
        ],
        Scheduler::Edf => &[
            ServerKind::Periodic,
            ServerKind::Deferrable,
            ServerKind::CbsHard,
            ServerKind::CbsSoft,
            ServerKind::SchedDeadline,
        ],
        _ => &[ServerKind::Slot],
    };
    // One slot per core cannot overlap with another.
    if parent == Scheduler::Slots && !system.supply(on).members.is_empty() {
        return;
    }
    let period = choices.any_duration();
    let budget = choices.duration(period);
    let room = Duration::from_ns(period.as_ns() - budget.as_ns() + 1);
    let is_slot = parent == Scheduler::Slots;
    let offset = if is_slot { choices.duration(room).as_ns() - 1 } else { 0 };
    let id = SupplyId(system.supplies.len());
    let noun = ["vcpu", "server"][choices.index(2)];
    let name = format!("{noun}.s{}", id.0);
    system.supplies.push(Supply {
        vm: (noun == "vcpu").then(|| name.clone()),
        name,
        server: Some(Server {
            on,
            kind: kinds[choices.index(kinds.len())],
            budget,
            period,
            offset: Duration::from_ns(offset),
            priority: priority(parent, choices),
            ..Server::default()
        }),
        scheduler: [Scheduler::FixedPriority, Scheduler::Edf][choices.index(2)],
        members: Vec::new(),
        ..Supply::default()
    });
    system.supplies[on.0].members.push(Member::Server(id));
}

fn priority(parent: Scheduler, choices: &mut Choices) -> Priority {
    if parent == Scheduler::FixedPriority {
        Priority(u32::try_from(choices.below(1 + u64::from(limits::PRIORITY))).unwrap())
    } else {
        Priority::default()
    }
}

fn add_task(system: &mut System, on: SupplyId, choices: &mut Choices) {
    let parent = system.supply(on).scheduler;
    if parent == Scheduler::Slots {
        return;
    }
    let id = TaskId(system.tasks.len());
    let deadline = choices.any_duration();
    let has_deadline = parent == Scheduler::Edf || choices.below(2) == 0;
    system.tasks.push(Task {
        name: format!("task.t{}", id.0),
        on,
        wcet: choices.any_duration(),
        min_interarrival: choices.any_duration(),
        deadline: has_deadline.then_some(deadline),
        jitter: choices.or_zero(),
        blocking: choices.or_zero(),
        priority: priority(parent, choices),
        ..Task::default()
    });
    system.supplies[on.0].members.push(Member::Task(id));
}

fn add_interrupt(system: &mut System, choices: &mut Choices) {
    system.interrupts.push(Interrupt {
        name: "interrupt.i".into(),
        on: SupplyId(0),
        isr: choices.any_duration(),
        min_interarrival: choices.any_duration(),
        jitter: choices.or_zero(),
        ..Interrupt::default()
    });
    system.requirements.push(Requirement {
        name: "require.i".into(),
        kind: RequirementKind::HandledWithin(InterruptId(0)),
        limit: choices.any_duration(),
    });
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
        choices in prop::collection::vec(any::<u64>(), 0..150),
    ) {
        let system = system(choices);
        let written = write_toml(&system);
        prop_assert_eq!(read(&written, Format::Toml), Ok(system), "{}", written);
    }
}
