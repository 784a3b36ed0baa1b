//! A written profile reads back, and its costs are no less than the measurement.

use super::*;

fn spread(from: u32, to: u32) -> Spread {
    Spread::of((from..=to).map(f64::from)).unwrap()
}

fn profile(loss: Spread) -> Profile {
    let cache = Cache { model: Model::Flood, useful_ppm: 4_021, sustained_ns: 17_191 };
    let number =
        Number { spread: loss, interrupted: 3, further: vec![("access-ns".into(), 0.825)] };
    Profile {
        costs: vec![("context-switch".into(), 2_100)],
        caches: vec![("write-64k-dirty".into(), cache), ("write-2k-dirty".into(), cache)],
        sections: vec![Section {
            verb: "cache".into(),
            conditions: vec![("kernel".into(), "6.18 \"odd\"".into())],
            numbers: vec![("write-64k-dirty".into(), number)],
        }],
        kernel: None,
    }
}

#[test]
fn what_is_written_reads_back() {
    let written = profile(spread(10, 20));
    assert_eq!(written.to_string().parse(), Ok(written));
    assert_eq!(Profile::default().to_string().parse(), Ok(Profile::default()));
}

/// No measurement has such names, but a profile may be written by hand.
#[test]
fn names_that_are_quoted_read_back() {
    for name in ["", "a b", "a.b", "a\" = 1\n[b", "'", "\\", "é", "\u{7f}"].map(str::to_owned) {
        let mut written = profile(spread(10, 20));
        written.costs[0].0.clone_from(&name);
        written.caches[0].0.clone_from(&name);
        let Section { verb, conditions, numbers } = &mut written.sections[0];
        verb.clone_from(&name);
        conditions[0].0.clone_from(&name);
        numbers[0].1.further[0].0.clone_from(&name);
        numbers[0].0.clone_from(&name);
        let text = written.to_string();
        assert_eq!(text.parse(), Ok(written), "{text}");
    }
}

/// Comments, the order, the notation of numbers, and other measurements remain.
#[test]
fn a_text_is_changed_only_where_numbers_did() {
    let number = "{ count = 2, interrupted = 0, low-ns = 1.0, median-ns = 2.0, high-ns = 3.0, max-ns = 4.0 }";
    let text = format!(
        "# My board.\nversion = 1 # as ever\n\n[measured.switch] # by hand\nx = {number}\n\n[costs]\n\
         # Measured twice.\ncontext-switch = \"2us\" # on battery\nscheduler-call = '7us'\n\n\
         [cache.old] # goes\nmodel = \"flood\"\nuseful = \"1%\"\nsustained = \"1us\"\n\
         [cache.kept]\nmodel = \"flood\" # flat\nuseful = \"2%\"\nsustained = \"3us\"\n"
    );
    let mut changed: Profile = text.parse().unwrap();
    assert_eq!(changed.within(&text), Ok(text.clone()), "what is the same stays");
    changed.costs[0].1 = 2_100;
    changed.caches.remove(0);
    changed.caches[0].1.useful_ppm = 30_000;
    changed.caches.push(profile(spread(1, 2)).caches[0].clone());
    changed.replace(profile(spread(1, 2)).sections[0].clone());
    let within = changed.within(&text).unwrap();
    let number_of_cache = "{ count = 2, interrupted = 3, low-ns = 1.0, median-ns = 1.0, high-ns = 2.0, max-ns = 2.0, access-ns = 0.825 }";
    let expected = format!(
        "# My board.\nversion = 1 # as ever\n\n[measured.switch] # by hand\nx = {number}\n\n\
         [measured.cache]\nwrite-64k-dirty = {number_of_cache}\n\n[costs]\n\
         # Measured twice.\ncontext-switch = \"2100ns\" # on battery\nscheduler-call = '7us'\n\n\
         [cache]\nwrite-64k-dirty = {}\n[cache.kept]\nmodel = \"flood\" # flat\n\
         useful = \"3%\"\nsustained = \"3us\"\n\n[conditions.cache]\nkernel = '6.18 \"odd\"'\n",
        changed.caches[1].1
    );
    assert_eq!(within, expected);
    let mut back: Profile = within.parse().unwrap();
    back.caches.reverse();
    assert_eq!(back, changed, "but for the order");
}

/// The part of a kernel that is of no measurement remains.
#[test]
fn what_a_kernel_does_stays() {
    let text =
        "version = 1\n[kernel] # mine\nsource = \"by hand\"\n[kernel.overrun]\ntime = \"1us\"\n";
    let mut changed: Profile = text.parse().unwrap();
    changed.costs.push(("vm-exit".to_owned(), 2_000));
    let within = changed.within(text).unwrap();
    assert!(within.contains(text.strip_prefix("version = 1\n").unwrap()), "{within}");
    assert!(within.contains("vm-exit = \"2000ns\""), "{within}");
}

