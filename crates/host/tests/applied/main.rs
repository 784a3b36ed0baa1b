//! What a newcomer is given to begin with is planned on a machine that has what it names, by `vorrang apply` or by
//! `vorrang-host`; or it says that it is no description of a machine.

mod machine;

use clap::ValueEnum as _;
use machine::Machine;
use std::path::Path;
use vorrang::init::Template;
use vorrang_host::changes::parking;
use vorrang_host::scope::Scope;
use vorrang_host::uncounted::uncounted;
use vorrang_model::{Format, System, read};
use vorrang_time::Duration;

/// How a description that is only to be looked at says so.
const FOR_NO_MACHINE: &str = "names no processor and no thread";

fn system(name: &str, text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|errors| panic!("{name}: {errors:?}"))
}

/// The number of changes that a plan has.
fn planned(name: &str, system: &System) -> usize {
    let machine = Machine::of(system);
    if !vorrang_enforce::is_dispatched(system) {
        let plan = vorrang_enforce::plan(&machine, system);
        return plan.unwrap_or_else(|why| panic!("{name}: {why:?}")).steps.len();
    }
    let look = Duration::from_ms(1);
    let scopes = Scope::all(system, look).unwrap_or_else(|why| panic!("{name}: {why:?}"));
    for scope in &scopes {
        assert_eq!(uncounted(system, scope, look), Vec::<String>::new(), "{name}");
    }
    let parking = parking(&machine, &scopes, None);
    parking.unwrap_or_else(|why| panic!("{name}: {why:?}")).changes.len()
}

#[test]
fn every_template_is_planned_on_the_machine_that_it_names() {
    for template in Template::value_variants() {
        let (name, text) = (format!("{template:?}"), template.text());
        let system = system(&name, text);
        // One core, and nothing on it.
        let is_empty = system.requirements.is_empty();
        assert_eq!(is_empty, name == "Empty");
        assert!(is_empty || planned(&name, &system) > 0, "{name}");
    }
}

#[test]
fn every_page_of_the_guide_is_planned_or_says_that_it_is_for_no_machine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = std::fs::read_dir(root.join("docs/guide")).expect("the guide");
    let files = guide.map(|file| file.expect("a file").path());
    let descriptions = files.filter(|file| file.extension().is_some_and(|end| end == "toml"));
    let (mut for_machines, mut others) = (0, 0);
    for file in descriptions {
        let text = std::fs::read_to_string(&file).expect("a description");
        let name = file.display().to_string();
        let system = system(&name, &text);
        if text.contains(FOR_NO_MACHINE) {
            assert!(system.host.cpus.is_empty() && system.host.threads.is_empty(), "{name}");
            others += 1;
        } else {
            assert!(planned(&name, &system) > 0, "{name}");
            for_machines += 1;
        }
    }
    assert_eq!((for_machines, others), (2, 3));
}
