//! Every claim has its verdict, every row of the published tables is claimed somewhere, what is said holds for the
//! numbers, and the page has all of it. All figures are run once.

use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use vorrang_reproduce::published::SOURCES;
use vorrang_reproduce::{
    Agreement, Claim, FIGURES, Figure, Machine, Reproduced, Setting, WORDS, cache_progress, page,
    recorded,
};

mod checklist;
mod pictures;
mod said;

type All = Vec<(&'static Figure, Reproduced)>;

static MADE: LazyLock<All> = LazyLock::new(|| made(&[]));

/// All figures but these.
fn made(without: &[&str]) -> All {
    let setting = Setting::default();
    let wanted = FIGURES.par_iter().filter(|figure| !without.contains(&figure.name));
    wanted.map(|figure| (figure, (figure.run)(&setting))).collect()
}

/// Figures that take seconds: they are not run twice.
const LONG: [&str; 3] = ["timer-interference", "irq-threads", "vint-study"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// By figure, in the order in which it is shown.
const VERDICTS: &[(&str, &[&str])] = &[
    ("cache-progress", &["agrees", "agrees", "agrees in shape"]),
    ("switch-loss", &["disagrees", "agrees", "agrees", "agrees", "agrees"]),
    ("vtrr-slices", &["agrees", "agrees", "agrees"]),
    ("service-error", &["agrees in shape", "agrees in shape", "agrees"]),
    (
        "timer-interference",
        &[
            "agrees in shape",
            "agrees in shape",
            "fitted, 2 free numbers",
            "fitted, 2 free numbers",
            "agrees in shape",
            "open",
            "disagrees",
            "agrees in shape",
        ],
    ),
    (
        "irq-threads",
        &[
            "agrees in shape",
            "fitted, 1 free number",
            "fitted, 5 free numbers",
            "agrees in shape",
            "disagrees",
            "agrees",
            "agrees",
            "agrees in shape",
            "agrees in shape",
            "agrees in shape",
        ],
    ),
    ("throughput", &["agrees in shape"]),
    ("round-trip", &["agrees in shape", "disagrees", "agrees in shape"]),
    (
        "interrupt-storm",
        &["agrees", "agrees in shape", "agrees", "agrees in shape", "fitted, 3 free numbers"],
    ),
    (
        "vint-study",
        &[
            "agrees in shape",
            "disagrees",
            "disagrees",
            "disagrees",
            "agrees in shape",
            "agrees in shape",
        ],
    ),
    ("proxy-utilisation", &["agrees", "agrees", "agrees"]),
    ("proxy-planning", &["agrees", "disagrees"]),
    ("proxy-counter-examples", &["disagrees"]),
    ("server-bounds", &["agrees", "agrees", "disagrees"]),
    ("automotive-runnables", &["agrees"]),
];

/// Rows of tables whose numbers are inputs: fitted, one claim each.
const INPUTS: [&str; 2] = ["cache_costs.csv", "waters2015.csv"];

fn is_of_an_input(claim: &Claim) -> bool {
    claim.rows.iter().any(|(file, _)| INPUTS.contains(file))
}

/// All claims as a page of the book.
fn document() -> String {
    let mut page = "# Claims of the publications\n\n\
        <!-- written by `VORRANG_WRITE_DOCS=1 cargo test -p vorrang-reproduce` -->\n\n\
        What `vorrang reproduce --all` finds. Each claim is judged by the rule that stands with it, on the numbers of the \
        run. *Fitted*: its number was used to choose something that was not published, or is an input, so it says nothing. \
        *Open*: nothing here says whether it is so. Rows whose numbers are all inputs are on the page that \
        `vorrang reproduce --all --out DIR` writes, and not here.\n\n"
        .to_owned();
    let counts = page::counted(&MADE);
    page += "| verdict | claims |\n|---|---:|\n";
    for (word, count) in WORDS.iter().zip(counts) {
        let _ = writeln!(page, "| {word} | {count} |");
    }
    for (figure, found) in MADE.iter() {
        let _ =
            write!(page, "\n## {}\n\n{}: {}.\n\n", figure.name, figure.publication, figure.shows);
        page += "| the publication | found here | rule | |\n|---|---|---|---|\n";
        for claim in found.claims.iter().filter(|claim| !is_of_an_input(claim)) {
            let agreement = claim.agreement();
            let rule = match agreement {
                Agreement::Fitted(numbers) => format!("chosen for it: {}", numbers.join(", ")),
                _ => claim.rule.text(),
            };
            let ours = claim.found.iter().map(|(way, text)| format!("*{}*: {text}", way.word()));
            let ours = ours.collect::<Vec<_>>().join("<br>");
            let why = if claim.why.is_empty() { String::new() } else { format!(". {}", claim.why) };
            let _ =
                writeln!(page, "| {} | {ours} | {rule} | **{agreement}**{why} |", claim.published);
        }
    }
    page
}

#[test]
fn every_claim_has_its_verdict_and_the_book_has_all() {
    let file = root().join("published/claims.md");
    if std::env::var_os("VORRANG_WRITE_DOCS").is_some() {
        std::fs::write(&file, document()).unwrap();
    }
    let stored = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        stored == document(),
        "published/claims.md is not what is found: `VORRANG_WRITE_DOCS=1 cargo test -p vorrang-reproduce` writes it"
    );
    let mut verdicts = VERDICTS.iter();
    for (figure, found) in MADE.iter() {
        let claims: Vec<&Claim> =
            found.claims.iter().filter(|claim| !is_of_an_input(claim)).collect();
        let own: Vec<String> = claims.iter().map(|claim| claim.agreement().to_string()).collect();
        let (name, expected) = verdicts.next().copied().unwrap_or(("", &[]));
        assert_eq!(figure.name, name, "{own:?}");
        assert_eq!(own, expected, "{name}");
    }
    assert_eq!(MADE.len(), VERDICTS.len());
}

/// A verdict but *open* has a rule and something found; an open one has its reason.
#[test]
fn every_verdict_has_its_rule_or_its_reason() {
    for claim in MADE.iter().flat_map(|(_, found)| &found.claims) {
        match claim.agreement() {
            Agreement::Open => {
                assert!(!claim.why.is_empty() && claim.rule.text().is_empty(), "{claim:?}");
            }
            Agreement::Fitted(numbers) => {
                assert!(!numbers.is_empty() && !claim.found.is_empty(), "{claim:?}");
            }
            Agreement::Agrees | Agreement::InShape | Agreement::Disagrees => {
                assert!(!claim.rule.text().is_empty() && !claim.found.is_empty(), "{claim:?}");
            }
        }
        if claim.agreement() == Agreement::Disagrees {
            assert!(!claim.why.is_empty(), "a disagreement has a reason: {claim:?}");
        }
    }
}

/// Of each file in `published/`, that every row is in some claim, and that no claim is of a row that is not there.
#[test]
fn every_published_row_is_claimed_somewhere() {
    let claims = MADE.iter().flat_map(|(_, found)| &found.claims);
    let claimed: BTreeSet<(&str, usize)> = claims.flat_map(|claim| claim.rows.clone()).collect();
    let rows = SOURCES.iter().flat_map(|source| source.rows().map(|(line, _)| (source.file, line)));
    let rows: BTreeSet<(&str, usize)> = rows.collect();
    let missing: Vec<_> = rows.difference(&claimed).collect();
    assert!(missing.is_empty(), "rows without a claim: {missing:?}");
    let unknown: Vec<_> = claimed.difference(&rows).collect();
    assert!(unknown.is_empty(), "claims of rows that are not there: {unknown:?}");
    let mut files = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("published")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|kind| kind == "csv") {
            files.insert(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
    }
    let known: BTreeSet<String> = SOURCES.iter().map(|source| source.file.to_owned()).collect();
    assert_eq!(files, known);
    // 20 figures and tables of the publications, 24 rows of caches, and so on: nothing was lost in between.
    assert_eq!(rows.len(), 20 + 24 + 5 + 7 + 5 + 7 + 2 + 10);
}

#[test]
fn the_page_has_every_row_every_claim_every_picture_and_every_run_and_is_the_same_twice() {
    let html = page::body(&MADE, &Setting::default(), "vorrang");
    for source in &SOURCES {
        for (line, cells) in source.rows() {
            let row = format!("<tr id=\"{}-{line}\">", source.file.replace('.', "-"));
            let at = html
                .find(&row)
                .unwrap_or_else(|| panic!("{}:{line} is not on the page", source.file));
            let text = &html[at..at + html[at..].find("</tr>").unwrap()];
            assert!(
                text.contains("class=\"verdict "),
                "{}:{line} has no verdict: {text}",
                source.file
            );
            for cell in cells {
                assert!(
                    text.contains(&vorrang_figure::escaped(&cell)),
                    "{}:{line}: {cell}",
                    source.file
                );
            }
        }
    }
    let claims: usize = MADE.iter().map(|(_, found)| found.claims.len()).sum();
    assert_eq!(html.matches("<tr id=\"claim-").count(), claims);
    assert_eq!(page::counted(&MADE).iter().sum::<usize>(), claims);
    let mut names = BTreeSet::new();
    for (figure, found) in MADE.iter() {
        assert!(html.contains(&format!("<h2 id=\"{}\">", figure.name)));
        for picture in &found.pictures {
            assert!(names.insert(picture.name()), "two pictures are called {}", picture.name());
            assert!(html.contains(&format!("id=\"figure-{}\"", picture.name())));
        }
    }
    for run in recorded::runs() {
        assert!(
            html.contains(&format!("<tr id=\"run-{}\">", run.name)) && html.contains(&run.date)
        );
    }
    // Every link leads somewhere.
    for link in html.split("href=\"#").skip(1) {
        let to = &link[..link.find('"').unwrap()];
        assert!(html.contains(&format!("id=\"{to}\"")), "nothing is called {to}");
    }
    let again = made(&LONG);
    let first: All =
        MADE.iter().filter(|(figure, _)| !LONG.contains(&figure.name)).cloned().collect();
    let body = |made: &All| page::body(made, &Setting::default(), "vorrang");
    assert!(body(&first) == body(&again), "twice, and not the same");
}

/// Pictures that the book shows.
const IN_THE_BOOK: [&str; 4] = [
    "interrupt-storm-handling",
    "irq-threads-priorities",
    "proxy-utilisation-relative",
    "timer-interference-kernels",
];

#[test]
fn pictures_of_the_book_are_those_that_are_found() {
    for name in IN_THE_BOOK {
        let mut pictures = MADE.iter().flat_map(|(_, found)| &found.pictures);
        let svg = pictures.find(|picture| picture.name() == name).expect("it is drawn").svg();
        let file = root().join("docs/images").join(format!("{name}.svg"));
        if std::env::var_os("VORRANG_WRITE_DOCS").is_some() {
            std::fs::write(&file, &svg).unwrap();
        }
        let stored = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(stored == svg, "{}: `VORRANG_WRITE_DOCS=1` writes it", file.display());
    }
}

/// The machine of a profile stands beside the published ones, in claims and pictures.
#[test]
fn a_machine_stands_beside_the_published_ones() {
    let row = vorrang_reproduce::cache_row::Row {
        useful_ppm: 11_000,
        sustained: vorrang_time::Duration::from_us(17),
        ..Default::default()
    };
    let caches = vec![("write-64k-dirty".to_owned(), row)];
    let conditions = vec![["cache", "kernel", "<6.18>"].map(str::to_owned)];
    let medians = vec![("timers.response-alone".to_owned(), 199_500)];
    let machine = Machine { name: "<ours>.toml".to_owned(), conditions, caches, medians };
    let setting = Setting { machine: Some(machine) };
    let found = (cache_progress::FIGURE.run)(&setting);
    let beside =
        |claim: &&Claim| claim.found.iter().any(|(_, text)| text == "f0 = 0.01, t_sust = 17.0 us");
    assert_eq!(
        found.claims.iter().filter(beside).count(),
        2,
        "Celeron and Pentium M, 64 KiB, dirty"
    );
    assert!(
        found
            .pictures
            .iter()
            .all(|picture| picture.svg().contains("this machine, 64k write dirty"))
    );
    let made = vec![(&cache_progress::FIGURE, found)];
    let html = page::body(&made, &setting, "vorrang");
    for part in [
        "<h2 id=\"machine\">",
        "href=\"#machine\"",
        "&lt;ours&gt;.toml",
        "<td>cache</td><td>kernel</td><td>&lt;6.18&gt;</td>",
        "<td>write-64k-dirty</td><td>0.011</td><td>17.000</td><td>16.813</td>",
        "<td>timers</td><td>response-alone</td><td>199.500</td>",
    ] {
        assert!(html.contains(part), "{part} is not on the page");
    }
    assert!(!page::body(&made, &Setting::default(), "vorrang").contains("id=\"machine\""));
}
