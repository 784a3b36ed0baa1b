//! What only the start of a kernel sets: its command line, alone and in a profile of tuned.
//!
//! **Sources.** Documentation/admin-guide/kernel-parameters.rst: `isolcpus=managed_irq` keeps interrupts whose processors a
//! driver manages away, which `/proc/irq` does not; `rcu_nocbs` has callbacks of RCU called by threads. tuned's plugins
//! `bootloader` (`cmdline_NAME=+...`) and `irqbalance` (`banned_cpus`).
//!
//! **Does not cover** `nohz_full`: with it ticks and entries to the kernel cost something else than was measured without.

use crate::machine::cpu_list;
use crate::plan::Reserved;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use vorrang_quote::visible;

const WHY: &str = "# What no program changes while the kernel runs: interrupts that drivers manage, and callbacks of RCU.\n\
                   # nohz_full is not among it: ticks and entries to the kernel then cost something else, so measure with it first.\n";

pub(super) fn command_line(reserved: &[Reserved]) -> String {
    format!("{WHY}{}\n", parameters(&processors(reserved)))
}

/// A profile for `/etc/tuned/vorrang/tuned.conf`. tuned finds processes by their command lines, so no thread is in it.
pub(super) fn tuned(reserved: &[Reserved]) -> String {
    let cpus = processors(reserved);
    let mut text = format!(
        "# /etc/tuned/vorrang/tuned.conf, for `tuned-adm profile vorrang`\n\
         [main]\nsummary=Processors that Vorrang reserves\n\n\
         {WHY}[bootloader]\ncmdline_vorrang=+{}\n\n\
         [irqbalance]\nbanned_cpus={cpus}\n",
        parameters(&cpus)
    );
    for Reserved { label, selector, .. } in reserved {
        let (label, named) = (visible(label), visible(&selector.to_string()));
        let _ = writeln!(text, "# {label}: {named} is set by `vorrang apply`, not by tuned");
    }
    text
}

fn processors(reserved: &[Reserved]) -> String {
    let cpus: BTreeSet<u32> = reserved.iter().map(|one| one.cpu).collect();
    cpu_list(&cpus.into_iter().collect::<Vec<_>>())
}

fn parameters(cpus: &str) -> String {
    format!("isolcpus=managed_irq,{cpus} rcu_nocbs={cpus}")
}
