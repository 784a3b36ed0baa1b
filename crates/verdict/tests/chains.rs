//! Chains: bounds beside the true worst of small systems, and beside what random histories show.
//!
//! `chains/small.csv` has, for each system, the longest reaction time over all its histories, from an exhaustive search
//! elsewhere (data age is the same in every row), and the published bound for any phases. One tick is a microsecond.

use std::fmt::Write as _;
use vorrang_analysis::{Missing, bounds, chain_bound};
use vorrang_model::{Format, System, read};
use vorrang_sim::{Search, search};
use vorrang_time::Duration;
use vorrang_verdict::chain::{compared, verdicts};
use vorrang_verdict::outcome::Verdict;

const SMALL: &str = include_str!("chains/small.csv");

fn us(count: u64) -> Duration {
    Duration::from_us(count)
}

/// The value of a key, as in `C=1..2`.
fn value<'a>(words: &[&'a str], key: &str) -> Option<&'a str> {
    words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

/// `1..2`, or `2` for both.
fn range(text: &str) -> (&str, Option<&str>) {
    text.split_once("..").map_or((text, None), |(least, most)| (least, Some(most)))
}

/// A member of the notation of the table, as a description.
fn member(text: &mut String, written: &str, by_deadline: bool) {
    let words: Vec<&str> = written.split_whitespace().collect();
    let (name, on) = words[1].split_once('@').unwrap();
    if words[0] == "level" {
        let (budget, period) = value(&words, "Q").unwrap().split_once('/').unwrap();
        let _ = writeln!(
            text,
            "[server.{name}]\non = \"core.{on}\"\nserver = \"deferrable\"\nbudget = \"{budget}us\"\n\
             period = \"{period}us\"\npriority = 9"
        );
        return;
    }
    let (least, most) = range(value(&words, "C").unwrap());
    let (period, latest) = range(value(&words, "T").unwrap());
    let noun = if on == "V" { "server" } else { "core" };
    let _ = writeln!(
        text,
        "[task.{name}]\non = \"{noun}.{on}\"\nbcet = \"{least}us\"\nwcet = \"{}us\"\nperiod = \"{period}us\"",
        most.unwrap_or(least)
    );
    if let Some(latest) = latest {
        let _ = writeln!(text, "latest-interarrival = \"{latest}us\"");
    }
    if let Some(jitter) = value(&words, "J") {
        let _ = writeln!(text, "jitter = \"{jitter}us\"");
    }
    let deadline = value(&words, "D").unwrap_or("1000");
    let _ = writeln!(text, "deadline = \"{deadline}us\"");
    if words.contains(&"LET") {
        text.push_str("communication = \"let\"\n");
    }
    if !by_deadline {
        let _ = writeln!(text, "priority = {}", value(&words, "p").unwrap());
    }
}

fn system(path: &str, written: &str) -> System {
    // Members without priorities are scheduled by deadline.
    let by_deadline = !written.contains(" p=");
    let rule = if by_deadline { "edf" } else { "fixed-priority" };
    let mut text = "version = 1\n".to_owned();
    for core in ["0", "1"].iter().filter(|core| written.contains(&format!("@{core}"))) {
        let _ = writeln!(text, "[core.{core}]\nscheduler = \"{rule}\"");
    }
    for written in written.split("; ") {
        member(&mut text, written, by_deadline);
    }
    let path: Vec<String> = path.split('-').map(|name| format!("\"task.{name}\"")).collect();
    let _ = writeln!(text, "[chain.x]\npath = [{}]\nreaction = \"1ms\"", path.join(", "));
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"))
}

/// Each row: its name, its system, the true worst, and the published bound.
fn rows() -> impl Iterator<Item = (&'static str, System, Duration, Option<Duration>)> {
    SMALL.lines().skip(1).map(|line| {
        let [chain, worst, published, written] = line.splitn(4, ',').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let (_, path) = chain.split_once(' ').unwrap();
        let published = published.parse().ok().map(us);
        (chain, system(path, written), us(worst.parse().unwrap()), published)
    })
}

