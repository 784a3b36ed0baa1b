//! Distances of several arrivals, worked out by hand.

use vorrang_analysis::bounds;
use vorrang_model::system::InterruptId;
use vorrang_model::{Format, read};

/// The bound of each, in microseconds.
fn all(text: &str, names: &[&str]) -> Vec<Option<u64>> {
    let system = read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let bounds = bounds(&system);
    let one = |name: &&str| {
        let task = system.task_ids().find(|&id| system.task(id).name == *name);
        let mut interrupts = (0..system.interrupts.len()).map(InterruptId);
        let interrupt = interrupts.find(|&id| system.interrupt(id).name == *name);
        let bound = match (task, interrupt) {
            (Some(id), _) => bounds.task(id).bound(),
            (None, Some(id)) => bounds.interrupt(id).bound(),
            (None, None) => panic!("no {name}"),
        };
        bound.map(|bound| bound.as_ns() / 1_000)
    };
    names.iter().map(one).collect()
}

const EIGHT: &str =
    r#"min-distances = ["125us", "250us", "375us", "500us", "625us", "750us", "875us", "5ms"]"#;
const NEAREST: &str = r#"period = "125us""#;

fn frames(scheduler: &str, arrivals: &str) -> String {
    let priorities = if scheduler == "edf" { ["", ""] } else { ["priority = 2", "priority = 1"] };
    let [high, low] = priorities;
    format!(
        r#"
        version = 1
        [core.0]
        scheduler = "{scheduler}"
        [task.frames]
        on = "core.0"
        wcet = "50us"
        deadline = "1ms"
        {arrivals}
        {high}
        [task.control]
        on = "core.0"
        wcet = "8ms"
        period = "20ms"
        {low}
    "#
    )
}

/// Up to 8.8 ms they are 16, of which the next would come at 10 ms; as far apart as two of them they are 107 in 13.35 ms.
#[test]
fn eight_frames_in_five_milliseconds() {
    for scheduler in ["fixed-priority", "edf"] {
        let [by_eight, by_two] = [EIGHT, NEAREST]
            .map(|arrivals| all(&frames(scheduler, arrivals), &["task.control"])[0].unwrap());
        assert_eq!((by_eight, by_two), (8_800, 13_350), "{scheduler}");
        assert!((by_two - 8_000) > 5 * (by_eight - 8_000));
    }
    assert_eq!(all(&frames("fixed-priority", EIGHT), &["task.frames"]), [Some(50)]);
}

/// Released up to 4.2 ms late there are three cycles in the window: 24 of them within 8.8 + 0.4 + 4.2 ms.
#[test]
fn jitter_counts_besides() {
    let late = format!("{EIGHT}\njitter = \"4200us\"");
    assert_eq!(all(&frames("fixed-priority", &late), &["task.control"]), [Some(9_200)]);
    // The last of eight that are released together.
    assert_eq!(all(&frames("fixed-priority", &late), &["task.frames"]), [Some(4_250)]);
}

/// A core with a burst of interrupts, a task that they wake, and perhaps another one above it, in ticks of a microsecond:
/// the worst responses of all histories are known from a search.
#[test]
fn an_exhaustive_search_found_these() {
    let text = |distances: &str, wcet: u64, above: &str| {
        format!(
            r#"
            version = 1
            [core.0]
            scheduler = "fixed-priority"
            [interrupt.i]
            on = "core.0"
            isr = "1us"
            min-distances = {distances}
            wakes = "task.a"
            [task.a]
            on = "core.0"
            wcet = "{wcet}us"
            deadline = "none"
            priority = 2
            {above}
        "#
        )
    };
    let above = r#"
            [task.h]
            on = "core.0"
            wcet = "2us"
            period = "9us"
            priority = 3
    "#;
    // An interrupt is handled when its task is complete.
    let names = ["interrupt.i", "task.a"];
    let two = all(&text(r#"["1us", "13us"]"#, 2, ""), &names);
    assert!(
        two.iter().all(|own| (5..=6).contains(&own.unwrap())),
        "true: 5, by jitter alone 6: {two:?}"
    );
    let three = all(&text(r#"["1us", "3us", "20us"]"#, 1, above), &names);
    assert!(
        three.iter().all(|own| (6..=7).contains(&own.unwrap())),
        "true: 6, by jitter alone 7: {three:?}"
    );
}
