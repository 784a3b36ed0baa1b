//! All histories of a small deferrable server with one task, below another: no job is later than its bound.

use super::Explored;
use std::fmt::Write as _;
use vorrang_campaign::random::Random;
use vorrang_model::{Format, read};

/// A server whose task takes nearly all of it, nearly as often as its budget comes.
fn draw(random: &mut Random) -> String {
    let period = random.between(3, 7);
    let budget = random.between(1, 3.min(period - 1));
    let wcet = random.between(budget.div_ceil(2), budget);
    let jitter = random.below(3) / 2;
    let apart = period + jitter + random.below(3);
    let mut text = format!(
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[server.s]\non = \"core.0\"\nserver = \"deferrable\"\n\
         budget = \"{budget}ns\"\nperiod = \"{period}ns\"\npriority = 1\n[task.target]\non = \"server.s\"\n\
         wcet = \"{wcet}ns\"\nperiod = \"{apart}ns\"\njitter = \"{jitter}ns\"\ndeadline = \"{}ns\"\npriority = 1\n",
        3 * apart
    );
    let (wcet, above) = (random.between(1, 2), random.between(4, 9));
    let on = if random.chance(1, 2) {
        let _ = write!(
            text,
            "[server.above]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"{}ns\"\nperiod = \"{}ns\"\npriority = 2\n",
            wcet,
            random.between(wcet + 2, above)
        );
        "server.above"
    } else {
        "core.0"
    };
    text + &format!(
        "[task.above]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{above}ns\"\npriority = 3\n"
    )
}

#[test]
fn no_job_alone_in_a_deferrable_server_exceeds_its_bound() {
    let mut random = Random::new(12, 0);
    let mut explored = Explored::default();
    for _ in 0..300 {
        let text = draw(&mut random);
        if read(text.as_str(), Format::Toml).is_ok() {
            explored.explore(&text);
        }
    }
    explored.are(100, 51);
}
