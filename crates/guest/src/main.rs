//! The first process of a guest of the lab: does a plan, tells what it saw, turns the machine off.

mod load;
mod machine;
mod policy;
mod steps;
mod trace;

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::process::id() != 1 {
        eprintln!(
            "error: this is the first process of the lab's guests; `vorrang-lab run` starts it"
        );
        return ExitCode::from(2);
    }
    machine::mount();
    let mut ports = machine::ports();
    let refused = machine::load_modules();
    ports.tell(&machine::started());
    for record in &refused {
        ports.tell(record);
    }
    steps::perform(&machine::plan(), &mut ports);
    ports.tell(&vorrang_guest::Record::End);
    machine::turn_off(&ports)
}
