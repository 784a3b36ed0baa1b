//! The first process of a guest of the lab: does a plan, tells what it saw, turns the machine off.

mod account;
mod exercise;
mod fault;
mod flood;
mod gate;
mod interrupts;
mod load;
mod machine;
mod network;
mod play;
mod policy;
mod program;
mod signal;
mod spin;
mod state;
mod steps;
mod timers;
mod trace;

use std::process::ExitCode;
use vorrang_guest::told;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // Other jobs of this program, in the background of the first process.
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["load", tasks, until] => {
            let tasks: Vec<vorrang_guest::LoadedTask> =
                serde_json::from_str(tasks).expect("the first process wrote them");
            nix::sys::prctl::set_name(c"load").expect("a short name");
            let until = until.parse().expect("the first process wrote it");
            return told::exit(load::run_apart(&tasks, until));
        }
        ["write", path, text] => return told::exit(std::fs::write(path, text)),
        ["flood", to] => return flood::run(to),
        ["receive", at] => return told::exit(network::receive(at)),
        ["network", "make", interface, address] => {
            return told::exit(network::make(interface, address));
        }
        ["network", "enter", program, rest @ ..] => {
            return told::exit(Err(network::enter(program, rest)));
        }
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
    ports.tell(&spin::Spin::measured().told());
    for record in &refused {
        ports.tell(record);
    }
    steps::perform(&machine::plan(), &mut ports);
    ports.tell(&vorrang_guest::Record::End);
    machine::turn_off(&ports)
}
