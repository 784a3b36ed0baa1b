//! All histories of small guests that take all of their server: no response is longer than its bound, and there is one.

use super::Explored;

const KINDS: [(&str, &str); 7] = [
    ("fixed-priority", "polling"),
    ("fixed-priority", "deferrable"),
    ("fixed-priority", "sporadic"),
    ("edf", "periodic"),
    ("edf", "polling"),
    ("edf", "deferrable"),
    ("edf", "cbs-hard"),
];

/// Tasks as (time, period, jitter), the target last, that take exactly this budget in this period.
fn guests(budget: u64, period: u64) -> Vec<Vec<(u64, u64, u64)>> {
    let mut found = vec![
        vec![(budget, period, 0)],
        vec![(budget, period, 1)],
        vec![(2 * budget, 2 * period, 0)],
    ];
    if budget > 1 {
        found.push(vec![(1, period, 0), (budget - 1, period, 0)]);
        found.push(vec![(1, period, 0), (2 * (budget - 1), 2 * period, 0)]);
        found.push(vec![(2, 2 * period, 0), (budget - 1, period, 0)]);
    }
    found
}

fn task(name: &str, on: &str, (wcet, period, jitter): (u64, u64, u64), priority: usize) -> String {
    format!(
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\njitter = \"{jitter}ns\"\n\
         deadline = \"{}ns\"\npriority = {priority}\n",
        5 * period
    )
}

fn text(
    (scheduler, kind): (&str, &str),
    inner: &str,
    (budget, period): (u64, u64),
    guest: &[(u64, u64, u64)],
    is_beside: bool,
) -> String {
    let plain = |task: String| {
        task.lines()
            .filter(|line| !line.starts_with("priority"))
            .fold(String::new(), |text, line| text + line + "\n")
    };
    let priority = if scheduler == "edf" { "" } else { "priority = 1\n" };
    let mut text = format!(
        "version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n[server.s]\non = \"core.0\"\nserver = \"{kind}\"\n\
         budget = \"{budget}ns\"\nperiod = \"{period}ns\"\nscheduler = \"{inner}\"\n{priority}"
    );
    for (place, &own) in guest.iter().enumerate() {
        let name = if place + 1 == guest.len() { "target" } else { "other" };
        let task = task(name, "server.s", own, 9 - place);
        text += &if inner == "edf" { plain(task) } else { task };
    }
    if is_beside {
        let task = task("above", "core.0", (1, 2 * period, 0), 2);
        text += &if scheduler == "edf" { plain(task) } else { task };
    }
    text
}

#[test]
fn no_history_at_full_load_exceeds_its_bound() {
    let mut explored = Explored::default();
    for kind in KINDS {
        for inner in ["fixed-priority", "edf"] {
            for size in [(1, 2), (1, 3), (2, 4), (3, 4)] {
                for guest in guests(size.0, size.1) {
                    for is_beside in [false, true] {
                        explored.explore(&text(kind, inner, size, &guest, is_beside));
                    }
                }
            }
        }
    }
    explored.are(100, 1);
}
