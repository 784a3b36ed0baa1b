//! A core takes what its kernel does by itself from a profile.

use vorrang_model::system::{FairServer, InterruptTime, SupplyId};
use vorrang_model::{Code, Diagnostic, Format, System, read, read_profile, read_with};
use vorrang_time::Duration;

const KERNEL: &str = r#"
version = 1
[costs]
scheduler-call = "3us"
context-switch = "2us"
[kernel]
source = "made up"
release = "9.1"
realtime = false
interrupt-time = "apart"
[kernel.fair-server]
budget = "10ms"
period = "2s"
source = "made up"
[kernel.deadline-limits]
min-period = "50us"
bandwidth = "99%"
source = "made up"
[kernel.overrun]
time = "30us"
source = "made up"
[kernel.sections]
longest = "70us"
samples = 9
source = "made up"
[kernel.interrupt.tick]
samples = 250
isr = "1us"
min-interarrival = "1ms"
jitter = "5us"
source = "made up"
[kernel.task.ktimers]
wcet = "4us"
period = "1ms"
priority = 1
source = "made up"
[kernel.not-counted.rest]
what = "the rest"
source = "not looked for"
"#;

fn on(kernel: &str, stated: &str) -> Result<System, Vec<Diagnostic>> {
    let source = format!(
        "version = 1\n[core.0]\nscheduler = \"linux\"\nkernel = \"kernel.toml\"\n{stated}\n"
    );
    read_with(source, Format::Toml, |file| match file {
        "kernel.toml" => read_profile(kernel, Format::Toml).map_err(|all| all[0].to_string()),
        "machine.toml" => {
            let machine = "version = 1\n[costs]\ncontext-switch = \"9us\"\n";
            read_profile(machine, Format::Toml).map_err(|all| all[0].to_string())
        }
        _ => Err("there is no such file".to_owned()),
    })
}

fn codes(found: Result<System, Vec<Diagnostic>>) -> Vec<Code> {
    found.unwrap_err().iter().map(|error| error.code).collect()
}

#[test]
fn what_a_kernel_does_is_on_its_core() {
    let system = on(KERNEL, "").unwrap();
    let core = &system.supplies[0];
    assert_eq!(core.interrupt_time, InterruptTime::Apart);
    assert_eq!([core.overrun, core.sections], [30, 70].map(Duration::from_us));
    let limits = core.deadline_limits;
    assert_eq!(limits.shortest_period, Some(Duration::from_us(50)));
    assert_eq!((limits.longest_period, limits.share_ppm), (None, Some(990_000)));
    let kernel = core.kernel.as_ref().unwrap();
    assert_eq!((kernel.name.as_str(), kernel.release.as_deref()), ("kernel.toml", Some("9.1")));
    assert_eq!(kernel.is_realtime, Some(false));
    assert_eq!(kernel.not_counted, ["the rest"]);
    let seen: Vec<_> =
        kernel.longest_seen.iter().map(|one| (one.what.as_str(), one.samples)).collect();
    assert_eq!(seen, [("sections", 9), ("tick", 250)]);
    let fair = FairServer { budget: Duration::from_ms(10), period: Duration::from_ms(2000) };
    assert_eq!(system.fair_server(SupplyId(0)), Some(fair));
    let tick = &system.interrupts[0];
    assert_eq!((tick.name.as_str(), tick.jitter), ("core.0/tick", Duration::from_us(5)));
    assert_eq!([tick.isr, tick.min_interarrival], [1, 1000].map(Duration::from_us));
    let thread = &system.tasks[0];
    assert_eq!((thread.name.as_str(), thread.deadline), ("core.0/ktimers", None));
    assert_eq!([thread.wcet, thread.min_interarrival], [4, 1000].map(Duration::from_us));
    assert_eq!(thread.priority.0, 1);
    assert_eq!(system.costs.scheduler_call, Duration::from_us(3));
}

#[test]
fn what_the_description_states_wins_then_the_machine() {
    let stated = "overrun = \"0s\"\nsections = \"9us\"\nfair-server = \"none\"\ninterrupt-time = \"charged\"\n\
                  [interrupt.tick]\non = \"core.0\"\nisr = \"2us\"\nmin-interarrival = \"4ms\"\n\
                  [costs]\nscheduler-call = \"0s\"\n";
    let system = on(KERNEL, stated).unwrap();
    let core = &system.supplies[0];
    assert_eq!((core.overrun, core.interrupt_time), (Duration::ZERO, InterruptTime::Charged));
    assert_eq!(core.sections, Duration::from_us(9));
    assert_eq!(system.fair_server(SupplyId(0)), None);
    let names: Vec<&str> = system.interrupts.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["interrupt.tick"]);
    assert_eq!(system.costs.scheduler_call, Duration::ZERO);
    assert_eq!(system.costs.context_switch, Duration::from_us(2));

    let source = "version = 1\nprofile = \"machine.toml\"\n[core.0]\nscheduler = \"linux\"\n\
                  kernel = \"kernel.toml\"\n";
    let system = read_with(source, Format::Toml, |file| {
        let machine = "version = 1\n[costs]\ncontext-switch = \"9us\"\n";
        let text = if file == "machine.toml" { machine } else { KERNEL };
        read_profile(text, Format::Toml).map_err(|all| all[0].to_string())
    });
    let costs = system.unwrap().costs;
    assert_eq!([costs.scheduler_call, costs.context_switch], [3, 9].map(Duration::from_us));
}

#[test]
fn shipped_profiles_are_right_and_need_no_file() {
    for (name, overrun) in [("6.12-rt", 4000), ("7.2-rt", 269)] {
        let source = format!("version = 1\n[core.0]\nscheduler = \"linux\"\nkernel = \"{name}\"\n");
        let system = read(source, Format::Toml).unwrap();
        let core = &system.supplies[0];
        assert_eq!(core.overrun, Duration::from_us(overrun), "{name}");
        assert!(core.kernel.as_ref().is_some_and(|kernel| !kernel.not_counted.is_empty()));
        assert_eq!(system.interrupts[0].min_interarrival, Duration::from_ms(4), "{name}");
        assert_eq!(system.fair_server(SupplyId(0)), Some(FairServer::OF_LINUX), "{name}");
    }
}

#[test]
fn a_profile_that_says_nothing_about_a_kernel_cannot_be_used() {
    assert_eq!(codes(on("version = 1", "")), [Code::ProfileUnusable]);
    assert_eq!(codes(on("version = 1\nkernel = 3", "")), [Code::ProfileUnusable]);
    let unnamed = KERNEL.replace("release", "releases");
    assert_eq!(codes(on(&unnamed, "")), [Code::ProfileUnusable]);
}

#[test]
fn every_entry_has_its_source() {
    let wrong = KERNEL.replace("source = \"made up\"\n", "");
    let errors = read_profile(wrong, Format::Toml).err().unwrap();
    let codes: Vec<Code> = errors.iter().map(|error| error.code).collect();
    assert_eq!(codes, [Code::MissingKey; 7]);
}

#[test]
fn a_profile_that_nobody_reads_is_said_to_be_missing_on_its_core() {
    let source = "version = 1\n[core.0]\nscheduler = \"linux\"\nkernel = \"kernel.toml\"\n\
                  [core.1]\nscheduler = \"linux\"\n";
    let system = read(source, Format::Toml).unwrap();
    assert!(system.unsupported[0].what.contains("kernel.toml"));
    assert_eq!(system.unsupported[0].core, Some(SupplyId(0)));
}
