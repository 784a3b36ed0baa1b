//! The message when analysis and simulator contradict each other: one of them is wrong.

use crate::evidence::Compared;
use crate::identity::TOOL;
use crate::input::Input;
use crate::replay::Replay;
use std::fmt::Write as _;
use vorrang_sim::Observations;

/// A bug of ours, as it is printed; there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug(pub String);

/// The message when a bound does not hold.
pub fn of(input: &Input, observations: &Observations, found: &[Compared]) -> Bug {
    let mut message = format!(
        "BUG of {TOOL}: the simulator shows what the analysis excludes, so one of them is wrong.\n\
         No verdict of this run is worth anything.\n"
    );
    for Compared { name, core, bound, observed } in found {
        let replay = Replay::of(input, observations, *core, &observed.pattern);
        let _ = write!(
            message,
            "\n{name}: a response of {} where the bound is {bound}\n  {replay}\n",
            observed.response
        );
    }
    let _ =
        write!(message, "\nPlease report this with the description (sha256 {}).\n", input.sha256);
    Bug(message)
}

/// The same of a system in which one parameter was moved.
pub fn of_a_margin(found: &[Compared]) -> Bug {
    let lines = found.iter().map(|Compared { name, bound, observed, .. }| {
        let (response, pattern) = (observed.response, &observed.pattern);
        format!("{name}: a response of {response} in {pattern} where the bound is {bound}\n")
    });
    Bug(format!(
        "BUG of {TOOL}: with a parameter changed, the simulator shows what the analysis excludes.\n{}\
         Please report this with the description.\n",
        lines.collect::<String>()
    ))
}

/// The same for lost time.
pub fn of_losses(input: &Input, found: &str) -> Bug {
    let message = format!(
        "BUG of {TOOL}: the simulator loses more time than the analysis allows for.\n{found}\n\
         Please report this with the description (sha256 {}).\n",
        input.sha256
    );
    Bug(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Observed;
    use vorrang_model::system::SupplyId;
    use vorrang_sim::Search;
    use vorrang_time::{Duration, Instant};

    #[test]
    fn a_contradiction_is_loud_and_can_be_replayed() {
        let source = "version = 1\n[core.0]\nscheduler = \"edf\"\n";
        let system = vorrang_model::read(source, vorrang_model::Format::Toml).expect("a system");
        let observations = vorrang_sim::search(&system, &Search::default());
        let input = Input::named("my system.toml", system);
        let found = Compared {
            name: "task.x".to_owned(),
            core: SupplyId(0),
            bound: Duration::from_ms(10),
            observed: Observed {
                response: Duration::from_ms(12),
                finished: true,
                pattern: "exhausted:task.x:3".into(),
                arrival: Instant::ZERO,
            },
        };
        let Bug(message) = of(&input, &observations, &[found]);
        let message = message.replace(TOOL, "vorrang");
        insta::assert_snapshot!(message, @"
        BUG of vorrang: the simulator shows what the analysis excludes, so one of them is wrong.
        No verdict of this run is worth anything.

        task.x: a response of 12ms where the bound is 10ms
          vorrang simulate 'my system.toml' --core core.0 --witness exhausted:task.x:3

        Please report this with the description (sha256 0123).
        ");
    }
}
