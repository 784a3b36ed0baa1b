//! Response time of a high-priority task while timers of low-priority tasks expire (Patel, Vanga,
//! Brandenburg 2017): the figure. The runs are in `timer_study.rs`, what is claimed of them in `timer_claims.rs`.

use crate::exact::{place, shown, us, whole};
use crate::figure::{Figure, Reproduced, Table};
use crate::picture::distribution;
use crate::recorded::{self, TIMER_SHIELD};
use crate::setting::Setting;
use crate::timer_claims::claims;
pub use crate::timer_study::{DISTURBANCES, Disturbance, responses};
use crate::timer_study::{QUEUES, of};
use crate::watch::Responses;
use rayon::prelude::*;
use vorrang_figure::{Axis, Chart, Look, Rule, Series, Shape};
use vorrang_model::system::TimerQueue;
use vorrang_time::Duration;

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "timer-interference",
    shows: "response time of a 1 kHz, 200 us task while low-priority timers expire, both queues",
    publication: "P. Patel, M. Vanga, B. Brandenburg 2017",
    system: "published/systems/timer-interference.toml",
    run,
    remarks: &[
        "The intervals of the low-priority tasks are not in the slides; ours are those that cyclictest chooses. Phases are drawn from 50 seeds, so few timers expire together: the published 60 % within 214.8 us with its long tail is not seen here, and no longest response is above 212 us beside tasks.",
        "A common release of all tasks is worse, and is what the first experiment of docs/timer-shield.md does on Linux 6.12 and 7.2, with the module and without.",
        "Published TimerShield curves shift a little with the number of timers, by the caches that callbacks disturb. These are not part of this description: our medians move by 0.1 us at most, and the longest responses by the interrupt of a timer that is under way when a job arrives, 1.5 us at most.",
    ],
};

fn run(setting: &Setting) -> Reproduced {
    const COLUMNS: &[&str] = &[
        "low-priority timers",
        "queue",
        "shortest [us]",
        "median [us]",
        "99 % [us]",
        "longest [us]",
        "median over idle [us]",
        "published over idle [us]",
    ];
    let runs: Vec<_> =
        DISTURBANCES.iter().flat_map(|case| QUEUES.map(|queue| (*case, queue))).collect();
    let seen: Vec<Responses> =
        runs.par_iter().map(|(case, (queue, _))| responses(*queue, *case)).collect();
    let lines =
        runs.iter().zip(&seen).map(|((case, (_, word)), one)| line(*case, word, one, &seen[0]));
    Reproduced {
        table: Table::new(COLUMNS, lines.collect()),
        claims: claims(&seen, setting),
        pictures: pictures(&seen, setting),
    }
}

/// What the publication has on its axes, then the longest responses on kernels, then costs.
fn pictures(seen: &[Responses], setting: &Setting) -> Vec<vorrang_figure::Figure> {
    let tasks = [0, 1, 50, 100].map(Disturbance::Tasks);
    let alone = Disturbance::Tasks(0);
    let timers = [alone, Disturbance::Timers(100), Disturbance::Timers(1000)];
    let [plain, shield] = QUEUES.map(|(queue, _)| queue);
    let curves = |cases: &[Disturbance], queue| -> Vec<(Disturbance, TimerQueue)> {
        cases.iter().map(|&case| (case, queue)).collect()
    };
    let of_timers = [curves(&timers, plain), curves(&timers[1..], shield)].concat();
    let own_tasks = measured(setting, "tasks", &[1, 50, 100]);
    let own_timers = measured(setting, "timerfds", &[100, 1000]);
    let mut all = vec![
        with_rules(picture("timer-interference-tasks", "Responses beside low-priority tasks, hrtimers", end(216.0, &own_tasks), &curves(&tasks, plain), seen), &own_tasks)
            .described("Simulated, phases drawn from 50 seeds. The curves go to the right with the number of tasks; the published tail is longer.")
            .rule(Rule::At(214.8, "published: 60 % of one curve".to_owned(), Look::Published))
            .into(),
        picture("timer-interference-tasks-shield", "Responses beside low-priority tasks, TimerShield", 216.0, &curves(&tasks, shield), seen)
            .described("Simulated, phases drawn from the same 50 seeds, on the axis of the picture before: the curves are where the idle one is.")
            .into(),
        with_rules(picture("timer-interference-timers", "Responses beside timers of one task", end(250.0, &own_timers), &of_timers, seen), &own_timers)
            .described("Simulated. With hrtimers 1000 timers add 45 us, which were fitted; with TimerShield the curves are where the idle one is.")
            .into(),
        kernels(),
    ];
    all.extend(crate::timer_costs::pictures());
    all
}

