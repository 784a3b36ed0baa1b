//! `xl sched-rtds` of Xen, and `xl vcpu-pin`.
//!
//! **Model.** RTDS is [`XEN`]: virtual processors by deadline, each a deferrable server. It is global, so each is pinned to
//! its processor; and it gives time beyond budgets to those that have `extratime`, as all have at first, so that is turned
//! off.
//!
//! **Does not cover** the other domains: their virtual processors, Dom0's too, are to be pinned elsewhere, which the
//! output says.

use crate::plan::{Unfit, cpu_of, faults_of_interrupts, missing_on, not_exported, selector_of};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use vorrang_model::System;
use vorrang_model::system::{Member, Selector, Server};
use vorrang_model::target::{Fault, XEN};
use vorrang_quote::{shell_word, visible};
use vorrang_time::Duration;

/// One virtual processor.
struct Processor<'a> {
    label: &'a str,
    number: u32,
    cpu: u32,
    server: &'a Server,
}

/// The commands, by domain.
pub(super) fn commands(system: &System) -> Result<String, Unfit> {
    let mut missing = missing_on(system, &XEN);
    missing.extend(not_exported(system, &XEN));
    let mut wrong = Vec::new();
    let domains = domains(system, &mut wrong);
    wrong.extend(faults_of_interrupts(system));
    Unfit { missing, wrong }.unless_empty()?;
    let mut text = HEAD.to_owned();
    for (domain, processors) in domains {
        let domain = shell_word(&domain);
        for Processor { label, number, cpu, server } in processors {
            let us = |time: Duration| time.div_floor(XEN.limits.unit);
            let (period, budget) = (us(server.period), us(server.budget));
            let _ = write!(
                text,
                "# {}\nxl vcpu-pin {domain} {number} {cpu}\n\
                 xl sched-rtds -d {domain} -v {number} -p {period} -b {budget} -e 0\n",
                visible(label)
            );
        }
    }
    Ok(text)
}

const HEAD: &str = "# Xen with sched=rtds, or a pool of processors with it. Every other virtual processor, Dom0's too, is to be pinned\n\
                    # to other processors.\n";

/// The virtual processors of each domain, and everything that a description lacks.
fn domains<'a>(
    system: &'a System,
    wrong: &mut Vec<String>,
) -> BTreeMap<String, Vec<Processor<'a>>> {
    let mut domains: BTreeMap<String, Vec<Processor<'a>>> = BTreeMap::new();
    for core in system.cores() {
        let Some(cpu) = cpu_of(system, core, wrong) else { continue };
        for member in &system.supply(core).members {
            let Member::Server(id) = *member else { continue };
            let supply = system.supply(id);
            let Some(server) = supply.server().filter(|own| XEN.has_server(own.kind())) else {
                continue;
            };
            wrong.extend(faults(&supply.name, server));
            match domain(system, &supply.name) {
                Ok((domain, number)) => {
                    let processor = Processor { label: &supply.name, number, cpu, server };
                    domains.entry(domain).or_default().push(processor);
                }
                Err(why) => wrong.push(why),
            }
        }
    }
    domains
}

/// The domain and the number of a virtual processor.
fn domain(system: &System, label: &str) -> Result<(String, u32), String> {
    match selector_of(system, label)? {
        // Whatever the shell makes of a word, `xl` reads options from it.
        Selector::Vm(vm, _) if vm.starts_with('-') => {
            Err(format!("{label}: xl takes \"{}\" for an option, not a domain", visible(&vm)))
        }
        Selector::Vm(vm, number) => Ok((vm, number)),
        other => Err(format!(
            "{label}: \"{}\" is no virtual processor of Xen: `thread = \"vm:DOMAIN/0\"`",
            visible(&other.to_string())
        )),
    }
}

/// Times that RTDS does not take.
fn faults(label: &str, server: &Server) -> Vec<String> {
    let Server { budget, period, .. } = *server;
    let said = |fault: Fault| {
        let (key, time) = match fault {
            Fault::Budget | Fault::BudgetUnit => ("budget", budget),
            Fault::Short | Fault::Long | Fault::PeriodUnit => ("period", period),
        };
        format!("{label}: its {key} is {time}, and Xen {}", XEN.limits.rule(fault))
    };
    XEN.limits.faults(budget, period).into_iter().map(said).collect()
}
