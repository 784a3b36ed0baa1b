//! Parts of containers' configurations, by the OCI's runtime specification 1.2: `process.scheduler`.
//!
//! **Model.** A container has one first process, which gets the policy; what is no process of a container (a virtual
//! processor, an interrupt thread) is listed with the reason. The kernel admits a reservation only where the container may
//! run on all of a partition, so its processors are not set here; `SCHED_FIFO` is kept to its processor.

use crate::machine::Policy;
use crate::plan::Reserved;
use serde_json::{Map, Value, json};
use vorrang_model::system::Selector;

/// One object: parts by name in the description, and what has none.
pub(super) fn containers(reserved: &[Reserved]) -> String {
    let (mut parts, mut left_out) = (Map::new(), Map::new());
    for Reserved { label, selector, cpu, policy } in reserved {
        match selector {
            Selector::Vm(..) | Selector::Irq(_) | Selector::Napi(..) => {
                let why = format!("{selector} is not the process of a container");
                left_out.insert(label.clone(), why.into());
            }
            Selector::Number(_) | Selector::Name(_) | Selector::OfProcess(..) => {
                parts.insert(label.clone(), part(*cpu, policy));
            }
        }
    }
    let whole = json!({ "containers": parts, "left-out": left_out });
    format!("{whole:#}\n")
}

fn part(cpu: u32, policy: &Policy) -> Value {
    const RECLAIM: u64 = 2;
    let Policy { runtime, deadline, period, priority, flags, .. } = policy;
    if policy.policy == Policy::DEADLINE {
        let mut scheduler = json!({
            "policy": "SCHED_DEADLINE", "runtime": runtime, "deadline": deadline, "period": period
        });
        if flags & RECLAIM != 0 {
            scheduler["flags"] = json!(["SCHED_FLAG_RECLAIM"]);
        }
        let partition = format!("processor {cpu}, as a partition of its own");
        json!({
            "process": { "scheduler": scheduler },
            "annotations": { "vorrang.partition": partition }
        })
    } else {
        json!({
            "process": { "scheduler": { "policy": "SCHED_FIFO", "priority": priority } },
            "linux": { "resources": { "cpu": { "cpus": cpu.to_string() } } }
        })
    }
}
