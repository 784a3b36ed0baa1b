//! All results for people: those of the files one after the other, then a row for each file.

use crate::judged::{Judged, Worst};
use std::fmt::Write as _;
use vorrang_quote::name::shown;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::prose::wrapped;
use vorrang_verdict::report::{self, View};
use vorrang_verdict::screen::{Screen, Tone};
use vorrang_verdict::table::{self, Column};

/// Of each file under its name, then the table of all.
pub fn whole(screen: Screen, judged: &[Judged], view: &View) -> String {
    let mut out = String::new();
    for one in judged {
        let result = match &one.outcome {
            Ok(checked) => report::table(screen, checked, view),
            Err(_) => wrapped(screen, REFUSED, "", ""),
        };
        let _ = write!(out, "== {} ==\n\n{result}\n", shown(&one.file));
    }
    out + &overview(screen, judged)
}

/// Why there is no result: what is wrong was printed as an error.
const REFUSED: &str = "The description is wrong: nothing is known of it.";

/// A line for each file.
pub fn brief(screen: Screen, judged: &[Judged]) -> String {
    let line = |one: &Judged| {
        let said = match &one.outcome {
            Ok(checked) => report::sentences(screen, checked),
            Err(_) => format!("{REFUSED}\n"),
        };
        let name = shown(&one.file);
        said.lines().fold(String::new(), |mut out, line| {
            let _ = writeln!(out, "{name}: {line}");
            out
        })
    };
    judged.iter().map(line).collect()
}

fn overview(screen: Screen, judged: &[Judged]) -> String {
    let columns = [
        Column::words("description", judged.iter().map(|one| shown(&one.file))),
        Column::toned("verdict", judged.iter().map(|one| toned(one.worst()))),
        counts(judged, Verdict::Refuted),
        counts(judged, Verdict::Undecided),
        counts(judged, Verdict::Proven),
    ];
    let mut out = table::draw(screen, &columns) + "\n";
    let kinds = [Worst::Wrong, Worst::Refuted, Worst::Interrupted, Worst::Undecided, Worst::Proven];
    let of = |kind: Worst| judged.iter().filter(|one| one.worst() == kind).count();
    let parts = kinds.iter().map(|&kind| (kind.word(), of(kind))).filter(|(_, count)| *count > 0);
    let parts = parts.map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>();
    out +=
        &wrapped(screen, &format!("{} descriptions: {}.", judged.len(), parts.join(", ")), "", "");
    out
}

/// How many requirements have this verdict; none is known of a file that is wrong.
fn counts(judged: &[Judged], verdict: Verdict) -> Column {
    let of = |checked: &Checked| {
        checked.rulings.iter().filter(|ruling| ruling.verdict == verdict).count() as u64
    };
    let cells = judged.iter().map(|one| one.outcome.as_ref().ok().map(of));
    Column::some_counts(verdict.word(), cells)
}

const fn toned(worst: Worst) -> (&'static str, Tone) {
    let tone = match worst {
        Worst::Proven => Tone::Good,
        Worst::Undecided | Worst::Interrupted => Tone::Open,
        Worst::Refuted | Worst::Wrong => Tone::Bad,
    };
    (worst.word(), tone)
}
