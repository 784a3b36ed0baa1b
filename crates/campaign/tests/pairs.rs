//! Every mechanism beside every other on every kind of core: docs/pairs.md, written here.
//!
//! Two mechanisms go into one guest, where they state different things of it into two. Each system is simulated too, from
//! the instant at which everything arrives, so that a bound that forgets one of the two shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use toml::{Table, Value};
use vorrang_analysis::{Bounds, bounds};
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, System};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Job, Observer, Source, simulate};
use vorrang_time::{Duration, Instant};
use vorrang_verdict::cause::Cause;

const PARTS: &str = include_str!("pairs/mechanisms.toml");
const PAGE: &str = "docs/pairs.md";
const END: Instant = Instant::from_ns(120_000_000);

/// What a part of `mechanisms.toml` says under a key, or nothing.
fn said<'part>(part: &'part Value, key: &str) -> &'part str {
    part.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// What a mechanism adds to a core, for the guest with this name and number.
fn text_of(mechanism: &Value, host: &Value, (guest, number): (&str, &str)) -> Vec<Table> {
    let with = mechanism.get("with").and_then(Value::as_array).into_iter().flatten();
    let mut texts: Vec<_> = with.map(|key| said(host, key.as_str().expect("a key"))).collect();
    texts.push(said(mechanism, "text"));
    if !said(mechanism, "kind").is_empty() {
        texts.push(said(host, "kind"));
    }
    let filled = texts.into_iter().map(|text| {
        let text = text.replace('@', guest).replace('#', number);
        text.replace("KIND", said(mechanism, "kind")).parse().expect("a part is TOML")
    });
    filled.collect()
}

/// Adds what is not there; false where something else is there.
fn add(to: &mut Table, from: Table) -> bool {
    let mut agrees = true;
    for (key, value) in from {
        match (to.get_mut(&key), value) {
            (None, value) => {
                to.insert(key, value);
            }
            (Some(Value::Table(inner)), Value::Table(value)) => agrees &= add(inner, value),
            (Some(there), value) => agrees &= *there == value,
        }
    }
    agrees
}

/// A mechanism on top of what is there; nothing where they contradict each other.
fn with(to: &Table, parts: Vec<Table>) -> Option<Table> {
    let mut own = Table::new();
    // The first to say something of a key has the last word within one mechanism.
    for part in parts {
        add(&mut own, part);
    }
    let mut both = to.clone();
    add(&mut both, own).then_some(both)
}

/// Takes away the keys that are left out.
fn leave_out(table: &mut Table) {
    table.retain(|_, value| value.as_str() != Some(""));
    for value in table.iter_mut().filter_map(|(_, value)| value.as_table_mut()) {
        leave_out(value);
    }
}

const GUESTS: [(&str, &str); 2] = [("v", "0"), ("w", "1")];

/// Two mechanisms on a core, and whether one guest has both.
struct Pair {
    text: String,
    is_in_one: bool,
}

/// The text of two mechanisms on top of each other, with both guests.
fn finished(mut both: Table, host: &Value) -> String {
    for (guest, number) in GUESTS {
        let text = said(host, "text").replace('@', guest).replace('#', number);
        add(&mut both, text.parse().expect("a part is TOML"));
    }
    leave_out(&mut both);
    toml::to_string(&both).expect("a table")
}

/// Two mechanisms in one guest where they do not contradict each other and the reader takes both, otherwise in two.
fn describe(host: &Value, first: &Value, second: &Value) -> Pair {
    let empty: Table = "version = 1".parse().expect("TOML");
    let one = with(&empty, text_of(first, host, GUESTS[0])).expect("nothing is there");
    let is_itself = said(first, "name") == said(second, "name");
    let same = (!is_itself).then(|| with(&one, text_of(second, host, GUESTS[0]))).flatten();
    let same = same.map(|both| finished(both, host));
    if let Some(text) = same.filter(|text| read(text, Format::Toml).is_ok()) {
        return Pair { text, is_in_one: true };
    }
    let two = with(&one, text_of(second, host, GUESTS[1])).expect("two guests do not contradict");
    Pair { text: finished(two, host), is_in_one: false }
}

/// What became of a pair.
enum Cell {
    /// The longest bound of a requirement.
    Bound(Duration),
    /// A requirement is not proven, or the description is refused.
    Code(String),
}

impl Cell {
    fn text(&self) -> String {
        match self {
            Self::Bound(bound) => {
                let tenths = bound.as_ns().div_ceil(100_000);
                format!("{}.{}", tenths / 10, tenths % 10)
            }
            Self::Code(code) => code.clone(),
        }
    }
}