#[test]
fn no_bound_is_below_the_true_worst_and_each_is_the_published_one() {
    let mut count = 0;
    for (name, system, worst, published) in rows() {
        let found = chain_bound(&system, &bounds(&system), &system.chains[0]);
        let bound = found.found.unwrap_or_else(|why| panic!("{name}: {why:?}"));
        assert!(bound >= worst, "{name}: {bound} is below {worst}");
        if let Some(published) = published {
            assert_eq!(bound, published, "{name}");
        }
        let sum = found.steps.iter().fold(Duration::ZERO, |sum, of| sum + of.distance + of.time);
        assert_eq!(sum, bound, "{name}");
        count += 1;
    }
    assert_eq!(count, 22);
}

/// Nothing that is seen is above a bound, and much of the worst is seen.
#[test]
fn histories_stay_below_the_bounds_and_come_near() {
    for (name, system, worst, _) in rows() {
        let seen = search(&system, &Search { runs: 8, ..Search::default() });
        let bounds = bounds(&system);
        for of in compared(&system, &bounds, &seen) {
            assert!(!of.is_contradiction(), "{name}: {of:?}");
        }
        let seen = seen.chains[0].as_ref().unwrap_or_else(|| panic!("{name}: nothing passed"));
        assert!(seen.reaction.time * 2 >= worst, "{name}: {}", seen.reaction.time);
        assert!(seen.age.time * 2 >= worst, "{name}: {}", seen.age.time);
    }
}

/// The least distance of two arrivals is no longest one.
#[test]
fn without_longest_distances_there_is_no_bound() {
    let system = system("a-b", "task a@0 p=3 C=1 T=5; task b@0 p=2 C=1 T=6..6");
    let found = chain_bound(&system, &bounds(&system), &system.chains[0]);
    assert_eq!(found.found, Err(Missing::Latest(system.chains[0].path[0])));
    let text = found.found.unwrap_err().text(&system);
    assert!(text.contains("task.a") && text.contains("latest-interarrival"), "{text}");
}

/// The wait of a less urgent reader counts only where the writer holds it up.
#[test]
fn each_pitfall_costs_its_term() {
    let bound = |path: &str, written: &str| {
        let system = system(path, written);
        chain_bound(&system, &bounds(&system), &system.chains[0]).found.unwrap()
    };
    let (writer, reader) = ("task a@0 p=3 C=1..2 T=6..7", "task b@0 p=2 C=1 T=7..8");
    let plain = bound("a-b", &format!("{writer}; {reader}"));
    assert_eq!(plain, us(7 + 8 + 3));
    // Jitter of the writer: it may not be ready yet.
    assert_eq!(bound("a-b", &format!("{writer} J=2; {reader}")), us(7 + 2 + 8 + 3));
    // Another core, and the other order of priorities.
    let elsewhere = reader.replace("@0", "@1");
    assert_eq!(bound("a-b", &format!("{writer}; {elsewhere}")), us(7 + 2 + 8 + 1));
    assert_eq!(bound("b-a", &format!("{writer}; {reader}")), us(8 + 3 + 7 + 2));
    // A reader that reads at its arrival does not wait for the processor.
    assert_eq!(bound("a-b", &format!("{writer}; {reader} D=7 LET")), us(7 + 2 + 8 + 7));
}

#[test]
fn a_description_is_decided() {
    let of = |limit: &str| {
        let text = format!(
            "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n\
             [task.a]\non = \"core.0\"\nwcet = \"1ms\"\npriority = 2\nperiod = \"10ms\"\nlatest-interarrival = \"10ms\"\n\
             [task.b]\non = \"core.0\"\nwcet = \"1ms\"\npriority = 1\nperiod = \"20ms\"\nlatest-interarrival = \"20ms\"\n\
             [chain.x]\npath = [\"task.a\", \"task.b\"]\nreaction = \"{limit}\"\nage = \"{limit}\"\n"
        );
        let system = read(&text, Format::Toml).unwrap();
        let seen = search(&system, &Search { runs: 8, ..Search::default() });
        let rulings = vorrang_verdict::chain::all(&system, &bounds(&system), &seen);
        verdicts(&rulings).collect::<Vec<_>>()
    };
    assert_eq!(of("32ms"), [Verdict::Proven; 2]);
    assert_eq!(of("31999999ns"), [Verdict::Undecided; 2]);
    assert_eq!(of("12ms"), [Verdict::Refuted; 2]);
}

