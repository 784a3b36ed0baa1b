//! Every history of small systems that are drawn: no response of `task.target` is longer than its bound, and some are as
//! long.

mod full_load;
mod lone_task;
mod overbooked;

use vorrang_analysis::bounds;
use vorrang_campaign::exhaustive::LIMIT;
use vorrang_campaign::exhaustive::layout::Layout;
use vorrang_campaign::exhaustive::reach::longest;
use vorrang_model::{Format, read};

/// What was explored.
#[derive(Debug, Default)]
struct Explored {
    /// Systems with a bound and not too many states.
    systems: u64,
    /// Those of which a response is as long as its bound.
    tight: u64,
    /// Of the longest responses, in thousandths of their bounds.
    parts: u64,
}

impl Explored {
    /// All histories of a system, if it has a bound that they can be compared with.
    #[track_caller]
    fn explore(&mut self, text: &str) {
        let system = read(text, Format::Toml);
        let system = system.unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
        let Some(layout) = Layout::new(&system, "task.target") else { return };
        let target = system.task_ids().find(|&id| system.task(id).name == "task.target");
        let Some(bound) = bounds(&system).task(target.expect("it is there")).bound() else {
            return;
        };
        let Some(seen) = longest(&layout, LIMIT) else { return };
        let (response, bound) = (u64::from(seen.response), bound.as_ns());
        assert!(response <= bound, "{seen:?} of {bound} in\n{text}");
        self.systems += 1;
        self.tight += u64::from(response == bound);
        self.parts += response * 1_000 / bound;
    }

    /// It was worth it.
    #[track_caller]
    fn are(&self, systems: u64, tight: u64) {
        println!("{self:?}, in the middle {}", self.parts / self.systems.max(1));
        assert!(self.systems >= systems && self.tight >= tight, "{self:?}");
    }
}
