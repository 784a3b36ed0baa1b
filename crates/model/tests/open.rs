//! Descriptions with open values: what is open, what is chosen, and what is refused.

use vorrang_model::system::{Priority, ServerKind};
use vorrang_model::{Allowed, Chosen, Code, Diagnostic, Format, OpenKey, read, read_open, schema};
use vorrang_time::Duration;

const OPEN: &str = include_str!("open.toml");

fn open(source: &str) -> Result<vorrang_model::Open, Vec<Diagnostic>> {
    read_open(source, Format::Toml, |_| Err("there is none".into()))
}

fn codes(source: &str) -> Vec<Code> {
    let refused = open(source).err().expect("it is refused");
    refused.iter().map(|error| error.code).collect()
}

#[test]
fn what_is_open_is_told_in_the_order_of_the_text() {
    let open = open(OPEN).unwrap();
    let keys: Vec<OpenKey> = open.values().iter().map(|value| value.key).collect();
    assert_eq!(keys, [OpenKey::On, OpenKey::Kind, OpenKey::Budget, OpenKey::Period]);
    let allowed = |at: usize| &open.values()[at].allowed;
    let Allowed::Supplies(cores) = allowed(0) else { panic!("{:?}", allowed(0)) };
    let cores: Vec<&str> = cores.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(cores, ["core.0", "core.1"]);
    assert_eq!(*allowed(1), Allowed::Kinds(vec![ServerKind::Deferrable, ServerKind::Sporadic]));
    assert_eq!(*allowed(2), Allowed::Any);
    let [from, to, step] = [1_000, 20_000, 100].map(Duration::from_us);
    assert_eq!(*allowed(3), Allowed::Grid { from, to, step });
}

#[test]
fn what_is_chosen_is_resolved_and_written_into_the_same_text() {
    let mut open = open(OPEN).unwrap();
    let chosen = [
        Chosen::On("core.1".into()),
        Chosen::Kind(ServerKind::Sporadic),
        Chosen::Time(Duration::from_us(1500)),
        Chosen::Time(Duration::from_ms(10)),
    ];
    let written = String::from_utf8(open.written(&chosen)).unwrap();
    assert!(written.contains("budget = \"1500us\" # to be found\nperiod = \"10ms\"\n"));
    assert!(written.contains("[vcpu.motor] # the drive\non = \"core.1\"\n"));
    assert_eq!(open.resolve(&chosen), Some(read(&written, Format::Toml).unwrap()));
}

#[test]
fn what_does_not_fit_together_is_no_system() {
    let mut open = open(OPEN).unwrap();
    let chosen = |budget| {
        [
            Chosen::On("core.1".into()),
            Chosen::Kind(ServerKind::Sporadic),
            Chosen::Time(Duration::from_ms(budget)),
            Chosen::Time(Duration::from_ms(10)),
        ]
    };
    assert!(open.resolve(&chosen(10)).is_some() && open.resolve(&chosen(11)).is_none());
}

#[test]
fn json_is_open_in_the_same_way() {
    let source = r#"{ "version": 1, "core": { "0": { "scheduler": "edf" } },
        "vcpu": { "a": { "on": ["core.0"], "server": ["cbs-hard"], "budget": "?",
                         "period": { "from": "1ms", "to": "2ms", "step": "1ms" } } } }"#;
    let mut open = read_open(source, Format::Json, |_| Err("there is none".into())).unwrap();
    let chosen = [
        Chosen::On("core.0".into()),
        Chosen::Kind(ServerKind::CbsHard),
        Chosen::Time(Duration::from_us(10)),
        Chosen::Time(Duration::from_ms(2)),
    ];
    let written = open.written(&chosen);
    assert_eq!(open.resolve(&chosen), Some(read(&written, Format::Json).unwrap()));
}

/// Two cores of different schedulers, with a server and a task that have places and priorities to be chosen.
const PLACES: &str = r#"version = 1
[core.0]
scheduler = "edf"
[core.1]
scheduler = "fixed-priority"

[server.s]
on = "?"
server = ["sporadic", "cbs-hard"]
budget = "1ms"
period = "10ms"
priority = { from = 3, to = 5 }

