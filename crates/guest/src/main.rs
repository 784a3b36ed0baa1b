//! The first process of a guest of the lab: does a plan, tells what it saw, turns the machine off.

mod fault;
mod flood;
mod load;
mod machine;
mod policy;
mod spin;
mod state;
mod steps;
mod trace;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    // Other jobs of this program, in the background of the first process.
    match (arguments.next().as_deref(), arguments.next()) {
        (Some("load"), Some(tasks)) => {
            let tasks: Vec<vorrang_guest::LoadedTask> =
                serde_json::from_str(&tasks).expect("the first process wrote them");
            nix::sys::prctl::set_name(c"load").expect("a short name");
            load::run(&tasks);
            return ExitCode::SUCCESS;
        }
        (Some("flood"), Some(to)) => return flood::run(&to),
        _ => {}
    }
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