/// The longest response of each requirement's task or interrupt.
struct Longest(BTreeMap<Source, Duration>);

impl Observer for Longest {
    fn completed(&mut self, job: &Job, at: Instant) {
        let longest = self.0.entry(job.source).or_default();
        *longest = (*longest).max(at - job.arrival);
    }
}

/// Of a system with two mechanisms: what its requirements come to. No response may exceed a bound.
fn judge(text: &str) -> Cell {
    let system = match read(text, Format::Toml) {
        Ok(system) => system,
        Err(errors) => return Cell::Code(errors[0].code.to_string()),
    };
    let known = bounds(&system);
    attack(text, &system, &known);
    let found = system.requirements.iter().map(|requirement| match requirement.probability {
        None => known.requirement(requirement).found.clone().map(|proof| proof.bound),
        Some(_) => known.chance(&system, requirement).found.map(|_| requirement.limit),
    });
    let found: Vec<_> = found.collect();
    let codes = found.iter().filter_map(|found| found.as_ref().err());
    let first = codes.map(|reason| Cause::from(reason).code()).min();
    let longest = found.iter().flatten().max().copied().unwrap_or_default();
    first.map_or(Cell::Bound(longest), |code| Cell::Code(code.to_owned()))
}

/// Everything at once, then each thing from an instant of its own, storms and late runtimes included.
fn attack(text: &str, system: &System, known: &Bounds) {
    let mut random = Random::new(45, text.len() as u64);
    let mut longest = Longest(BTreeMap::new());
    for most in [0, 20_000_000] {
        let mut history = History::quiet(system);
        let mut at = || Arrivals::from(Instant::from_ns(random.below(most + 1)));
        let timers = history.timers.iter_mut();
        for arrivals in timers.chain(&mut history.interrupts).chain(&mut history.tasks) {
            *arrivals = at();
        }
        history.devices.iter_mut().for_each(|packets| *packets = Some(Instant::ZERO));
        history.storms.iter_mut().for_each(|storm| *storm = most > 0);
        for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
            let period = supply.server().map_or(1, |server| server.period.as_ns());
            *phase = Duration::from_ns(random.below(period.min(most + 1)));
        }
        let core = system.supply(SupplyId(0));
        history.overruns.fill(core.overrun);
        history.sections = core.sections;
        if simulate(system, SupplyId(0), &history, END, &mut longest).is_err() {
            return;
        }
    }
    for (source, response) in longest.0 {
        let (name, bound) = match source {
            Source::Task(id) => (&system.task(id).name, known.task(id).bound()),
            Source::Interrupt(id) => (&system.interrupt(id).name, known.interrupt(id).bound()),
        };
        let is_kept = bound.is_none_or(|bound| response <= bound);
        assert!(is_kept, "{name} took {response} of {bound:?} in\n{text}");
    }
}

/// What is there for one kind of core: its mechanisms, and what became of each pair of them.
struct Host<'part> {
    name: &'part str,
    /// With the code of the description that has it alone.
    refused: Vec<(&'part str, String)>,
    /// By the places of two mechanisms, the later one first; with whether one guest has both.
    cells: BTreeMap<(usize, usize), (Cell, bool)>,
}

fn host<'part>(host: &'part Value, mechanisms: &'part [Value]) -> Host<'part> {
    let mut of = Host { name: said(host, "name"), refused: Vec::new(), cells: BTreeMap::new() };
    let mut places = Vec::new();
    for (place, mechanism) in mechanisms.iter().enumerate() {
        match read(&describe(host, mechanism, mechanism).text, Format::Toml) {
            Ok(_) => places.push(place),
            Err(errors) => of.refused.push((said(mechanism, "name"), errors[0].code.to_string())),
        }
    }
    for (index, &later) in places.iter().enumerate() {
        for &earlier in &places[..=index] {
            let pair = describe(host, &mechanisms[earlier], &mechanisms[later]);
            of.cells.insert((later, earlier), (judge(&pair.text), pair.is_in_one));
        }
    }
    of
}

