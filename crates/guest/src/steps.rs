//! The steps of a plan.

use crate::machine::Ports;
use crate::{load, trace};
use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;
use vorrang_guest::{Plan, Record, Step};

/// Does the steps in their order, and tells what was seen or refused.
pub(crate) fn perform(plan: &Plan, ports: &mut Ports) {
    for step in &plan.steps {
        for record in one(step, ports) {
            ports.tell(&record);
        }
    }
}

fn one(step: &Step, ports: &mut Ports) -> Vec<Record> {
    match step {
        Step::Write { path, text } => done(&format!("write {path}"), fs::write(path, text)),
        Step::MakeFolder { path } => done(&format!("make {path}"), fs::create_dir(path)),
        Step::Read { path } => match fs::read(path) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                vec![Record::Text { path: path.clone(), text }]
            }
            Err(why) => done(&format!("read {path}"), Err(why)),
        },
        Step::Run { command } => run(command),
        Step::StartTrace { events } => done("start the trace", trace::start(events)),
        Step::EndTrace => done("send the trace", trace::end(&mut ports.trace)),
        Step::Load { tasks } => load::run(tasks),
    }
}

/// Nothing, or why not.
fn done(what: &str, result: io::Result<()>) -> Vec<Record> {
    let refused = |why: io::Error| Record::Refused {
        what: what.to_owned(),
        errno: why.raw_os_error().unwrap_or(0),
        why: why.to_string(),
    };
    result.err().map(refused).into_iter().collect()
}

fn run(command: &[String]) -> Vec<Record> {
    let [program, arguments @ ..] = command else { return Vec::new() };
    match Command::new(program).args(arguments).output() {
        Ok(output) => vec![Record::Ran {
            command: command.to_vec(),
            exit: output
                .status
                .code()
                .or(output.status.signal().map(|signal| 128 + signal))
                .unwrap_or(-1),
            output: String::from_utf8_lossy(&output.stdout).into_owned(),
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        }],
        Err(why) => done(&format!("run {program}"), Err(why)),
    }
}