/// Where nothing bounds a chain, its ruling says of which task what is missing; one that has a bound needs no such help.
#[test]
fn a_chain_without_a_bound_has_help() {
    let helps = |written: &str| {
        let system = system("a-b", written);
        let seen = search(&system, &Search { runs: 8, ..Search::default() });
        let rulings = vorrang_verdict::chain::all(&system, &bounds(&system), &seen);
        rulings.into_iter().map(|ruling| (ruling.bound, ruling.help)).collect::<Vec<_>>()
    };
    let (known, unknown) = ("task a@0 p=3 C=1 T=600..600", "task b@0 p=2 C=1 T=600");
    let [(None, Some(help))] = &helps(&format!("{known}; {unknown}"))[..] else { panic!() };
    assert!(help.text.contains("of task.b as its `latest-interarrival`"), "{help:?}");
    // As it says.
    let [(Some(_), None)] = helps(&format!("{known}; {unknown}..600"))[..] else { panic!() };
    let [(None, Some(help))] = &helps("task a@0 p=3 C=4 T=5..5; task b@0 p=2 C=3 T=6..6")[..]
    else {
        panic!()
    };
    assert!(help.text.starts_with("of task.b: "), "{help:?}");
}

/// A timer of a guest, whose routine there wakes the task, expires as often as the task says.
#[test]
fn timers_of_guests_are_no_further_apart_than_stated() {
    let text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n\
        [vcpu.v]\non = \"core.0\"\nserver = \"polling\"\nbudget = \"32us\"\nperiod = \"128us\"\npriority = 2\n\
        [task.a]\non = \"vcpu.v\"\nwcet = \"24us\"\nperiod = \"512us\"\nlatest-interarrival = \"512us\"\npriority = 3\n\
        [timer.t]\narmed-by = \"task.a\"\nperiod = \"512us\"\nwakes = true\nisr = \"17us\"\n\
        [chain.x]\npath = [\"task.a\"]\nreaction = \"2ms\"\n";
    let system = read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"));
    let seen = search(&system, &Search { runs: 8, ..Search::default() });
    let all = compared(&system, &bounds(&system), &seen);
    assert!(!all.is_empty());
    assert!(all.iter().all(|of| !of.is_contradiction()), "{all:?}");
}

/// Systems of two cores at random: nothing seen is above the bound.
#[test]
fn random_chains_agree() {
    let mut random = numbers(7);
    for number in 0..40 {
        let mut members = Vec::new();
        for (place, name) in ["a", "b", "c", "d"].iter().enumerate() {
            let period = 12 + random(20);
            let (least, latest) = (1 + random(2), period + random(9));
            let most = least + random(2);
            let jitter = random(3) * random(4);
            let logical = if jitter == 0 && random(4) == 0 { " D=40 LET" } else { "" };
            let core = random(2) * u64::from(place > 0);
            let priority = 4 * random(9) + place as u64;
            members.push(format!(
                "task {name}@{core} p={priority} C={least}..{most} T={period}..{latest} J={jitter}{logical}"
            ));
        }
        let system = system("a-b-c-d", &members.join("; "));
        let seen = search(&system, &Search { seed: number, runs: 4, ..Search::within(2_000_000) });
        let bounds = bounds(&system);
        let all = compared(&system, &bounds, &seen);
        assert_eq!(all.len(), 2, "{members:?}");
        let wrong = all.iter().find(|of| of.is_contradiction());
        assert!(wrong.is_none(), "{members:?}: {wrong:?}");
    }
}

/// Numbers below what is asked for.
fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}
