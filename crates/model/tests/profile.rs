//! A description takes costs and caches from the profile of a machine.

use vorrang_model::system::CacheModel;
use vorrang_model::{Code, Diagnostic, Format, System, read, read_profile, read_with};
use vorrang_time::Duration;

const MACHINE: &str = r#"
version = 1
[costs]
context-switch = "2us"
vm-exit = "3us"
[cache]
a = { model = "flood", useful = "9%", sustained = "85us" }
b = { model = "exponential", useful = "1%", sustained = "9us" }
[measured.cache]
a = { count = 3, whatever = [1, 2] }
[conditions.cache]
kernel = "6.18"
"#;

const TASK: &str = r#"
[core.0]
scheduler = "edf"
[task.x]
on = "core.0"
wcet = "1ms"
period = "5ms"
cache = "cache.a"
"#;

fn on(machine: &str, stated: &str) -> Result<System, Vec<Diagnostic>> {
    let source = format!("version = 1\nprofile = \"machine.toml\"\n{stated}{TASK}");
    read_with(source, Format::Toml, |file| {
        assert_eq!(file, "machine.toml");
        read_profile(machine, Format::Toml).map_err(|errors| errors[0].to_string())
    })
}

#[test]
fn costs_and_caches_come_from_the_profile() {
    let system = on(MACHINE, "").unwrap();
    assert_eq!(system.costs.context_switch, Duration::from_us(2));
    let cache = &system.caches[system.tasks[0].cache.unwrap().0];
    assert_eq!((cache.name.as_str(), cache.useful_ppm), ("cache.a", 90_000));
    assert_eq!((cache.model, cache.sustained), (CacheModel::Flood, Duration::from_us(85)));
    assert!(system.unsupported.is_empty());
}

#[test]
fn what_the_description_states_replaces_what_the_profile_says() {
    let own = "[costs]\nvm-exit = \"0s\"\n\
               [cache.a]\nmodel = \"flood\"\nuseful = \"50%\"\nsustained = \"1us\"\n";
    let system = on(MACHINE, own).unwrap();
    assert_eq!(system.costs.vm_exit, Duration::ZERO);
    assert_eq!(system.costs.context_switch, Duration::from_us(2));
    let cache = &system.caches[system.tasks[0].cache.unwrap().0];
    assert_eq!(cache.useful_ppm, 500_000);
    assert_eq!(system.caches.iter().filter(|cache| cache.name == "cache.a").count(), 1);
}

#[test]
fn without_its_profile_a_description_has_one_error() {
    for machine in ["", "version = 2", "version = 1\n[task.x]", "version = 1\n[cache.a]"] {
        let errors = on(machine, "").unwrap_err();
        let codes: Vec<Code> = errors.iter().map(|error| error.code).collect();
        assert_eq!(codes, [Code::ProfileUnusable], "{machine}");
        // Where it is named.
        assert_eq!(errors[0].span, 22..36);
    }
}

#[test]
fn a_cache_that_neither_has_is_missed_and_the_nearest_is_suggested() {
    let machine = MACHINE.replace("\na = { model", "\naa = { model");
    let errors = on(&machine, "").unwrap_err();
    assert_eq!(errors[0].code, Code::MissingTarget);
    assert!(errors[0].help.as_ref().is_some_and(|help| help.contains("cache.a")), "{errors:?}");
}

#[test]
fn errors_of_a_profile_are_all_said() {
    let wrong = "version = 1\n[costs]\ncontext-switch = 3\nexit = \"1us\"\n[core.0]\n[cache.a]\n";
    let errors = read_profile(wrong, Format::Toml).err().unwrap();
    let codes: Vec<Code> = errors.iter().map(|error| error.code).collect();
    let missing = Code::MissingKey;
    let expected =
        [Code::BareNumber, Code::UnknownKey, Code::UnknownTable, missing, missing, missing];
    assert_eq!(codes, expected);
}

#[test]
fn a_profile_that_nobody_reads_is_said_to_be_missing() {
    let source = format!(
        "version = 1\nprofile = \"machine.toml\"{}",
        TASK.replace("cache = \"cache.a\"", "")
    );
    let system = read(source, Format::Toml).unwrap();
    assert!(system.unsupported[0].what.contains("machine.toml"));
}
