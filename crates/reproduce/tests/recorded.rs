//! The recorded results of the lab are the tables on the pages of the book, which the lab's commands write.
//! `VORRANG_WRITE_DOCS=1` writes them from these pages anew; then `runs.csv` needs the new date.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use vorrang_reproduce::recorded;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).unwrap()
}

/// The tables of a page with this in their heads: the cells of their rows.
fn tables(page: &str, head: &str) -> Vec<Vec<Vec<String>>> {
    let mut found = Vec::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if !(line.starts_with('|') && line.contains(head)) {
            continue;
        }
        lines.next();
        let mut rows = Vec::new();
        while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
            let cells = row.trim_matches('|').split('|').map(str::trim);
            rows.push(cells.map(|cell| if cell == "–" { "" } else { cell }.to_owned()).collect());
        }
        found.push(rows);
    }
    found
}

fn line(cells: &[&str]) -> String {
    let quoted = cells
        .iter()
        .map(|cell| if cell.contains(',') { format!("\"{cell}\"") } else { (*cell).to_owned() });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

fn irq_threads() -> String {
    let mut text = "run,case,published,taken_mbps,received_mbps,reserved_percent,used_percent,blocked_percent,\
        least_ms,median_ms,ninety_percent_ms,longest_ms,simulated_ms,bound_ms\n"
        .to_owned();
    let found = tables(&page("lab-measurements.md"), "the thread that polls");
    let runs = ["irq-6.12", "irq-7.2", "irq-6.12-tick"];
    assert_eq!(found.len(), runs.len());
    for (run, rows) in runs.into_iter().zip(&found) {
        for row in rows {
            let cells = [run].into_iter().chain(row.iter().map(String::as_str));
            text += &line(&cells.collect::<Vec<_>>());
        }
    }
    text
}

fn round_trips() -> String {
    let mut text =
        "run,q_ms,t_ms,published_shortest_ms,published_mean_ms,published_longest_ms,shortest_ms,\
        mean_ms,longest_ms,simulated_ms,bound_ms\n"
            .to_owned();
    let found = tables(&page("lab-measurements.md"), "reserved [ms]");
    let runs = ["ping-6.12", "ping-7.2"];
    assert_eq!(found.len(), runs.len());
    for (run, rows) in runs.into_iter().zip(&found) {
        for row in rows {
            let (budget, period) = row[0].split_once(" of ").unwrap();
            let cells =
                [run, budget, period].into_iter().chain(row[1..].iter().map(String::as_str));
            text += &line(&cells.collect::<Vec<_>>());
        }
    }
    text
}

fn guest_pings() -> String {
    let mut text = "run,reserved_of_20_ms,pseudo_vcpu,within_300_us_percent,median_ms,longest_ms,\
        simulated_ms,bound_ms\n"
        .to_owned();
    let found = tables(&page("apply-measurements.md"), "of every 20 ms");
    assert_eq!(found.len(), 1);
    let mut reserved = "";
    for row in found[0].iter().filter(|row| !row[4].is_empty()) {
        if !row[0].is_empty() {
            reserved = &row[0];
        }
        let percent = row[2].trim_end_matches(" %");
        let cells = ["guest-7.2", reserved, &row[1], percent];
        let cells = cells.into_iter().chain(row[3..].iter().map(String::as_str));
        text += &line(&cells.collect::<Vec<_>>());
    }
    text
}

fn film_frames() -> String {
    let mut text = "run,budget_percent,about_the_storm,frames_per_second,simulated\n".to_owned();
    let found = tables(&page("apply-measurements.md"), "done about the storm");
    assert_eq!(found.len(), 1);
    let mut budget = "";
    for row in found[0].iter().filter(|row| !row[0].starts_with("published")) {
        if !row[0].is_empty() {
            budget = row[0].trim_end_matches(" %");
        }
        text += &line(&["film-7.2", budget, &row[1], &row[2], &row[3]]);
    }
    text
}

fn timer_shield() -> String {
    let mut text = "run,module,longest_beside_0_us,longest_beside_1_us,longest_beside_50_us,\
        longest_beside_100_us,interrupts_beside_100,sleep_ns\n"
        .to_owned();
    let found = tables(&page("timer-shield.md"), "a sleep alone");
    assert_eq!(found.len(), 1);
    let mut run = "";
    for row in &found[0] {
        run = match row[0].as_str() {
            "6.12.95" => "shield-6.12",
            "7.2.12" => "shield-7.2",
            _ => run,
        };
        let plain: Vec<String> = row[1..].iter().map(|cell| cell.replace(',', "")).collect();
        let cells = [run].into_iter().chain(plain.iter().map(String::as_str));
        text += &line(&cells.collect::<Vec<_>>());
    }
    text
}

fn timer_costs() -> String {
    let mut text = "run,measure,pending,mean_ns,most_of_1000_ns,largest_ns,shielded_mean_ns,\
        shielded_most_of_1000_ns,shielded_largest_ns\n"
        .to_owned();
    let found = tables(&page("timer-shield.md"), "without the shield");
    let runs = ["costs-6.12", "costs-7.2"];
    assert_eq!(found.len(), runs.len());
    for (run, rows) in runs.into_iter().zip(&found) {
        let mut measure = String::new();
        for row in rows {
            if !row[0].is_empty() {
                measure.clone_from(&row[0]);
            }
            let _ = write!(text, "{}", line(&[run, &measure, &row[1]]).trim_end());
            for cell in row[2].split('/').chain(row[3].split('/')) {
                let _ = write!(text, ",{}", cell.trim().replace(',', ""));
            }
            text.push('\n');
        }
    }
    text
}

fn timer_files() -> String {
    let mut text = "run,timers,longest_us,soft_interrupts,timer_interrupts,with_module_longest_us,\
        with_module_soft_interrupts,with_module_timer_interrupts\n"
        .to_owned();
    let found = tables(&page("timer-shield.md"), "timers of one task");
    assert_eq!(found.len(), 1);
    let mut run = "";
    for row in &found[0] {
        run = match row[0].as_str() {
            "6.12.95" => "files-6.12",
            "7.2.12" => "files-7.2",
            _ => run,
        };
        let plain: Vec<String> = row[1..].iter().map(|cell| cell.replace(',', "")).collect();
        let cells = [run].into_iter().chain(plain.iter().map(String::as_str));
        text += &line(&cells.collect::<Vec<_>>());
    }
    text
}

#[test]
fn recorded_results_are_those_of_the_book() {
    let folder = root().join("published/recorded");
    for (name, text) in [
        ("irq_threads.csv", irq_threads()),
        ("round_trips.csv", round_trips()),
        ("guest_pings.csv", guest_pings()),
        ("film_frames.csv", film_frames()),
        ("timer_shield.csv", timer_shield()),
        ("timer_costs.csv", timer_costs()),
        ("timer_files.csv", timer_files()),
    ] {
        let file = folder.join(name);
        if std::env::var_os("VORRANG_WRITE_DOCS").is_some() {
            std::fs::write(&file, &text).unwrap();
        }
        let stored = std::fs::read_to_string(&file).unwrap();
        assert_eq!(stored, text, "{name}: `VORRANG_WRITE_DOCS=1` writes it");
    }
}

#[test]
fn every_recorded_row_is_of_a_run_with_kernel_date_command_and_conditions() {
    let runs = recorded::runs();
    for run in &runs {
        let all = [&run.kernel, &run.date, &run.command, &run.conditions];
        assert!(all.iter().all(|text| !text.is_empty()), "{run:?}");
    }
    for table in [
        recorded::IRQ_THREADS,
        recorded::ROUND_TRIPS,
        recorded::GUEST_PINGS,
        recorded::FILM_FRAMES,
        recorded::TIMER_SHIELD,
        recorded::TIMER_COSTS,
        recorded::TIMER_FILES,
    ] {
        for row in vorrang_reproduce::csv::lines(table).iter().skip(1) {
            assert!(runs.iter().any(|run| run.name == row[0]), "{row:?}");
        }
    }
}