#[test]
fn what_no_measurement_writes_is_refused() {
    for text in [
        "",
        "version = 2",
        "version = 1\n[costs]\ncontext-switch = 3",
        "version = 1\n[cache]\nx = { model = \"flood\", useful = \"101%\", sustained = \"1ns\" }",
        "version = 1\n[measured.cache]\nx = { count = 1 }",
        "version = 1\ncache = 1",
        "version = 1\n[core.0]\nscheduler = \"edf\"",
    ] {
        assert!(text.parse::<Profile>().is_err(), "{text}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let number = "count = 1, interrupted = 0, low-ns = 1.0, median-ns = 1.0, high-ns = 1.0";
    for (text, said) in [
        ("# no version", "line 1: a profile begins with `version = 1`"),
        ("version = 1\n\n[costs]\na = \"1ns\"\nb = \"2 parsecs\"", "line 5: `b` has a duration"),
        ("version = 1\n[cache]\nx = { model = \"flood\" }", "line 3: `x` lacks `useful`"),
        ("version = 1\n[measured.cache]\n\nx = 3", "line 4: `x` is no table"),
        (&format!("version = 1\n[measured.cache]\nx = {{ {number}, max-ns = nan }}"), "line 3:"),
        ("version = 1\n[costs", "line 2: this is not TOML"),
    ] {
        let error = text.parse::<Profile>().unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
}

#[test]
fn rounding_never_loses_less() {
    for (useful, sustained_ns) in [(0.123_456_78, 1_000.2), (0.0, 0.1), (0.999_999_9, 7.0)] {
        let fit = Fit { model: Model::Flood, useful, sustained_ns, residual_ns: 0.0 };
        let cache = Cache::of(&fit);
        assert!(f64::from(cache.useful_ppm) / 1e6 <= useful);
        assert!(cache.sustained_ns as f64 >= sustained_ns && cache.sustained_ns > 0);
    }
}

#[test]
fn only_what_moved_beyond_noise_has_moved() {
    let before = profile(spread(10, 20));
    let moved = |after: Spread| compare(&before, &profile(after))[0].is_beyond_noise();
    assert!(!moved(spread(10, 20)) && !moved(spread(15, 40)));
    assert!(moved(spread(30, 40)) && moved(spread(1, 5)));
    let change = &compare(&before, &profile(spread(30, 30)))[0];
    assert_eq!((change.name.as_str(), change.part()), ("cache.write-64k-dirty", Some(1.0)));
    assert!(compare(&before, &Profile::default()).is_empty());
}

#[test]
fn a_verb_replaces_its_own_only() {
    let mut profile = profile(spread(1, 2));
    profile.replace(Section { verb: "switch".into(), ..Section::default() });
    profile.replace(Section { verb: "cache".into(), ..Section::default() });
    let verbs: Vec<_> = profile.sections.iter().map(|section| section.verb.as_str()).collect();
    assert_eq!(verbs, ["cache", "switch"]);
    assert!(profile.sections[0].numbers.is_empty());
}

#[test]
fn the_published_machines_are_the_published_rows() {
    let rows = include_str!("../../../../../published/cache_costs.csv");
    let machines = [
        ("Celeron 2.5 GHz", include_str!("../../../../../published/machines/celeron.toml")),
        ("Pentium M 1.5 GHz", include_str!("../../../../../published/machines/pentium-m.toml")),
        ("MPC5200 400 MHz", include_str!("../../../../../published/machines/mpc5200.toml")),
    ];
    for (machine, text) in machines {
        let caches = text.parse::<Profile>().unwrap().caches;
        let own = rows.lines().filter(|row| row.starts_with(machine));
        let expected = own.flat_map(|row| {
            let cell: Vec<&str> = row.split(',').collect();
            let access = cell[2].trim_start_matches("consecutive ");
            let state = cell[3].replace("invalidated", "flushed");
            let name = format!("{access}-{}k-{state}", cell[1]);
            let hundredths: u32 = cell[4].replace("0.", "").parse().unwrap();
            let sustained_ns = 1_000 * cell[5].parse::<u64>().unwrap();
            let of = |model| Cache { model, useful_ppm: hundredths * 10_000, sustained_ns };
            let average = format!("{name}-average");
            [(name, of(Model::Flood)), (average, of(Model::Exponential))]
        });
        assert_eq!(caches, expected.collect::<Vec<_>>(), "{machine}");
    }
}

#[cfg(target_os = "linux")]
mod of_threads;
