//! What went wrong in the published prototype, one property each.
//!
//! [`Prototype`] is a queue as simple as can be, made right or with one defect. Every property
//! holds for the library, for the queue of the kernel module and for the right one, and fails for the one with its defect, and for
//! no other: so it tests what its name says.

#[path = "../kernel_queue/kernel.rs"]
mod kernel;
mod library;
mod machine;
mod module;
mod property;
mod prototype;

use library::Library;
use module::Module;
use prototype::{Defect, Prototype};

#[test]
fn the_library_has_none_of_the_defects() {
    for (defect, property) in property::ALL {
        assert_eq!(property(&mut Library::new()), Ok(()), "{defect:?}");
    }
}

#[test]
fn the_queue_of_the_kernel_module_has_none_of_the_defects() {
    for (defect, property) in property::ALL {
        assert_eq!(property(&mut Module::new()), Ok(()), "{defect:?}");
    }
}

#[test]
fn each_property_fails_for_its_defect_and_no_other() {
    for (defect, property) in property::ALL {
        assert_eq!(property(&mut Prototype::right()), Ok(()), "{defect:?}");
        for (other, _) in property::ALL {
            let outcome = property(&mut Prototype::with(other));
            assert_eq!(outcome.is_err(), other == defect, "{defect:?} with {other:?}: {outcome:?}");
        }
    }
}

#[test]
fn there_are_eight() {
    let defects: Vec<Defect> = property::ALL.into_iter().map(|(defect, _)| defect).collect();
    assert_eq!(defects, Defect::ALL);
}
