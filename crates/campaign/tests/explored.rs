//! The longest response of small systems, of all histories, and the bound beside it.
//!
//! Each file in `tests/explored` is a system with comments before it: the part of a bound that counts there, and
//! `# longest: RESPONSE of BOUND`, in ticks, of the task or interrupt that is called `target`. Most are systems of the
//! campaign's explorer in which that part, left out or too small, gives a bound that some history exceeds.

use std::fs::read_to_string;
use std::path::Path;
use vorrang_analysis::bounds;
use vorrang_campaign::exhaustive::layout::Layout;
use vorrang_campaign::exhaustive::{LIMIT, reach};
use vorrang_model::{Format, read};

#[test]
fn the_longest_of_all_responses_is_as_stated() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explored");
    let mut wrong = Vec::new();
    for entry in folder.read_dir().expect("the folder") {
        let file = entry.unwrap().path();
        let text = read_to_string(&file).unwrap();
        let system = read(&text, Format::Toml);
        let system = system.unwrap_or_else(|errors| panic!("{}: {errors:?}", file.display()));
        let task = system.task_ids().find(|&id| system.task(id).name == "task.target");
        let all = bounds(&system);
        let (name, finding) = match task {
            Some(id) => ("task.target", all.task(id)),
            None => ("interrupt.target", all.interrupt(system.interrupt_ids().next().unwrap())),
        };
        let layout = Layout::new(&system, name).expect("what the explorer covers");
        let longest = reach::longest(&layout, LIMIT).expect("not too many states");
        let bound = finding.bound().expect("a bound").as_ns();
        let found = format!("# longest: {} of {bound}", longest.response);
        assert!(u64::from(longest.response) <= bound, "{}: {found}", file.display());
        if !text.lines().any(|line| line == found) {
            wrong.push(format!("{}: {found}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "not as stated:\n{}", wrong.join("\n"));
}