[task.a]
on = ["core.1", "server.s"] # beside it, or in it
wcet = "1ms"
period = "20ms"
priority = "?"

[task.b]
on = "core.1"
wcet = "1ms"
period = "20ms"
priority = [9, 7]
"#;

#[test]
fn priorities_and_places_of_tasks_are_open_as_well() {
    let mut open = open(PLACES).unwrap();
    let of = |at: usize| (&*open.values()[at].of, open.values()[at].key);
    assert_eq!(of(2), ("server.s", OpenKey::Priority));
    assert_eq!((of(3), of(4)), (("task.a", OpenKey::On), ("task.a", OpenKey::Priority)));
    let allowed: Vec<&Allowed> = open.values().iter().map(|value| &value.allowed).collect();
    let priorities = |all: &[u32]| Allowed::Priorities(all.iter().copied().map(Priority).collect());
    assert_eq!(*allowed[2], priorities(&[3, 4, 5]));
    assert_eq!((allowed[4], allowed[5]), (&Allowed::Any, &priorities(&[7, 9])));
    let chosen = [
        Chosen::On("core.1".into()),
        Chosen::Kind(ServerKind::Sporadic),
        Chosen::Priority(Priority(4)),
        Chosen::On("server.s".into()),
        Chosen::Priority(Priority(1)),
        Chosen::Priority(Priority(9)),
    ];
    let written = String::from_utf8(open.written(&chosen)).unwrap();
    assert!(written.contains("on = \"server.s\" # beside it, or in it\n"), "{written}");
    assert!(written.contains("priority = 1\n") && written.contains("priority = 9\n"), "{written}");
    assert_eq!(open.resolve(&chosen), Some(read(&written, Format::Toml).unwrap()));
}

/// The first core schedules no sporadic server and looks at no priority; the second does both.
#[test]
fn the_first_place_that_suits_is_taken_meanwhile() {
    assert!(open(PLACES).is_ok());
    let nowhere = PLACES.replace("[\"sporadic\", \"cbs-hard\"]", "\"slot\"\noffset = \"0s\"");
    assert_eq!(codes(&nowhere), [Code::OpenBounds]);
    let refused = open(&nowhere).err().unwrap();
    assert_eq!(&nowhere[refused[0].span.clone()], "\"?\"");
    let among_slots = PLACES
        .replace("\"edf\"", "\"slots\"")
        .replace("[\"core.1\", \"server.s\"]", "[\"core.0\"]");
    assert_eq!(codes(&among_slots), [Code::OpenBounds]);
}

#[test]
fn wrong_priorities_and_places_are_told_with_their_places() {
    let wrong = |old: &str, new: &str| codes(&PLACES.replace(old, new));
    assert_eq!(wrong("from = 3, to = 5", "from = 5, to = 3"), [Code::OpenBounds]);
    assert_eq!(wrong("from = 3, to = 5", "from = 0, to = 1000000"), [Code::OpenPoints]);
    assert_eq!(wrong("from = 3, to = 5", "from = 3"), [Code::MissingKey]);
    assert_eq!(wrong("[9, 7]", "[]"), [Code::OpenBounds]);
    assert_eq!(wrong("[9, 7]", "[9, -7]"), [Code::OutOfRange]);
    assert_eq!(wrong("[9, 7]", "[9, \"7\"]"), [Code::WrongType]);
    let on_edf = PLACES.replace("on = \"core.1\"\n", "on = \"core.0\"\n");
    assert_eq!(codes(&on_edf), [Code::UnusedPriority]);
    let refused = open(&on_edf).err().unwrap();
    assert_eq!(&on_edf[refused[0].span.clone()], "[9, 7]");
    assert_eq!(wrong("\"server.s\"]", "\"task.b\"]"), [Code::WrongTarget]);
}

