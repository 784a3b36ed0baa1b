//! Descriptions that `vorrang-host` runs: `apply`, `status` and `restore` leave them to it.
//!
//! **Model.** Its journal stands beside that of `apply`, and is named `host`. While it is there, a description is run or
//! was. With a journal at another place, its group is there. The program itself is started for a run only.

use std::path::PathBuf;
use vorrang_command::exit::{Failure, Output};
use vorrang_command::input::Source;
use vorrang_command::place::Place;
use vorrang_enforce::journal::Described;
use vorrang_enforce::{Kernel as _, Linux};
use vorrang_host::background::PROGRAM;
use vorrang_host::changes::GROUP;
use vorrang_host::run::Run;
use vorrang_verdict::input::Input;

/// Its journal.
pub(crate) fn beside(journal: &Place) -> Place {
    journal.beside("host")
}

/// Whether a description is run, or was and is not undone.
pub(crate) fn is_run(journal: &Place) -> bool {
    beside(journal).path().exists()
}

/// What is in effect with a journal at another place, if anything is, and how that is undone.
pub(crate) fn elsewhere() -> Option<String> {
    of_groups(|group| Linux.list(group).is_ok())
}

fn of_groups(is_there: impl Fn(&str) -> bool) -> Option<String> {
    let what = |group: &str, does: &str, program: &str| {
        format!(
            "{group} is there: {does}, with a journal at another place. \
             `{program} restore --journal FILE` undoes it; without a journal, remove the group.\n"
        )
    };
    if is_there(GROUP) {
        return Some(what(GROUP, "a description is run by vorrang-host", PROGRAM));
    }
    is_there(vorrang_enforce::GROUP)
        .then(|| what(vorrang_enforce::GROUP, "a description is applied", "vorrang"))
}

/// That there is no journal, and what is in effect nevertheless.
pub(crate) fn nothing() -> String {
    match elsewhere() {
        None => "Nothing is applied.\n".to_owned(),
        Some(other) => format!("Nothing is applied with this journal. But {other}"),
    }
}

/// Runs a description that was read, or shows the changes for it.
///
/// # Errors
/// It is refused.
pub(crate) fn run(
    (source, input, described): (&Source, &Input, Described),
    yes: bool,
    unproven: bool,
    journal: &Place,
) -> Result<Output, Failure> {
    let run = Run::asked(source, unproven, beside(journal));
    if !yes {
        return run.described(input, described);
    }
    if source.is_standard_input() {
        return Err(Failure::bad_input(format!(
            "error: {PROGRAM} runs this description, and reads it from a file\n"
        )));
    }
    // Beside this program, or else as a shell would find it.
    let beside_this = std::env::current_exe().ok().map(|own| own.with_file_name(PROGRAM));
    run.begin(&beside_this.filter(|path| path.exists()).unwrap_or(PathBuf::from(PROGRAM)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_at_another_place_is_seen_by_its_group() {
        assert_eq!(of_groups(|_| false), None);
        for (group, undo) in [
            (GROUP, "`vorrang-host restore --journal FILE`"),
            (vorrang_enforce::GROUP, "`vorrang restore --journal FILE`"),
        ] {
            let said = of_groups(|one| one == group).expect("it is there");
            assert!(said.starts_with(group) && said.contains(undo), "{said}");
        }
    }
}
