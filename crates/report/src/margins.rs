//! How far each parameter may move before the verdict on a requirement changes.
//!
//! **Model.** What is drawn is what `vorrang margin` found, each parameter in shares of what it is now, so that times
//! and factors are on one axis. The numbers below the picture are those that it prints.

use crate::document;
use std::fmt::Write as _;
use vorrang_design::{Amount, Beyond, Margin, Margins};
use vorrang_figure::{Axis, Figure, Range, Ranges, Stretch, Table, escaped};
use vorrang_model::System;
use vorrang_quote::name::quoted;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::margin::{Found, beyond};
use vorrang_verdict::parameter::{said, what};

/// The axis ends here, a hundredth of what is now and a hundred times that.
const ENDS: (f64, f64) = (0.01, 100.0);

/// What the stretches are called, and how they look: what is not known is grey, what is refuted has the colour of a miss.
const KINDS: [(usize, &str); 3] =
    [(0, "from now to the last that proves it"), (5, "not proven"), (1, "refuted with this value")];

/// The figure of a requirement, if its margins were found.
pub(crate) fn figure(checked: &Checked, place: usize, found: &Found) -> Option<Figure> {
    let all = of(place, found)?.of.as_ref().filter(|all| !all.is_empty())?;
    let system = &checked.input.system;
    let name = &checked.rulings[place].name;
    let ranges = all.iter().filter_map(|margin| range(system, margin));
    let ranges: Vec<Range> = ranges.collect();
    let mut description =
        "One parameter moves at a time, and the rest remains fixed: to the end of the solid bar the requirement is \
         proven, with the next value it is not. In between those and a value that refutes it neither is known. Only this \
         requirement is looked at, on its own core: others may cease to be proven sooner."
            .to_owned();
    if ranges.len() < all.len() {
        description += " What is zero now has no factor: it is among the numbers only.";
    }
    let axis = Axis::logarithmic("times what it is now", "");
    let picture = Ranges {
        name: format!("{}-margins", document::anchor('r', place, name)),
        title: format!("Margins: {name}"),
        description,
        axis,
        kinds: KINDS.map(|(look, kind)| (look, kind.to_owned())).to_vec(),
        ranges,
        rule: Some((1.0, "now".to_owned())),
        numbers: numbers(system, all),
        width: 680.0,
    };
    Some(picture.into())
}

/// What the picture cannot say: values that cannot be written, and what was not looked for.
pub(crate) fn remarks(checked: &Checked, place: usize, found: &Found) -> String {
    let Some(margins) = of(place, found) else { return String::new() };
    let system = &checked.input.system;
    let refused = margins.of.iter().flatten().filter_map(|margin| {
        let why = margin.refused.as_ref()?;
        let next = margin.not_proven.map_or_else(String::new, said);
        Some(format!("{} = {next} cannot be written: {why}.", what(system, margin.parameter)))
    });
    let mut out = String::new();
    for text in refused {
        let _ = writeln!(out, "<p>{}</p>", escaped(&text));
    }
    let left: Vec<String> = margins.left.iter().map(|&moved| what(system, moved)).collect();
    let left = match (&margins.of, margins.is_proven) {
        (Some(_), _) if left.is_empty() => return out,
        (None, false) => return out,
        (Some(_), _) => left.join(", "),
        (None, true) => "any parameter".to_owned(),
    };
    let command = format!(
        "vorrang margin {} --of {}",
        quoted(&checked.input.given.file),
        checked.rulings[place].name
    );
    let _ = writeln!(
        out,
        "<p>How far {} may move was not looked for: the work that margins may take on a page was spent. \
         <code>{}</code> does.</p>",
        escaped(&left),
        escaped(&command)
    );
    out
}

fn of(place: usize, found: &Found) -> Option<&Margins> {
    found.all.iter().find(|margins| margins.requirement == place)
}

/// What `vorrang margin` prints.
fn numbers(system: &System, all: &[Margin]) -> Table {
    let head = ["what moves", "now", "proven with", "not proven with", "refuted with"];
    let row = |margin: &Margin| {
        let next = margin.not_proven.map_or("-".to_owned(), said);
        let (now, proven) = (said(margin.now), said(margin.proven));
        vec![what(system, margin.parameter), now, proven, next, beyond(margin)]
    };
    Table { head: head.map(str::to_owned).to_vec(), rows: all.iter().map(row).collect() }
}

/// The line of a parameter; none of one that is zero.
fn range(system: &System, margin: &Margin) -> Option<Range> {
    let share = |amount: Amount| {
        let share = number(amount) / number(margin.now);
        share.is_finite().then(|| share.clamp(ENDS.0, ENDS.1))
    };
    let mut stretches = vec![Stretch { of: 0, ends: (1.0, share(margin.proven)?) }];
    if let Some(next) = margin.not_proven.and_then(share) {
        let end = match margin.beyond {
            Beyond::Refuted(amount) | Beyond::NotUpTo(amount) => share(amount)?,
            Beyond::NotLooked | Beyond::Spent => next,
        };
        stretches.push(Stretch { of: 1, ends: (next, end) });
        if matches!(margin.beyond, Beyond::Refuted(_)) {
            stretches.push(Stretch { of: 2, ends: (end, end) });
        }
    }
    Some(Range { name: what(system, margin.parameter), stretches })
}

#[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
fn number(amount: Amount) -> f64 {
    match amount {
        Amount::Time(time) => time.as_ns() as f64,
        Amount::Factor(thousandths) => thousandths as f64,
        Amount::There(there) => f64::from(u8::from(there)),
    }
}
