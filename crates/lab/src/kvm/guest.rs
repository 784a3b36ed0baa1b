//! A Linux in a virtual machine of the lab's machine (`scenarios/kvm/`): that it is there, answers and is reserved.

use crate::check::Check;
use crate::evidence::Evidence;
use crate::failure::Failure;
use crate::image::File;
use crate::kernel::Kernel;
use crate::nested;
use crate::written::Scenario;
use vorrang_guest::{Plan, Record};

/// The records of the guest, as a file of the machine around it.
const RECORDS: &str = "/run/records";
/// What starts it.
const SCRIPT: &str = "/guest.sh";
/// Packets of each side.
const PACKETS: u32 = 5;
/// The reservation of the description, in percent of a processor.
const BUDGET: f64 = 40.0;

/// QEMU, the guest and what it needs.
pub(crate) fn files(kernel: &Kernel) -> Result<Vec<File>, Failure> {
    let inside = Scenario::read("kvm/inside");
    let plan = Plan { steps: inside.steps(&|part| panic!("the guest has no {part}")) };
    let modules: Vec<&str> = inside.modules.iter().map(String::as_str).collect();
    nested::files(kernel, &modules, &plan, inside.files())
}

/// Whether it was started, each time.
pub(crate) fn is_started(evidence: &Evidence) -> Check {
    let said = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { command, exit, output, .. } if command.iter().any(|word| word == SCRIPT) => {
            Some((*exit, output.trim()))
        }
        _ => None,
    });
    let (exits, said): (Vec<i32>, Vec<&str>) = said.unzip();
    let holds = !exits.is_empty() && exits.iter().all(|exit| *exit == 0);
    Check::new("the guest is started", said.join("; "), holds)
}

/// It is the same kernel, is answered and answers.
pub(crate) fn answers(evidence: &Evidence) -> Vec<Check> {
    let inner: Vec<Record> = evidence
        .texts(RECORDS)
        .flat_map(str::lines)
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    vec![
        same_kernel(&evidence.records, &inner),
        answered("the guest is answered from outside", &inner, 0),
        answered("it answers", &evidence.records, 0),
    ]
}

/// Its processor receives its budget, and it answers still.
pub(crate) fn is_reserved(evidence: &Evidence) -> Vec<Check> {
    let status = evidence.records.iter().find_map(|record| match record {
        Record::Ran { command, output, .. } if command.iter().any(|word| word == "status") => {
            Some(output.as_str())
        }
        _ => None,
    });
    let status = status.unwrap_or_default();
    let seen = shares(status, "vcpu.guest");
    // Something of every period; a period more or less at the ends of the interval, of a hundred.
    let holds = seen.is_some_and(|(budget, received)| {
        (budget - BUDGET).abs() < 0.01 && (BUDGET - 4.0..BUDGET + 1.0).contains(&received)
    });
    let seen = seen.map_or_else(
        || format!("status does not say:\n{status}"),
        |(budget, received)| format!("{received} % of {budget} %"),
    );
    vec![
        Check::new("it computes all the time, and receives its budget", seen, holds),
        answered("reserved, it answers", &evidence.records, 1),
    ]
}

/// Both are the same stock kernel.
fn same_kernel(outer: &[Record], inner: &[Record]) -> Check {
    let kernel = |records: &[Record]| {
        records.iter().find_map(|record| match record {
            Record::Started { kernel, .. } => Some(kernel.clone()),
            _ => None,
        })
    };
    let (outer, inner) = (kernel(outer), kernel(inner));
    let seen = inner.clone().unwrap_or_else(|| "the guest told nothing".to_owned());
    Check::new("the guest is the same stock kernel", seen, inner.is_some() && inner == outer)
}

/// All packets of the `place`th `ping` are answered.
fn answered(what: &str, records: &[Record], place: usize) -> Check {
    let mut pings = records.iter().filter_map(|record| match record {
        Record::Ran { command, output, .. } if command.iter().any(|word| word == "ping") => {
            Some(output.as_str())
        }
        _ => None,
    });
    let output = pings.nth(place).unwrap_or("it did not run");
    let summary = output.lines().find(|line| line.contains("packets transmitted"));
    let all = format!("{PACKETS} packets transmitted, {PACKETS} packets received");
    let seen = summary.unwrap_or(output);
    Check::new(what, seen, seen.starts_with(&all))
}

/// The budget of a reservation and what was received of it, in percent, as a row of `status` shows them.
fn shares(status: &str, label: &str) -> Option<(f64, f64)> {
    let row = status.lines().find(|line| line.starts_with(label))?;
    let mut shares = row
        .split_whitespace()
        .filter(|word| word.contains('.'))
        .filter_map(|word| word.parse().ok());
    Some((shares.next()?, shares.next()?))
}
