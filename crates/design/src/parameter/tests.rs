//! The systems with other values.

use super::*;

fn system(text: &str) -> System {
    let text = format!("version = 1\n{text}");
    read(&*text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

const CORE: &str = "[core.0]\nscheduler = \"fixed-priority\"\n";
const TASK: &str =
    "[task.t]\non = \"core.0\"\nwcet = \"1ms\"\nbcet = \"600us\"\nperiod = \"10ms\"\n";

#[test]
fn shortest_times_stay_as_far_as_they_are_not_above_the_longest() {
    let chance = TASK.replace("task.t", "task.u").replace(
        "wcet = \"1ms\"\nbcet = \"600us\"",
        "execution = { \"1ms\" = 2, \"3ms\" = 1 }\npriority = 1",
    );
    let system = system(&format!("{CORE}{TASK}priority = 2\n{chance}"));
    let times = |parameter: Parameter, value: u64| {
        let of = described(&system, parameter, value).expect("it can be written");
        let us = |time: Duration| time.as_ns() / 1_000;
        let execution: Vec<u64> = of.tasks[1].execution.iter().map(|own| us(own.0)).collect();
        (of.tasks.iter().map(|own| [us(own.bcet), us(own.wcet)]).collect::<Vec<_>>(), execution)
    };
    let stays = vec![1_000, 3_000];
    let wcet = Parameter::Wcet(TaskId(0));
    assert_eq!(times(wcet, 2_000_000), (vec![[600, 2_000], [1_000, 3_000]], stays.clone()));
    assert_eq!(times(wcet, 500_000), (vec![[500, 500], [1_000, 3_000]], stays));
    let (less, more) = (vec![500, 1_500], vec![2_000, 6_000]);
    let all = Parameter::AllWcets;
    assert_eq!(times(all, 500), (vec![[500, 500], [500, 1_500]], less));
    assert_eq!(times(all, 2_000), (vec![[600, 2_000], [2_000, 6_000]], more));
}

/// A storm is no slower than what comes without; what a timer delivers comes as often as that.
#[test]
fn interrupts_come_more_often_and_timers_do_not() {
    let text = format!(
        "{CORE}[interrupt.card]\non = \"core.0\"\nisr = \"1us\"\nmin-interarrival = \"1ms\"\nstorm = \"100us\"\n\
         wakes = \"task.woken\"\n[task.woken]\non = \"core.0\"\nwcet = \"10us\"\npriority = 3\n\
         wakes = [\"task.next\"]\n[task.next]\non = \"core.0\"\nwcet = \"1us\"\npriority = 4\n\
         [vcpu.v]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"2ms\"\nperiod = \"5ms\"\npriority = 2\n\
         [task.armed]\non = \"vcpu.v\"\nwcet = \"10us\"\nperiod = \"8ms\"\n\
         [timer.own]\narmed-by = \"task.armed\"\nperiod = \"8ms\"\nisr = \"1us\"\nwakes = true\n"
    );
    let system = system(&text);
    let rate = |value: u64| {
        let of = described(&system, Parameter::InterruptRate, value).expect("it can be written");
        let card = of.interrupt(InterruptId(0)).clone();
        let others = of.interrupts[1..].iter().map(|own| own.min_interarrival.as_ns());
        let woken = of.tasks.iter().map(|own| own.min_interarrival.as_ns()).collect::<Vec<_>>();
        let storm = card.storm.expect("it has one").as_ns();
        ([card.min_interarrival.as_ns(), storm], others.collect::<Vec<u64>>(), woken)
    };
    let armed = 8_000_000;
    let (_, others, _) = rate(1_000);
    assert!(!others.is_empty() && others.iter().all(|own| *own == armed), "{others:?}");
    let same = others;
    assert_eq!(rate(2_000), ([500_000, 100_000], same.clone(), vec![500_000, 500_000, armed]));
    assert_eq!(rate(20_000), ([50_000, 50_000], same.clone(), vec![50_000, 50_000, armed]));
    let directly = changed(&system, Parameter::InterruptRate, 2_000);
    assert!(directly.tasks[..2].iter().all(|own| own.min_interarrival.as_ns() == 500_000));
    // No more often than every nanosecond.
    let often = text.replace("\"1ms\"", "\"100ns\"").replace("\"100us\"", "\"100ns\"");
    let often = changed(&self::system(&often), Parameter::InterruptRate, MOST);
    assert_eq!(often.interrupts[0].min_interarrival, Duration::RESOLUTION);
}
