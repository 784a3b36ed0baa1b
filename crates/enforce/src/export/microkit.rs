//! A system of the seL4 Microkit: its protection domains and virtual machines, with budgets, periods and priorities.
//!
//! **Model.** A server is a protection domain with one scheduling context, a virtual processor one of a machine. The
//! Microkit configures every context without extra refills, so a queue holds two.
//!
//! **Sources.** docs/manual.md of the Microkit; its tool's calls of `seL4_SchedControl_ConfigureFlags`.
//!
//! **Does not cover** programs, memory and channels: what is written are parts of a system.

use crate::plan::{Unfit, cpu_of, missing_on, not_exported};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use vorrang_model::System;
use vorrang_model::system::{Member, Server, ServerRule, SupplyId};
use vorrang_model::target::{Fault, SEL4};
use vorrang_quote::visible;
use vorrang_time::Duration;

/// Refills of a queue.
const REFILLS: u32 = 2;
/// The most urgent priority of a domain: the one above is the monitor's.
const MOST_URGENT: u32 = 254;

/// The parts of the system.
///
/// # Errors
/// All reasons why seL4, or the Microkit, has no such system.
pub(super) fn system(system: &System) -> Result<String, Unfit> {
    let mut missing = missing_on(system, &SEL4);
    missing.extend(not_exported(system, &SEL4));
    let mut wrong = Vec::new();
    let mut domains = String::new();
    let mut machines: BTreeMap<&str, Vec<(&Server, Option<u32>)>> = BTreeMap::new();
    let is_alone = system.cores().count() == 1;
    for core in system.cores() {
        let cpu = if is_alone { None } else { cpu_of(system, core, &mut wrong) };
        for &member in &system.supply(core).members {
            let Member::Server(id) = member else { continue };
            let Some(server) = system.supply(id).server().filter(|own| SEL4.has_server(own.kind()))
            else {
                continue;
            };
            wrong.extend(faults(system, id, server));
            match &system.supply(id).vm {
                Some(vm) => machines.entry(vm).or_default().push((server, cpu)),
                None => domain(&mut domains, &system.supply(id).name, server, cpu),
            }
        }
    }
    for (vm, processors) in machines {
        match machine(vm, &processors) {
            Ok(text) => domains += &text,
            Err(why) => wrong.push(why),
        }
    }
    Unfit { missing, wrong }.unless_empty()?;
    Ok(format!("{HEAD}<system>\n{domains}</system>\n"))
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                    <!-- Parts of a system of the seL4 Microkit: add programs, memory and channels. Times are in microseconds. -->\n";

/// Budget, period, priority and processor.
fn attributes(server: &Server, cpu: Option<u32>) -> String {
    let us = |time: Duration| time.div_floor(SEL4.limits.unit);
    let (budget, period) = (us(server.budget), us(server.period));
    let mut text =
        format!("priority=\"{}\" budget=\"{budget}\" period=\"{period}\"", server.priority.0);
    if let Some(cpu) = cpu {
        let _ = write!(text, " cpu=\"{cpu}\"");
    }
    text
}

fn domain(text: &mut String, label: &str, server: &Server, cpu: Option<u32>) {
    let name = label.split_once('.').map_or(label, |(_, name)| name);
    let _ = write!(
        text,
        "    <protection_domain name=\"{name}\" {}>\n        <program_image path=\"{name}.elf\" />\n    </protection_domain>\n",
        attributes(server, cpu)
    );
}

/// A machine, which belongs into the domain of its monitor.
fn machine(vm: &str, processors: &[(&Server, Option<u32>)]) -> Result<String, String> {
    let [(first, _), ..] = processors else { return Ok(String::new()) };
    let same = |(own, _): &(&Server, Option<u32>)| {
        (own.budget, own.period, own.priority) == (first.budget, first.period, first.priority)
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !vm.chars().all(is_plain) || vm.contains("--") {
        let vm = visible(vm);
        return Err(format!(
            "\"{vm}\" is no name of a machine that the Microkit can be given safely"
        ));
    }
    if !processors.iter().all(same) {
        return Err(format!(
            "{vm}: its virtual processors differ, and the Microkit gives all of a machine one budget, period and priority"
        ));
    }
    let mut text = format!(
        "    <!-- into the protection domain of its monitor:\n    <virtual_machine name=\"{vm}\" {}>\n",
        attributes(first, None)
    );
    for (number, (_, cpu)) in processors.iter().enumerate() {
        let cpu = cpu.map(|cpu| format!(" cpu=\"{cpu}\"")).unwrap_or_default();
        let _ = writeln!(text, "        <vcpu id=\"{number}\"{cpu} />");
    }
    text += "    </virtual_machine>\n    -->\n";
    Ok(text)
}

/// What the Microkit does not take.
fn faults(system: &System, id: SupplyId, server: &Server) -> Vec<String> {
    let label = &system.supply(id).name;
    let Server { budget, period, .. } = *server;
    let said = |fault: Fault| {
        let (key, time) = match fault {
            Fault::Budget | Fault::BudgetUnit => ("budget", budget),
            Fault::Short | Fault::Long | Fault::PeriodUnit => ("period", period),
        };
        format!("{label}: its {key} is {time}, and seL4 {}", SEL4.limits.rule(fault))
    };
    let mut found: Vec<String> = SEL4.limits.faults(budget, period).into_iter().map(said).collect();
    if server.priority.0 > MOST_URGENT {
        found.push(format!(
            "{label}: its priority is {}, and the Microkit takes {MOST_URGENT} at most",
            server.priority.0
        ));
    }
    if let ServerRule::RefillQueue { refills, .. } = server.rule
        && refills != REFILLS
    {
        found.push(format!(
            "{label}: its queue holds {refills} refills, and those of the Microkit hold {REFILLS}: `refills = {REFILLS}`"
        ));
    }
    found
}
