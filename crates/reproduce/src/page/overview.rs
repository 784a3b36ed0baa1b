//! What stands above all: the verdicts counted, how they come about, all claims in one table.

use super::element::{anchor, class, scrolled, verdict};
use crate::figure::Made;
use crate::rule::WORDS;
use crate::setting::Setting;
use std::fmt::Write as _;
use vorrang_figure::escaped;

/// How many claims have which verdict, in the order of [`WORDS`].
pub fn counted(made: &Made) -> [usize; 5] {
    let all = || made.iter().flat_map(|(_, found)| &found.claims);
    WORDS.map(|word| all().filter(|claim| claim.agreement().word() == word).count())
}

/// The first part of the page.
pub(super) fn section(made: &Made, setting: &Setting) -> String {
    let counts = counted(made);
    let claims: usize = counts.iter().sum();
    let pictures: usize = made.iter().map(|(_, found)| found.pictures.len()).sum();
    let each = WORDS.iter().zip(counts).map(|(word, count)| format!("{count} {word}"));
    let each = each.collect::<Vec<_>>().join(", ");
    let mut out = format!(
        "<h1>Published figures and claims, reproduced</h1>\n<p>{} figures with {pictures} pictures; {claims} \
         claims: {each}.</p>\n",
        made.len()
    );
    out += &rule();
    out += &ways(setting);
    out += "<h2 id=\"figures\">Figures</h2>\n<ul>\n";
    for (figure, _) in made {
        let (name, shows) = (figure.name, escaped(figure.shows));
        let publication = escaped(figure.publication);
        let _ = writeln!(
            out,
            "<li><a href=\"#{name}\">{name}</a>: {shows} <span class=\"quiet\">({publication})</span></li>"
        );
    }
    out + "</ul>\n" + &all(made)
}

/// The rule of `rule.rs`.
fn rule() -> String {
    "<h2 id=\"rule\">How a verdict comes about</h2>\n\
     <p>Each claim has conditions, which are printed with it. Those of the <em>statement</em> say that what is found \
     is what the publication says, numbers included; those of the <em>shape</em> say that the direction or the form \
     is. They are evaluated on exact fractions.</p>\n<ul>\n\
     <li><span class=\"verdict fitted\">fitted</span> the claim's own number chose something that was not published, or \
     is an input: it agrees by construction and says nothing. How many free numbers, and which, stands there.</li>\n\
     <li><span class=\"verdict open\">open</span> there is no condition: nothing here says whether it is so.</li>\n\
     <li><span class=\"verdict agrees\">agrees</span> there are conditions of the statement, and all conditions \
     hold.</li>\n\
     <li><span class=\"verdict in-shape\">agrees in shape</span> there are conditions of the shape, and all of these \
     hold. Where the publication has no number, this is the most that can be said.</li>\n\
     <li><span class=\"verdict disagrees\">disagrees</span> otherwise.</li>\n</ul>\n"
        .to_owned()
}

fn ways(setting: &Setting) -> String {
    let machine = match &setting.machine {
        Some(machine) => format!(
            "the machine of the profile {}, <a href=\"#machine\">with its conditions</a>",
            escaped(&machine.name)
        ),
        None => "no profile was given, so no machine stands beside the figures; \
                 <code>vorrang measure cache --out machine.toml</code> and <code>vorrang measure timers --out \
                 machine.toml</code> make one for <code>--profile machine.toml</code>"
            .to_owned(),
    };
    format!(
        "<p>Found by: <em>published</em>, its own numbers; <em>formula</em>, that of the publication, evaluated; <em>bound</em>, of the analysis, which no \
         history exceeds; <em>simulation</em>; <em>kernel</em>, stock kernels in the lab, <a href=\"#recorded\">recorded \
         with date, command and conditions</a>; <em>this machine</em>: {machine}.</p>\n"
    )
}

/// Every claim in one table.
fn all(made: &Made) -> String {
    let mut out = "<h2 id=\"verdicts\">All claims</h2>\n".to_owned();
    out += "<div class=\"filter\" data-filter=\"all-claims\" hidden>\n\
            <label>Filter <input type=\"search\" placeholder=\"words in a row\"></label>\n";
    let classes = ["agrees", "in-shape", "disagrees", "fitted", "open"];
    for ((word, class), count) in WORDS.iter().zip(classes).zip(counted(made)) {
        let _ = writeln!(
            out,
            "<label><input type=\"checkbox\" value=\"{class}\" checked> \
             <span class=\"verdict {class}\">{word} ({count})</span></label>"
        );
    }
    out += "<span role=\"status\"></span>\n</div>\n";
    let mut table = "<table id=\"all-claims\" data-sortable>\n<thead><tr><th scope=\"col\">claim</th>\
                     <th scope=\"col\">verdict</th><th scope=\"col\">figure</th></tr></thead>\n<tbody>\n"
        .to_owned();
    let mut number = 0;
    for (figure, found) in made {
        for claim in &found.claims {
            let _ = writeln!(
                table,
                "<tr data-verdict=\"{}\"><td><a href=\"#{}\">{}</a></td><td>{}</td><td class=\"name\">{}</td></tr>",
                class(claim.agreement()),
                anchor(number),
                escaped(&claim.published),
                verdict(claim),
                figure.name
            );
            number += 1;
        }
    }
    out + &scrolled("All claims", &(table + "</tbody>\n</table>\n"))
}
