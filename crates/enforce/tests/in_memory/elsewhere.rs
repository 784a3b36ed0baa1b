//! Plans for a machine as a document tells it.

use crate::UNSEEN;
use crate::cases::all;
use crate::faulty::{Fault, Faulty};
use crate::machine::Machine;
use vorrang_enforce::{Kernel, Told, Unfit, plan};

/// Told, written and read again.
fn told(kernel: &dyn Kernel) -> Told {
    let text = serde_json::to_string(&Told::of(kernel)).expect("JSON");
    serde_json::from_str(&text).expect("a machine")
}

#[test]
fn a_plan_for_a_document_is_the_plan_of_the_machine() {
    for case in all() {
        let machine = Faulty::new(&case.machine, None);
        let (own, elsewhere) = (plan(&machine, &case.system), plan(&told(&machine), &case.system));
        assert!(own.is_ok(), "{}: {own:?}", case.name);
        assert_eq!(elsewhere, own, "{}", case.name);
        // A machine without any of it is refused alike, but for the reasons that its own files give.
        let bare = Faulty::new(&Machine::new(1), None);
        let (own, elsewhere) = (plan(&bare, &case.system), plan(&told(&bare), &case.system));
        let reasons = |of: Result<_, Unfit>| of.err().map(|why| (why.missing, why.wrong.len()));
        assert_eq!(reasons(elsewhere), reasons(own), "{}", case.name);
    }
}

/// Whatever could not be read when the document was written: the plan is the same, or says that something is unknown.
#[test]
fn what_a_document_could_not_read_is_never_taken_for_absent() {
    for case in all() {
        let whole = Faulty::new(&case.machine, None);
        let own = plan(&whole, &case.system).expect("a plan");
        let _all = Told::of(&whole);
        let (calls, mut doubted) = (whole.calls().len(), 0);
        for (at, why) in (0..calls).flat_map(|at| UNSEEN.map(|why| (at, why))).step_by(3) {
            let machine = Faulty::new(&case.machine, Some((at, Fault::Refuse(why))));
            match plan(&told(&machine), &case.system) {
                Ok(plan) if plan.doubts.is_empty() => {
                    assert_eq!(plan, own, "{}: {}", case.name, machine.at());
                }
                Ok(_) | Err(_) => doubted += 1,
            }
        }
        assert!(doubted > 10, "{}: {doubted} of {calls}", case.name);
    }
}

#[test]
fn a_document_says_what_it_does_not_tell() {
    let told = told(&Faulty::new(&Machine::new(2), None));
    let why = |path| told.read(path).expect_err("it is not told").to_string();
    assert!(why("/etc/passwd").contains("does not tell it"));
    assert_eq!(
        told.read("/proc/7/task/7/comm").map_err(|why| why.kind()),
        Err(std::io::ErrorKind::NotFound)
    );
    assert!(told.policy(4711).is_err() && told.affinity(1).is_ok());
    assert_eq!(told.release(), Some("7.2.12"));
    assert_eq!(
        told.clone().write("/proc/irq/default_smp_affinity", "1").map_err(|why| why.kind()),
        Err(std::io::ErrorKind::ReadOnlyFilesystem)
    );
}