/// A kind that the stated core cannot schedule is an error at its own place, wherever it stands among the others.
#[test]
fn a_kind_that_does_not_fit_is_told_with_its_own_place() {
    let source = |kinds: &str| {
        format!(
            "version = 1\n[core.0]\nscheduler = \"linux\"\n[vcpu.a]\non = \"core.0\"\n\
             server = {kinds}\nbudget = \"?\"\nperiod = \"10ms\"\n[task.a]\non = \"vcpu.a\"\n\
             wcet = \"1ms\"\nperiod = \"20ms\"\n"
        )
    };
    let right = "\"sched-deadline\"";
    for (kinds, wrong) in [
        (format!("[\"cbs-hard\", {right}]"), vec!["\"cbs-hard\""]),
        (format!("[{right}, \"cbs-soft\"]"), vec!["\"cbs-soft\""]),
        ("[\"cbs-soft\", \"cbs-hard\"]".to_owned(), vec!["\"cbs-soft\"", "\"cbs-hard\""]),
        (format!("[{right}]"), vec![]),
    ] {
        let source = source(&kinds);
        let refused = open(&source).err().unwrap_or_default();
        let marked: Vec<&str> = refused.iter().map(|error| &source[error.span.clone()]).collect();
        assert_eq!(marked, wrong, "{refused:?}");
        assert!(refused.iter().all(|error| error.code == Code::KindDoesNotFit), "{refused:?}");
        // Commands that choose nothing say so, and nothing of what would have been chosen.
        let codes: Vec<Code> =
            read(&source, Format::Toml).unwrap_err().iter().map(|error| error.code).collect();
        assert_eq!(codes, [Code::OpenValue; 2]);
    }
}

#[test]
fn other_commands_refuse_every_open_value() {
    let refused = read(OPEN, Format::Toml).unwrap_err();
    assert!(refused.iter().all(|error| error.code == Code::OpenValue), "{refused:?}");
    assert_eq!(refused.len(), 4);
    assert!(refused[0].help.as_ref().unwrap().contains("vorrang design FILE"));
}

#[test]
fn wrong_open_values_are_told_with_their_places() {
    assert_eq!(codes(&OPEN.replace("\"1ms\", to", "\"21ms\", to")), [Code::OpenBounds]);
    let many = OPEN.replace("\"20ms\", step = \"100us\"", "\"1000s\", step = \"1ns\"");
    assert_eq!(codes(&many), [Code::OpenPoints]);
    assert_eq!(codes(&OPEN.replace("[\"deferrable\", \"sporadic\"]", "\"?\"")), [Code::OpenBounds]);
    assert_eq!(codes(&OPEN.replace("[\"deferrable\", \"sporadic\"]", "[]")), [Code::OpenBounds]);
    assert_eq!(codes(&OPEN.replace("step", "stride")), [Code::MissingKey, Code::UnknownKey]);
    let missing = OPEN.replace("on = \"?\"", "on = [\"core.0\", \"core.7\"]");
    assert_eq!(codes(&missing), [Code::MissingTarget]);
    let place = missing.find("\"core.7\"").unwrap();
    assert_eq!(open(&missing).err().unwrap()[0].span.start, place);
}

#[test]
fn what_is_wrong_beside_open_values_is_told_as_ever() {
    assert_eq!(codes(&OPEN.replace("wcet = \"1ms\"", "wcet = 1")), [Code::BareNumber]);
    assert_eq!(
        codes(&OPEN.replace("budget = \"?\"", "budget = \"30ms\"")),
        [Code::BudgetOverPeriod]
    );
    let closed = r#"version = 1
        [core.0]
        scheduler = "edf""#;
    assert_eq!(codes(closed), [Code::NothingOpen]);
}

#[test]
fn the_schema_knows_open_values() {
    let validator = jsonschema::draft202012::new(&schema()).unwrap();
    let of = |text: &str| -> serde_json::Value {
        serde_json::to_value(toml::from_str::<toml::Value>(text).unwrap()).unwrap()
    };
    assert!(validator.is_valid(&of(OPEN)));
    assert!(validator.is_valid(&of(PLACES)));
    assert!(!validator.is_valid(&of(&PLACES.replace("to = 5", "to = \"5\""))));
    assert!(!validator.is_valid(&of(&OPEN.replace("on = \"?\"", "on = []"))));
    assert!(!validator.is_valid(&of(&OPEN.replace("step", "stride"))));
}
