//! What the program says about every example, word for word.

use crate::program::{root, run};
use std::path::Path;

/// The verdict as the exit code gives it, and the whole output.
fn check(file: &str, code: i32) {
    let run = run(&["check", &format!("examples/{file}")]);
    assert_eq!(run.code, code, "{}", run.err);
    // Some examples show what a warning warns of.
    assert!(run.err.is_empty() || run.err.starts_with("warning[W"), "{}", run.err);
    insta::assert_snapshot!(format!("check {file}"), run.out);
}

#[test]
fn the_consolidation_is_proven() {
    check("consolidation.toml", 0);
}

/// The control task beside an interrupt and two soft servers that take packets.
#[test]
fn the_control_task_beside_packets_is_proven() {
    check("network.toml", 0);
}

/// What a machine with cold caches loses: per virtual machine and by cause. Which requirements still
/// hold depends on the set that is cold.
#[test]
fn the_consolidation_loses_what_the_profile_of_a_machine_says() {
    let text = std::fs::read_to_string(root().join("examples/consolidation.toml")).unwrap();
    let profile = root().join("published/machines/pentium-m.toml");
    let profile = format!("version = 1\nprofile = {:?}\n", profile.to_str().unwrap());
    let text = text.replacen("version = 1\n", &profile, 1);
    let lines = text.lines().map(|line| match line.split_once(" = ") {
        Some(("vm", _)) => format!("{line}\ncache = \"cache.write-16k-flushed\"\n"),
        _ => format!("{line}\n"),
    });
    let path = std::env::temp_dir().join(format!("measured-{}.toml", std::process::id()));
    std::fs::write(&path, lines.collect::<String>()).unwrap();
    let file = path.to_str().unwrap();
    let of = |arguments: &[&str]| {
        let run = run(arguments);
        assert_eq!((run.code, run.err.as_str()), (3, ""), "{}", run.out);
        run.out
    };
    let said = of(&["check", file]);
    let document = of(&["check", file, "--json"]);
    std::fs::remove_file(&path).unwrap();
    // The rest has the name of the file and of the directory in it.
    let (result, _) = said.split_once("\nBy:").unwrap();
    insta::assert_snapshot!("check consolidation.toml on a published machine", result);
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let engine = &document["losses"][0]["losers"][0];
    assert_eq!(engine["name"], "engine");
    let cold = &engine["causes"]["cold_caches"];
    let (bound, seen) = (cold["bound_ns"].as_u64().unwrap(), cold["observed_ns"].as_u64().unwrap());
    assert!(0 < seen && seen < bound, "{cold}");
}

/// Servers, cold caches, a pseudo-VCPU, a shield of timers and a reservation on one core, also with a kernel.
#[test]
fn five_mechanisms_on_one_core_are_proven() {
    check("five-in-one.toml", 0);
    check("five-in-one-linux.toml", 0);
}

/// On both kernels of the lab, with what they take and how late runtimes end; and without budgets.
#[test]
fn the_kvm_hosts_are_proven() {
    check("kvm-host.toml", 0);
    check("kvm-host-6.12.toml", 0);
    check("kvm-fifo.toml", 0);
    check("kvm-posted.toml", 0);
}

/// Threads, guests and a kick over two cores, from end to end.
#[test]
fn the_path_over_cores_is_proven() {
    check("path.toml", 0);
}

#[test]
fn the_irq_reservations_are_proven_and_the_overload_is_refuted() {
    check("irq-reservations.toml", 1);
}

