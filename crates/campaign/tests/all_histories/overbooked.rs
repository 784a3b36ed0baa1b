//! All histories of small EDF cores of which more is reserved than they have: no response is longer than its bound, and
//! there is one where the servers are used little.

use super::Explored;
use std::fmt::Write as _;
use vorrang_campaign::random::Random;

const KINDS: [&str; 5] = ["deferrable", "deferrable", "polling", "cbs-hard", "periodic"];

/// Two or three servers, more than a core together, with a task in each; sometimes a second one beside the target, and sometimes
/// a task on the core.
fn draw(random: &mut Random) -> Option<String> {
    let mut text = "version = 1\n[core.0]\nscheduler = \"edf\"\n".to_owned();
    let count = 2 + random.below(2);
    let (mut reserved, mut task) = (0, 0);
    let mut add = |on: &str, priority: u64, random: &mut Random| {
        let (name, wcet, period) = (
            if task == 0 { "target".to_owned() } else { format!("t{task}") },
            1 + random.below(2),
            5 + random.below(10),
        );
        task += 1;
        let jitter = random.below(3) / 2;
        let priority =
            if priority > 0 { format!("priority = {priority}\n") } else { String::new() };
        format!(
            "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\njitter = \"{jitter}ns\"\n\
             deadline = \"{}ns\"\n{priority}",
            period * (1 + random.below(2))
        )
    };
    for server in 0..count {
        let (budget, period) = (1 + random.below(3), 2 + random.below(5));
        if budget > period {
            return None;
        }
        reserved += budget * 60 / period;
        let kind = random.one_of(&KINDS);
        let _ = write!(
            text,
            "[server.s{server}]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\"\n\
             scheduler = \"fixed-priority\"\n"
        );
        let on = format!("server.s{server}");
        text += &add(&on, 1, random);
        if server == 0 && random.below(3) == 0 {
            text += &add(&on, 2, random);
        }
    }
    if random.below(3) == 0 {
        text += &add("core.0", 0, random);
    }
    (reserved > 60).then_some(text)
}

#[test]
fn no_history_beside_more_than_a_core_exceeds_its_bound() {
    let mut random = Random::new(11, 0);
    let mut explored = Explored::default();
    for _ in 0..1_200 {
        if let Some(text) = draw(&mut random) {
            explored.explore(&text);
        }
    }
    explored.are(50, 11);
}