/// What a machine took in the middle: without timers, and beside so many that expire this way; in microseconds.
fn measured(setting: &Setting, way: &str, counts: &[u64]) -> Vec<(String, f64)> {
    let alone = ("timers.response-alone".to_owned(), "this machine, idle".to_owned());
    let beside = counts.iter().map(|count| {
        (format!("timers.response-{way}-{count}"), format!("this machine, {count} timers"))
    });
    let named = [alone].into_iter().chain(beside);
    let found = named.filter_map(|(key, name)| {
        let median = Duration::from_ns(setting.median(&key)?);
        Some((format!("{name}: {}", shown(us(median), 1)), place(us(median))))
    });
    found.collect()
}

/// The end of an axis on which these can be seen.
fn end(least: f64, measured: &[(String, f64)]) -> f64 {
    measured.iter().fold(least, |end, (_, at)| end.max(at + 4.0))
}

fn with_rules(chart: Chart, measured: &[(String, f64)]) -> Chart {
    measured
        .iter()
        .fold(chart, |chart, (label, at)| chart.rule(Rule::At(*at, label.clone(), Look::Faint)))
}

/// What a disturbance is called.
fn name(case: Disturbance) -> String {
    match case {
        Disturbance::Tasks(0) => "idle".to_owned(),
        Disturbance::Tasks(1) => "1 task".to_owned(),
        Disturbance::Tasks(count) => format!("{count} tasks"),
        Disturbance::Timers(count) => format!("{count} timers of one task"),
    }
}

/// Distributions, on an axis that ends here.
fn picture(
    name_of: &str,
    title: &str,
    end: f64,
    curves: &[(Disturbance, TimerQueue)],
    seen: &[Responses],
) -> Chart {
    let chart = Chart::new(
        name_of,
        title,
        Axis::linear("response time", "us").from(194.0).to(end),
        Axis::linear("part of the jobs", "").from(0.0).to(1.0),
    );
    curves.iter().fold(chart, |chart, (case, queue)| {
        let word = match queue {
            TimerQueue::HrTimer => "hrtimers",
            TimerQueue::TimerShield => "TimerShield",
        };
        let all = &of(seen, *case, *queue).all;
        chart.with(distribution(format!("{}, {word}", name(*case)), all, 0, us))
    })
}

/// The longest responses on stock kernels in the lab.
fn kernels() -> vorrang_figure::Figure {
    let mut chart = Chart::new(
        "timer-interference-kernels",
        "Longest response on stock kernels in the lab, all tasks released together once",
        Axis::linear("low-priority tasks", "").from(0.0).to(105.0),
        Axis::linear("longest response", "us").from(195.0),
    )
    .described("Recorded runs: Linux 6.12.95 and 7.2.12, without the module for shielded timers and with it.");
    for run in ["shield-6.12", "shield-7.2"] {
        for row in recorded::rows(TIMER_SHIELD, run) {
            if row[0] == "after it is gone" {
                continue;
            }
            let numbers = (1..5).filter_map(|place| recorded::number(&row, place));
            let points = [0, 1, 50, 100].map(whole).into_iter().zip(numbers);
            let points = crate::picture::points(points);
            let kernel = run.trim_start_matches("shield-");
            let name = format!(
                "Linux {kernel}, {} the module",
                row[0].replace(" the module", "").replace("with it", "with")
            );
            chart = chart.with(Series::new(name, Shape::LineWithPoints, points));
        }
    }
    chart.into()
}

fn median(seen: &Responses) -> Duration {
    seen.quantile(500).expect("hundreds of jobs")
}

fn line(case: Disturbance, word: &str, seen: &Responses, idle: &Responses) -> Vec<String> {
    let text = |time: Option<Duration>| time.map_or("-".to_owned(), |time| shown(us(time), 1));
    vec![
        match case {
            Disturbance::Tasks(0) => "none".to_owned(),
            Disturbance::Timers(count) => format!("{count} of one task"),
            Disturbance::Tasks(_) => name(case),
        },
        word.to_owned(),
        text(seen.shortest()),
        text(seen.quantile(500)),
        text(seen.quantile(990)),
        text(seen.longest()),
        shown(us(median(seen)) - us(median(idle)), 1),
        published(case, word).to_owned(),
    ]
}

fn published(case: Disturbance, queue: &str) -> &'static str {
    match (case, queue) {
        (Disturbance::Timers(1000), "hrtimer") => "45",
        (Disturbance::Timers(1000), _) => "0",
        _ => "-",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::Machine;

    /// With a profile the machine stands in the picture, and within its axis.
    #[test]
    fn a_machine_that_was_measured_is_drawn() {
        let medians =
            [("timers.response-alone", 203_400), ("timers.response-timerfds-1000", 301_000)];
        let medians = medians.map(|(name, median)| (name.to_owned(), median)).to_vec();
        let machine = Some(Machine { medians, ..Machine::default() });
        let own = measured(&Setting { machine }, "timerfds", &[100, 1000]);
        let drawn =
            [("this machine, idle: 203.4", 203.4), ("this machine, 1000 timers: 301.0", 301.0)];
        assert_eq!(own, drawn.map(|(name, at)| (name.to_owned(), at)));
        assert!(end(250.0, &own) > 301.0);
        assert!(measured(&Setting::default(), "tasks", &[1]).is_empty());
    }
}
