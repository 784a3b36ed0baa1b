//! What stands above and below the result of a check.

use crate::options::Options;
use crate::{document, lanes};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use vorrang_figure::{Figure, escaped};
use vorrang_verdict::chain;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::screen::PLAIN;

/// What stands above all.
pub(crate) fn heading(checked: &Checked, options: &Options) -> String {
    let mut out = document::heading(&checked.input.name, options.date.as_deref());
    let sentence = vorrang_verdict::report::sentence(PLAIN, &checked.rulings)
        + &chain::sentence(PLAIN, &checked.chains);
    out += &document::sentence(Some(checked.verdict().unwrap_or(Verdict::Undecided)), &sentence);
    if checked.interrupted {
        out += "<p><strong>The check was interrupted: some of this is missing.</strong></p>\n";
    }
    let warnings = &checked.input.warnings;
    if !warnings.is_empty() {
        out += "<ul>\n";
        for (warning, (line, column)) in warnings {
            let _ = writeln!(
                out,
                "<li>{} at {line}:{column}: {}</li>",
                warning.code.text(),
                escaped(&warning.message)
            );
        }
        out += "</ul>\n";
    }
    out
}

/// Links to the parts of a page, each of which has a heading with an anchor.
pub(crate) fn contents(body: &str) -> String {
    let mut out = String::from("<nav class=\"contents\" aria-label=\"Contents\">\n<ul>\n");
    for part in body.split("<h2 id=\"").skip(1) {
        let heading = part
            .split_once("\">")
            .and_then(|(anchor, rest)| Some((anchor, rest.split_once("</h2>")?.0)));
        if let Some((anchor, title)) = heading {
            let _ = writeln!(out, "<li><a href=\"#{anchor}\">{title}</a></li>");
        }
    }
    out + "</ul>\n</nav>\n"
}

/// The verdicts on chains, as `vorrang check` prints them, and their paths; nothing where there is none.
pub(crate) fn chains(checked: &Checked, figures: &mut Vec<Figure>) -> String {
    let Checked { input, observations, chains, .. } = checked;
    let text = chain::text(PLAIN, input, observations, chains);
    if text.is_empty() {
        return text;
    }
    let mut out = format!(
        "<h2 id=\"chains\">Chains</h2>\n<pre class=\"scroll\">{}</pre>\n",
        escaped(text.trim())
    );
    let own: Vec<Figure> = (0..chains.len()).filter_map(|place| lanes(checked, place)).collect();
    out += &own.iter().map(Figure::html).collect::<String>();
    figures.extend(own);
    out
}

/// The path of what is required of a chain.
pub(crate) fn lanes(checked: &Checked, place: usize) -> Option<Figure> {
    let ruling = &checked.chains[place];
    let name = document::anchor('c', place, &format!("{}-{}", ruling.name, ruling.asked.word()));
    lanes::of_chain(&name, &checked.input.system, ruling)
}

/// What all bounds take for granted, and for which requirements.
pub(crate) fn assumptions(checked: &Checked) -> String {
    let mut by: BTreeMap<usize, (&str, Vec<usize>)> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    let of_rulings =
        checked.rulings.iter().map(|ruling| (ruling.name.clone(), &ruling.assumptions));
    let of_budgets = checked
        .guarantees
        .iter()
        .map(|guarantee| (format!("the budget of {}", guarantee.name), &guarantee.assumptions));
    let assuming: Vec<_> =
        of_rulings.chain(of_budgets).filter(|(_, assumed)| !assumed.is_empty()).collect();
    for (place, (_, assumptions)) in assuming.iter().enumerate() {
        for assumed in *assumptions {
            let nth = order.iter().position(|known| known == assumed).unwrap_or_else(|| {
                order.push(assumed);
                order.len() - 1
            });
            by.entry(nth).or_insert((assumed, Vec::new())).1.push(place);
        }
    }
    let mut out = String::from("<h2 id=\"assumptions\">Assumptions</h2>\n");
    if by.is_empty() {
        return out + "<p>Nothing is bounded, so nothing is assumed.</p>\n";
    }
    out += "<p>The bounds hold if these do.</p>\n<ol>\n";
    for (text, places) in by.into_values() {
        let who = if places.len() == assuming.len() {
            "all bounds".to_owned()
        } else {
            let mut names: Vec<&str> =
                places.iter().take(8).map(|&place| assuming[place].0.as_str()).collect();
            let more = places.len() - names.len();
            let more = if more > 0 { format!("{more} more") } else { String::new() };
            if !more.is_empty() {
                names.push(&more);
            }
            names.join(", ")
        };
        let _ = writeln!(
            out,
            "<li>{} <span class=\"quiet\">({})</span></li>",
            escaped(text),
            escaped(&who)
        );
    }
    out + "</ol>\n"
}

/// Which tool, which input, which seed.
pub(crate) fn foot(checked: &Checked) -> String {
    let seen = &checked.observations;
    document::foot(&[
        format!("{}, sha256 {}", checked.input.name, checked.input.sha256),
        format!(
            "Simulated {} histories of at most {} each, seed {}.",
            seen.runs(),
            seen.horizon,
            seen.seed
        ),
    ])
}

/// Where the section of a requirement is: names of two may differ in what no anchor has.
pub(crate) fn anchor(checked: &Checked, place: usize) -> String {
    document::anchor('r', place, &checked.rulings[place].name)
}
