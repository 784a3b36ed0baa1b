//! Pages, histograms and documents of latencies that are made up.

use super::*;
use crate::schema::Of;
use crate::schema::strict::violations;
use clap::Parser as _;
use vorrang_measure::latency::Outcome;
use vorrang_measure::latency::cause::{Culprit, Part};
use vorrang_measure::latency::tally::Tally;
use vorrang_verdict::identity::TOOL;

fn outcome(id: i32, latencies_ns: &[u64], overflows: &[u64]) -> Outcome {
    let mut tally = Tally::default();
    for ns in latencies_ns {
        tally.record(*ns);
    }
    Outcome { id, cpu: 1, priority: 80, interval_us: 1_000, tally, overflows: overflows.to_vec() }
}

fn measured() -> Measured {
    let part = |culprit, ns| Part { culprit, ns };
    let parts = vec![part(Culprit::Thread("cc1".into()), 8_000), part(Culprit::Itself, 1_250)];
    let broken =
        Broken { thread: Some(1), cpu: 1, latency_ns: 9_250, parts, trace: Ok("# tracer".into()) };
    Measured {
        threads: vec![
            outcome(77, &[1_999, 2_000, 2_500, 700], &[]),
            outcome(78, &[1_000, 9_250, 5_100], &[1]),
        ],
        broken: Some(broken),
        conditions: vec![("kernel", "6.18".to_owned())],
        remarks: vec!["No CPU is isolated.".to_owned()],
    }
}

#[test]
fn the_page_has_the_lines_of_cyclictest_quantiles_and_the_cause() {
    let page = text::threads(&measured(), Some(Path::new("latency.trace")));
    insta::assert_snapshot!(page.replace(TOOL, "TOOL"));
}

#[test]
fn a_cause_that_cannot_be_known_is_said() {
    let mut measured = measured();
    let broken = measured.broken.as_mut().expect("one that broke");
    (broken.parts, broken.trace) = (Vec::new(), Err("tracefs is not mounted".to_owned()));
    let page = text::threads(&measured, None);
    assert!(page.contains("Its cause is not known: tracefs is not mounted."), "{page}");
}

/// Byte for byte what `cyclictest -H 4` (rt-tests 2.4) prints for such latencies.
#[test]
fn the_histogram_is_that_of_cyclictest() {
    let expected = "\
# Histogram
000000 000001\t000000\t000001
000001 000001\t000001\t000002
000002 000002\t000000\t000002
000003 000000\t000000\t000000
# Total: 000000004 000000001 000000005
# Min Latencies: 00000 00001
# Avg Latencies: 00001 00005
# Max Latencies: 00002 00009 00009
# Histogram Overflows: 00000 00002 00002
# Histogram Overflow at cycle number:
# Thread 0:
# Thread 1: 00001 # 00001 others
";
    let threads = measured().threads;
    assert_eq!(text::histogram(&threads, 4, true), expected);
    let alone = text::histogram(&threads[..1], 4, true);
    assert!(alone.contains("# Total: 000000004\n") && alone.contains("\n000002 000002\n"));
    assert_eq!(text::as_comments("a\n\nb\n"), "# a\n#\n# b\n");
}

#[test]
fn the_document_has_the_keys_of_cyclictest() {
    let document = document::threads(&measured(), Some(4));
    assert_eq!(violations(&Of::Latency.text(), &document), [""; 0]);
    let document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
    assert_eq!(document["num_threads"], 2);
    let thread = &document["thread"]["1"];
    assert_eq!(thread["histogram"], serde_json::json!({ "1": 1 }));
    let numbers = ["cycles", "min", "max", "avg"].map(|key| thread[key].as_f64());
    assert_eq!(numbers, [3.0, 1.0, 9.0, 5.12].map(Some));
    assert_eq!(document["break"]["parts"][0]["ns"], 8_000);
    assert_eq!(thread["latency"]["max_ns"], 9_250);
}

#[test]
fn what_the_kernel_split_has_two_rows_for_each_processor() {
    let split = timerlat::Split {
        irq: outcome(0, &[900], &[]).tally,
        thread: outcome(0, &[11_700], &[]).tally,
    };
    let measured = timerlat::Measured { cpus: [(3, split)].into(), broken: None };
    let page = text::split(&measured, None, &[], &[]);
    assert!(page.contains("CPU 3, interrupt") && page.contains("CPU 3, thread"), "{page}");
    let document = document::split(&measured, &[], &[]);
    assert_eq!(violations(&Of::Latency.text(), &document), [""; 0]);
    let document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
    assert_eq!(document["cpu"]["3"]["thread"]["max_ns"], 11_700);
}

#[derive(Debug, clap::Parser)]
struct Line {
    #[command(flatten)]
    latency: Latency,
}

fn plan(line: &str) -> Plan {
    let words = std::iter::once("latency").chain(line.split_whitespace());
    Line::try_parse_from(words).expect("letters of cyclictest").latency.plan()
}

#[test]
fn letters_mean_what_they_mean_to_cyclictest() {
    let all = arguments::permitted();
    let usual = plan("-m -p80 -i1000 -l10000 -D 10m -h 400 -a -t -q");
    assert!(usual.locks_memory && usual.loops == Some(10_000) && usual.histogram_us == Some(400));
    assert_eq!(usual.time, Some(std::time::Duration::from_secs(600)));
    assert_eq!(usual.threads.iter().filter_map(|of| of.cpu).collect::<Vec<_>>(), all);
    assert!(usual.threads.iter().all(|of| of.priority == Some(80) && of.interval_us == 1_000));
    let several = plan("-t3 -a2-3 -i 200 -b 50 --default-system");
    let found: Vec<_> = several.threads.iter().map(|of| (of.cpu, of.interval_us)).collect();
    assert_eq!(found, [(Some(2), 200), (Some(3), 700), (Some(2), 1_200)]);
    assert!(several.break_us == Some(50) && !several.keeps_awake && several.loops.is_none());
    assert_eq!(plan("-S").threads.len(), all.len());
    let one = plan("");
    assert_eq!((one.threads.len(), one.threads[0].cpu, one.threads[0].priority), (1, None, None));
}