/// The codes on the page.
fn codes<'page>(hosts: &'page [Host<'_>]) -> BTreeSet<&'page str> {
    let cells = hosts.iter().flat_map(|host| host.cells.values());
    let codes = cells.filter_map(|(cell, _)| match cell {
        Cell::Bound(_) => None,
        Cell::Code(code) => Some(code.as_str()),
    });
    codes.collect()
}

/// Why no bound is known of what is left, by code.
fn reasons_of(reasons: &[Value]) -> String {
    let mut text = "\n| | why there is no bound |\n|---|---|\n".to_owned();
    for reason in reasons {
        writeln!(text, "| {} | {} |", said(reason, "code"), said(reason, "why")).expect("room");
    }
    text
}

/// The names of the codes on the page, and in how many pairs each is on which core.
fn left(hosts: &[Host<'_>]) -> String {
    let mut counts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, host) in hosts.iter().enumerate() {
        for (cell, _) in host.cells.values() {
            let row = match cell {
                Cell::Bound(_) => "a bound",
                Cell::Code(code) => code,
            };
            counts.entry(row).or_insert_with(|| vec![0; hosts.len()])[place] += 1;
        }
    }
    let title = |code: &str| {
        let cause = Cause::ALL.iter().find(|cause| cause.code() == code).map(|cause| cause.title());
        cause.unwrap_or(match code {
            "a bound" => "for every requirement",
            _ => "the description is refused",
        })
    };
    let mut text = "| | |".to_owned();
    for host in hosts {
        write!(text, " `{}` |", host.name).expect("room");
    }
    text += "\n|---|---|";
    text += &"---|".repeat(hosts.len());
    let (bound, rest): (Vec<_>, Vec<_>) = counts.iter().partition(|(code, _)| **code == "a bound");
    for (code, counts) in bound.into_iter().chain(rest) {
        write!(text, "\n| {code} | {} |", title(code)).expect("room");
        for count in counts {
            write!(text, " {count} |").expect("room");
        }
    }
    text + "\n"
}

/// The pairs of one kind of core.
fn section(host: &Host<'_>, mechanisms: &[Value]) -> String {
    let mut text = format!("\n## `{}`\n\n", host.name);
    if !host.refused.is_empty() {
        text += "| not defined | |\n|---|---|\n";
        for (name, code) in &host.refused {
            writeln!(text, "| {name} | {code} |").expect("room");
        }
        text += "\n";
    }
    let places: BTreeSet<_> = host.cells.keys().map(|(later, _)| *later).collect();
    text += "| | |";
    for place in &places {
        write!(text, " {} |", place + 1).expect("room");
    }
    text += "\n|---|---|";
    text += &"---|".repeat(places.len());
    for &later in &places {
        write!(text, "\n| {} | {} |", later + 1, said(&mechanisms[later], "name")).expect("room");
        for &earlier in places.range(..=later) {
            let (cell, is_in_one) = &host.cells[&(later, earlier)];
            let mark = if *is_in_one { "" } else { "\u{2032}" };
            write!(text, " {}{mark} |", cell.text()).expect("room");
        }
    }
    text + "\n"
}

const HEAD: &str = "# Every pair of mechanisms

<!-- written by `VORRANG_WRITE_DOCS=1 cargo test -p vorrang-campaign --test campaign pairs` -->

Each mechanism stands beside each other one, and beside itself, in a small system with two guests. A number is the longest bound of a requirement, in milliseconds. A code says why one has no bound (`vorrang explain CODE`); [what has no bound](theory/not-bounded.md) has the reasons.

Both mechanisms are in one guest where that is a description. With \u{2032} each is in a guest of its own. What is not defined on a core has the code with which a description of it is refused there. Cores that go by \"stride\" or \"vtrr\" have the bounds of [any order](theory/any-order.md) and are left out here.

[`mechanisms.toml`](../crates/campaign/tests/pairs/mechanisms.toml) has what the systems are made of. Each was simulated too: no response exceeded its bound.

## What is left

";

#[test]
fn the_page_of_pairs_is_fresh() {
    let parts: Table = PARTS.parse().expect("TOML");
    let [hosts, mechanisms, whys] = ["host", "mechanism", "reason"]
        .map(|key| parts[key].as_array().expect("a list").as_slice());
    let hosts: Vec<_> = hosts.iter().map(|of| host(of, mechanisms)).collect();
    let mut page = HEAD.to_owned() + &left(&hosts) + &reasons_of(whys);
    for host in &hosts {
        page += &section(host, mechanisms);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(PAGE);
    if std::env::var_os("VORRANG_WRITE_DOCS").is_some() {
        fs::write(&path, &page).expect("the documentation");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let how = "VORRANG_WRITE_DOCS=1 cargo test -p vorrang-campaign --test campaign pairs";
    assert!(committed == page, "{PAGE} is stale: {how}");
    let given: BTreeSet<&str> = whys.iter().map(|reason| said(reason, "code")).collect();
    assert_eq!(codes(&hosts), given, "what is left, and what has a reason");
}
