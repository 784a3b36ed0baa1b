//! Each target can be described: its servers stand on its cores.

use vorrang_model::target::{LINUX, SEL4, Target, XEN};
use vorrang_model::{Format, read};

/// A core as the target schedules one in the first place, with a server of its kind, as small and fast as it takes.
fn described(target: &Target) -> String {
    let (scheduler, kind) = (target.schedulers[0].word(), target.servers[0].word());
    let limits = target.limits;
    let period = limits.shortest_period.max(limits.least_budget);
    let priority = if scheduler == "fixed-priority" { "priority = 1\n" } else { "" };
    format!(
        "version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n[server.x]\non = \"core.0\"\nserver = \"{kind}\"\n\
         budget = \"{}\"\nperiod = \"{period}\"\nthread = \"name:x\"\n{priority}",
        limits.least_budget
    )
}

#[test]
fn what_a_target_takes_can_be_described() {
    for target in [&LINUX, &XEN, &SEL4] {
        let text = described(target);
        let system = read(&text, Format::Toml).unwrap_or_else(|why| panic!("{text}\n{why:?}"));
        let kind = system.supplies[1].server_kind().expect("a server");
        assert!(target.has_server(kind), "{}", target.name);
        let server = system.supplies[1].server().expect("a server");
        assert_eq!(target.limits.faults(server.budget, server.period), []);
    }
}

#[test]
fn no_two_targets_have_the_same_servers() {
    let kinds = [&LINUX, &XEN, &SEL4].map(|target| target.servers);
    assert!(kinds[0] != kinds[1] && kinds[1] != kinds[2] && kinds[0] != kinds[2]);
}
