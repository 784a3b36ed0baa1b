//! The results of `vorrang measure kernel`, compared with the profile that is shipped for that kernel: no number of it may be
//! above the shipped one, otherwise the shipped profile is wrong.

use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_guest::Record;
use vorrang_model::{Format, System, read, read_profile, read_with};

/// The profile as the machine boots, and the one with timers.
const FOUND: [&str; 2] = ["/kernel.toml", "/timer/kernel.toml"];
/// The description with which they are tried.
const DESCRIPTION: &str = "/system.toml";

/// The profiles that were found.
pub(crate) fn profiles(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let mut checks = Vec::new();
    let ran = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { command, exit, output, errors } => {
            Some((command, *exit, format!("{output}{errors}")))
        }
        _ => None,
    });
    for (command, exit, said) in ran {
        let is_check = command.iter().any(|word| word == "check");
        // Measured numbers are reported to be no bounds.
        let words: Vec<&str> = said.split_whitespace().collect();
        let is_said = words.join(" ").contains("than the longest of this many samples");
        let holds = exit == 0 && (!is_check || is_said);
        let seen = format!("exit code {exit}\n{said}");
        checks.push(Check::new(command.join(" "), seen, holds));
    }
    let Some(line) = evidence.line() else {
        checks.push(Check::new("the kernel is of a line", "it is not", false));
        return checks;
    };
    // It names the kernel by the path of its profile.
    let description = |kernel: &str| of.text(DESCRIPTION).replace("kernel.toml", kernel);
    let shipped = read(description(line), Format::Toml).expect("what is shipped can be read");
    for path in FOUND {
        checks.extend(against((path, &description(path)), line, evidence, &shipped));
    }
    checks
}

/// The results, number by number.
fn against(
    (path, description): (&str, &str),
    line: &str,
    evidence: &Evidence,
    shipped: &System,
) -> Vec<Check> {
    let what = format!("{path} is a kernel profile");
    let Some(text) = evidence.texts(path).next() else {
        return vec![Check::new(what, "there is none", false)];
    };
    let found = read_with(description, Format::Toml, |_| {
        read_profile(text, Format::Toml).map_err(|errors| errors[0].to_string())
    });
    let found = match found {
        Ok(found) => found,
        Err(errors) => return vec![Check::new(what, format!("{errors:?}\n{text}"), false)],
    };
    let known = numbers(shipped);
    let compare = |(name, measured): (String, u64)| {
        let bound = known.iter().find(|(known, _)| *known == name).map(|(_, ns)| *ns);
        let holds = bound.is_some_and(|bound| measured <= bound);
        let bound = bound.map_or("nothing".to_owned(), |bound| bound.to_string());
        Check::new(
            format!("{path}: {name} is not above that of {line}"),
            format!("{measured}, shipped {bound}"),
            holds,
        )
    };
    let mut checks: Vec<Check> = numbers(&found).into_iter().map(compare).collect();
    let all = known.len() == checks.len();
    checks.push(Check::new(
        format!("{path} has every number that is shipped"),
        format!("{} of {}", checks.len(), known.len()),
        all,
    ));
    checks
}

/// The numbers of a kernel in nanoseconds, the larger the worse; of its interrupts and tasks how often they come in
/// ten seconds.
fn numbers(system: &System) -> Vec<(String, u64)> {
    let core = system.cores().next().expect("a description has a core");
    let rate = |period: vorrang_time::Duration| 10_000_000_000 / period.as_ns();
    let mut all = vec![
        ("a call of the scheduler [ns]".to_owned(), system.costs.scheduler_call.as_ns()),
        ("the overrun [ns]".to_owned(), system.supply(core).overrun.as_ns()),
        ("the longest section [ns]".to_owned(), system.supply(core).sections.as_ns()),
    ];
    if let Some(server) = system.fair_server(core) {
        all.push(("the budget of SCHED_OTHER [ns]".to_owned(), server.budget.as_ns()));
        all.push(("how often SCHED_OTHER has it".to_owned(), rate(server.period)));
    }
    for one in &system.interrupts {
        all.push((format!("{}: isr [ns]", one.name), one.isr.as_ns()));
        all.push((format!("{}: jitter [ns]", one.name), one.jitter.as_ns()));
        all.push((format!("{}: arrivals", one.name), rate(one.min_interarrival)));
    }
    for one in
        system.tasks.iter().filter(|task| task.name.starts_with("core.0/") && task.priority.0 > 0)
    {
        all.push((format!("{}: wcet [ns]", one.name), one.wcet.as_ns()));
        all.push((format!("{}: jitter [ns]", one.name), one.jitter.as_ns()));
        all.push((format!("{}: arrivals", one.name), rate(one.min_interarrival)));
        all.push((format!("{}: priority", one.name), u64::from(one.priority.0)));
    }
    all
}