/// From the wire to the reader, with how the bound of a packet comes about.
#[test]
fn the_packets_of_a_card_on_linux_are_proven() {
    check("network-linux.toml", 0);
    for task in ["task.poll", "task.reader"] {
        let run = run(&["check", "examples/network-linux.toml", "--explain", task]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        insta::assert_snapshot!(format!("explain {task} of network-linux.toml"), run.out);
    }
}

#[test]
fn the_proxy_under_edf_is_refuted() {
    check("proxy-edf.toml", 1);
}

#[test]
fn the_proxy_in_a_slot_is_proven() {
    check("proxy-slot.toml", 0);
}

/// Two requirements with a probability are proven, one is undecided; there is no bound for all jobs.
#[test]
fn the_video_is_in_time_as_often_as_it_must() {
    check("video.toml", 3);
    let of = |arguments: &[&str]| {
        let run = run(arguments);
        assert_eq!(run.err, "");
        run.out
    };
    let explained = of(&["check", "examples/video.toml", "--explain", "require.smooth"]);
    insta::assert_snapshot!("explain require.smooth of video.toml", explained);
    let seen = of(&["simulate", "examples/video.toml", "--seed", "1", "--for", "1000s"]);
    insta::assert_snapshot!("simulate video.toml", seen);
}

#[test]
fn undecided_says_why() {
    check("undecided.toml", 3);
}

#[test]
fn hello_is_proven() {
    check("hello.toml", 0);
}

#[test]
fn ref10_is_proven() {
    check("ref10.toml", 0);
}

/// The response times that independent tools agree on, in microseconds.
#[test]
fn ref10_has_the_known_response_times() {
    let run = run(&["check", "examples/ref10.toml", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let bounds: Vec<u64> = document["requirements"]
        .as_array()
        .expect("an array")
        .iter()
        .map(|row| row["bound_ns"].as_u64().expect("a bound"))
        .collect();
    let known = [350, 1050, 2450, 4200, 7350, 11900, 17850, 29400, 57050, 127_400];
    assert_eq!(bounds, known.map(|us| us * 1_000));
    insta::assert_snapshot!("json of ref10.toml", run.out);
}

#[test]
fn json_of_a_refuted_requirement_says_how_to_see_it() {
    let run = run(&["check", "examples/proxy-edf.toml", "--json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    insta::assert_snapshot!("json of proxy-edf.toml", run.out);
}

#[test]
fn json_of_an_undecided_requirement_says_why() {
    let run = run(&["check", "examples/undecided.toml", "--json"]);
    assert_eq!(run.code, 3, "{}", run.err);
    insta::assert_snapshot!("json of undecided.toml", run.out);
}

/// The counter-example misses where its discoverers say.
#[test]
fn the_proxy_misses_at_5151_ms() {
    let arguments = ["simulate", "examples/proxy-edf.toml", "--witness", "synchronous"];
    let run = run(&arguments);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("has its deadline at 5151ms"), "{}", run.out);
    insta::assert_snapshot!("simulate proxy-edf.toml", run.out);
}

/// Every witness that a check prints is a miss when it is replayed.
#[test]
fn witnesses_replay() {
    for file in ["proxy-edf.toml", "irq-reservations.toml"] {
        let checked = run(&["check", &format!("examples/{file}"), "--json"]);
        let document: serde_json::Value = serde_json::from_str(&checked.out).expect("JSON");
        let rows = document["requirements"].as_array().expect("an array");
        let refuted: Vec<_> = rows.iter().filter(|row| row["verdict"] == "refuted").collect();
        assert!(!refuted.is_empty(), "{file}");
        for row in refuted {
            let replay = row["witness"]["replay"].as_str().expect("a command");
            let words: Vec<&str> = replay.split(' ').skip(1).chain(["--json"]).collect();
            let replayed = run(&words);
            assert_eq!(replayed.code, 1, "{replay}: {}", replayed.err);
            let document: serde_json::Value = serde_json::from_str(&replayed.out).expect("JSON");
            let responses = document["cores"][0]["responses"].as_array().expect("an array");
            let own = responses.iter().find(|own| own["name"] == row["name"]).expect("its row");
            assert_eq!(own["first_miss"]["arrival_ns"], row["witness"]["arrival_ns"], "{replay}");
        }
    }
}

#[test]
fn without_a_witness_every_core_has_its_table() {
    let run = run(&["simulate", "examples/consolidation.toml", "--for", "100ms"]);
    assert_eq!(run.code, 0, "{}", run.err);
    insta::assert_snapshot!("simulate consolidation.toml", run.out);
}

#[test]
fn json_of_a_simulation_has_every_key() {
    let run = run(&["simulate", "examples/hello.toml", "--for", "1s", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    insta::assert_snapshot!("json of simulate hello.toml", run.out);
}

/// Every response of the periodic history of a seed, as bars and as a curve.
#[test]
fn a_distribution_is_drawn_and_written() {
    let file = std::env::temp_dir().join(format!("vorrang-{}.csv", std::process::id()));
    let path = file.to_str().expect("UTF-8");
    let arguments =
        ["simulate", "examples/proxy-edf.toml", "--seed", "3", "--histogram", "--cdf", path];
    let run = run(&arguments);
    assert_eq!(run.err, "");
    insta::assert_snapshot!("histogram of proxy-edf.toml", run.out);
    let curve = std::fs::read_to_string(&file).expect("the curve");
    std::fs::remove_file(&file).expect("it was there");
    assert_eq!(curve.lines().next(), Some("core,name,response_ns,jobs,share"));
    assert!(curve.ends_with(",1.000000000\n"), "{curve}");
}

#[test]
fn a_window_is_drawn_where_it_is_wanted() {
    let arguments = ["simulate", "examples/hello.toml", "--from", "0s", "--to", "30ms", "--ascii"];
    let run = run(&arguments);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.is_ascii());
    insta::assert_snapshot!("window of hello.toml", run.out);
}

#[test]
fn an_explanation_shows_what_else_was_tried() {
    let run = run(&["check", "examples/proxy-slot.toml", "--explain", "task.control"]);
    assert_eq!(run.code, 0);
    insta::assert_snapshot!("explain task.control of proxy-slot.toml", run.out);
}

#[test]
fn an_explanation_names_window_terms_and_source() {
    let run = run(&["check", "examples/hello.toml", "--explain", "task.log"]);
    assert_eq!(run.code, 0, "{}", run.err);
    insta::assert_snapshot!("explain task.log of hello.toml", run.out);
}

/// The names of all examples.
fn names() -> impl Iterator<Item = String> {
    let entries = std::fs::read_dir(root().join("examples")).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("UTF-8"));
    names.filter(|name| Path::new(name).extension().is_some_and(|own| own == "toml"))
}

/// Sums over parts are the whole, and no part is larger than it.
#[test]
fn what_is_counted_agrees_with_itself() {
    for name in names() {
        for history in ["synchronous", "random:5", "periodic:5"] {
            let file = format!("examples/{name}");
            let arguments = ["simulate", &file, "--for", "300ms", "--json", "--witness", history];
            let document: serde_json::Value =
                serde_json::from_str(&run(&arguments).out).expect("JSON");
            for core in document["cores"].as_array().expect("an array") {
                if core["not_simulated"].is_null() {
                    is_consistent(core);
                }
            }
        }
    }
}

fn is_consistent(core: &serde_json::Value) {
    let number = |value: &serde_json::Value| value.as_u64().unwrap_or_default();
    let array = |key: &str| core[key].as_array().expect("an array").clone();
    let time = core["time"].as_object().expect("an object").iter();
    let time: u64 = time.filter(|(key, _)| key.ends_with("_ns")).map(|(_, own)| number(own)).sum();
    assert_eq!(time, number(&core["simulated_ns"]), "{core}");
    for row in array("responses") {
        let percentiles = row["percentiles"].as_object().expect("an object");
        let order = [&row["shortest_ns"]].into_iter().chain(percentiles.values());
        let order = order.chain([&row["longest_ns"]]).map(number).collect::<Vec<_>>();
        assert!(order.is_sorted(), "{row}");
        assert!(number(&row["completed"]) <= number(&row["jobs"]), "{row}");
        assert!(number(&row["misses"]) <= number(&row["jobs"]), "{row}");
        assert_eq!(number(&row["misses"]) > 0, !row["first_miss"].is_null(), "{row}");
    }
    for row in array("budgets") {
        assert!(number(&row["used_ns"]) <= time, "{row}");
    }
    for loser in array("losses") {
        let causes = loser["causes"].as_object().expect("an object").iter();
        let lost = causes.filter(|(key, _)| key.ends_with("_ns")).map(|(_, own)| number(own));
        assert_eq!(lost.sum::<u64>(), number(&loser["total_ns"]), "{loser}");
    }
    for card in array("packets") {
        let dropped = number(&card["dropped_at_ring"]) + number(&card["dropped_at_socket"]);
        assert!(dropped + number(&card["delivered"]) <= number(&card["arrived"]), "{card}");
    }
}

/// Lines for people fit a terminal of 100 columns; only a command to copy may be longer.
#[test]
fn outputs_fit_a_terminal() {
    for name in names() {
        let file = format!("examples/{name}");
        let simulate = ["simulate", &file, "--seed", "1", "--for", "1s", "--histogram"];
        for arguments in [&["check", &file][..], &simulate] {
            let run = run(arguments);
            assert!([0, 1, 3].contains(&run.code), "{name}: {}", run.err);
            for line in run.out.lines().filter(|line| !line.trim_start().starts_with("vorrang ")) {
                assert!(line.chars().count() <= 100, "{name}: {line}");
                assert_eq!(line.trim_end(), line, "{name}");
            }
        }
    }
}

/// The picture in the README is that of the report.
#[test]
fn the_picture_of_five_mechanisms_is_what_is_found() {
    let folder = std::env::temp_dir().join(format!("five-in-one-{}", std::process::id()));
    let figures = folder.to_str().unwrap();
    let page = format!("{figures}.html");
    let run = run(&["report", "examples/five-in-one.toml", "--out", &page, "--figures", figures]);
    assert_eq!(run.code, 0, "{}", run.err);
    let found = std::fs::read_to_string(folder.join("r1-task-pressure-schedule.svg")).unwrap();
    let file = root().join("docs/images/five-in-one.svg");
    if std::env::var_os("VORRANG_WRITE_DOCS").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    let stored = std::fs::read_to_string(&file).unwrap_or_default();
    let _ = (std::fs::remove_dir_all(&folder), std::fs::remove_file(&page));
    assert!(stored == found, "{}: `VORRANG_WRITE_DOCS=1` writes it", file.display());
}
