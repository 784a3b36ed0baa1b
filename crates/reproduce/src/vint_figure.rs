//! The figure of the study of vINT, and what its publication says of it (Kim, Wang, Rajkumar 2015).
//!
//! **Assumption.** The published curves have no parameters, so only directions are compared.

use crate::claim::{Claim, Way};
use crate::exact::{percent as exact_percent, place, range, shown, span, whole};
use crate::figure::{Figure, Reproduced, Table};
use crate::rule::Condition;
use crate::setting::Setting;
use crate::vint_study::{Guests, HANDLERS, INTERARRIVALS, KINDS, Kept, Point, SETS, Variant, kept};
use vorrang_figure::{Axis, Chart, Series, Shape};
use vorrang_model::system::ServerKind;
use vorrang_time::Duration;

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "vint-study",
    shows: "task sets and interrupts that keep their deadlines, with and without vINT, in percent",
    publication: "H. Kim, S. Wang, R. Rajkumar 2015",
    system: "published/systems/vint-study.toml",
    run,
    remarks: &[
        "Published are curves without the parameters of their task sets, so there are no numbers to stand beside; every parameter here is ours, and only the directions are compared. An interrupt goes to a guest of its own, or to any of the three.",
        "Task sets with a proof are counted. Tasks of a guest count every routine in it, whatever it is charged to: with vINT more task sets are schedulable than counted here.",
    ],
};

/// A row of the table.
struct Studied {
    point: Point,
    kind: ServerKind,
    guests: Guests,
    plain: Kept,
    vint: Kept,
}

fn run(_: &Setting) -> Reproduced {
    const COLUMNS: &[&str] = &[
        "inter-arrival [ms]",
        "handler [us]",
        "guests",
        "server",
        "tasks [%]",
        "tasks, vINT [%]",
        "interrupts [%]",
        "interrupts, vINT [%]",
    ];
    let mut rows = Vec::new();
    for guests in [Guests::Own, Guests::Any] {
        for kind in KINDS {
            for point in INTERARRIVALS.iter().chain(&HANDLERS) {
                let kept = |with_vint| kept(*point, Variant { kind, with_vint, guests }, SETS);
                let (plain, vint) = (kept(false), kept(true));
                rows.push(Studied { point: *point, kind, guests, plain, vint });
            }
        }
    }
    let lines = rows.iter().map(line).collect();
    let of_tasks: fn(&Kept) -> u64 = |kept| kept.tasks;
    let of_interrupts: fn(&Kept) -> u64 = |kept| kept.interrupts;
    let pictures = [
        (1, "tasks", of_tasks),
        (1, "interrupts", of_interrupts),
        (2, "tasks", of_tasks),
        (2, "interrupts", of_interrupts),
    ];
    Reproduced {
        table: Table::new(COLUMNS, lines),
        claims: claims(&rows),
        pictures: pictures.map(|(number, what, of)| picture(&rows, number, what, of)).to_vec(),
    }
}

/// Four curves of one of the two figures: interrupts have guests of their own.
fn picture(
    rows: &[Studied],
    number: u32,
    what: &str,
    of: fn(&Kept) -> u64,
) -> vorrang_figure::Figure {
    let own = rows.iter().filter(|row| row.guests == Guests::Own);
    let own: Vec<&Studied> = own.collect();
    let (axis, points, varies) = if number == 1 {
        (
            Axis::logarithmic("inter-arrival time, middle of its range", "ms"),
            INTERARRIVALS,
            "inter-arrival time",
        )
    } else {
        (Axis::linear("execution time of the handler", "us").from(0.0), HANDLERS, "handler")
    };
    let at = |point: &Point| {
        let (least, most) = point.interarrival;
        let middle = exact_percent(least.as_ns() + most.as_ns(), 200_000_000);
        place(if number == 1 { middle } else { whole(point.handler.as_ns() / 1_000) })
    };
    let mut chart = Chart::new(
        format!("vint-study-{number}-{what}"),
        format!("Figure {number}, {what} that keep their deadlines, over the {varies}"),
        axis,
        Axis::linear(what, "%").from(0.0).to(105.0),
    )
    .described("By bounds, of 1000 drawn sets a point; all parameters are ours.");
    for kind in KINDS {
        for with_vint in [false, true] {
            let curve = points.iter().filter_map(|point| {
                let row = own.iter().find(|row| row.kind == kind && row.point == *point)?;
                let kept = if with_vint { row.vint } else { row.plain };
                Some((at(point), place(exact_percent(of(&kept), SETS))))
            });
            let name = format!("{}{}", kind.word(), if with_vint { ", vINT" } else { "" });
            chart = chart.with(Series::new(name, Shape::LineWithPoints, curve.collect()));
        }
    }
    chart.into()
}

fn line(row: &Studied) -> Vec<String> {
    let &Studied { point, kind, guests, plain, vint } = row;
    let percent = |count: u64| shown(exact_percent(count, SETS), 0);
    let (least, most) = point.interarrival;
    let guests = match guests {
        Guests::Own => "own",
        Guests::Any => "any",
    };
    vec![
        format!("{} to {}", least.as_ns() / 1_000_000, most.as_ns() / 1_000_000),
        (point.handler.as_ns() / 1_000).to_string(),
        guests.to_owned(),
        kind.word().to_owned(),
        percent(plain.tasks),
        percent(vint.tasks),
        percent(plain.interrupts),
        percent(vint.interrupts),
    ]
}

fn claims(rows: &[Studied]) -> Vec<Claim> {
    let mut claims = Vec::new();
    for guests in [Guests::Own, Guests::Any] {
        claims.push(serviceable(rows, guests));
    }
    for kind in KINDS {
        claims.push(schedulable(rows, kind));
    }
    for kind in KINDS {
        claims.push(long_handlers(rows, kind));
    }
    claims
}

/// Whether vINT keeps more of something in these rows.
fn more(claim: Claim, rows: &[&Studied], of: fn(&Kept) -> u64) -> Claim {
    let gains = rows.iter().map(|row| (of(&row.plain), of(&row.vint)));
    let fewer = gains.clone().filter(|(plain, vint)| vint < plain).count();
    let more = gains.filter(|(plain, vint)| vint > plain).count();
    claim
        .by(Way::Bound, format!("more in {more} of {} rows, fewer in {fewer}", rows.len()))
        .in_shape_if(Condition::that(
            "nowhere fewer keep their deadlines with vINT than without, and somewhere more",
            fewer == 0 && more > 0,
        ))
}

fn serviceable(rows: &[Studied], guests: Guests) -> Claim {
    let (whose, why) = match guests {
        Guests::Own => ("each has a guest of its own", ""),
        Guests::Any => (
            "several may share a guest",
            "Interrupts of one guest that is served by a sporadic server may spend each other's budget, which the published response time leaves out.",
        ),
    };
    let rows: Vec<&Studied> = rows.iter().filter(|row| row.guests == guests).collect();
    let claim = Claim::says(format!("With vINT more interrupts are serviceable (where {whose})."))
        .rows("figures.csv", [9, 10]);
    more(claim, &rows, |kept| kept.interrupts).why(why)
}

fn schedulable(rows: &[Studied], kind: ServerKind) -> Claim {
    let short = |row: &&Studied| {
        let Point { interarrival, handler } = row.point;
        row.kind == kind
            && handler == INTERARRIVALS[0].handler
            && interarrival.1 <= Duration::from_ms(10)
    };
    let rows: Vec<&Studied> = rows.iter().filter(short).collect();
    let claim = Claim::says(format!(
        "With vINT more task sets are schedulable where inter-arrival times are short ({} servers, up to 10 ms).",
        kind.word()
    ))
    .row("figures.csv", 9);
    more(claim, &rows, |kept| kept.tasks)
        .why("None of the parameters was published; here a pseudo-VCPU of each interrupt, above all virtual processors, weighs more than what the budgets lose by it.")
}

fn long_handlers(rows: &[Studied], kind: ServerKind) -> Claim {
    let long =
        rows.iter().filter(|row| row.kind == kind && row.point.handler >= Duration::from_us(600));
    let lost =
        long.map(|row| exact_percent(row.plain.tasks, SETS) - exact_percent(row.vint.tasks, SETS));
    let (least, most) = range(lost);
    Claim::says(format!(
        "With vINT slightly fewer task sets are schedulable where handlers are long ({} servers, 600 us and more).",
        kind.word()
    ))
    .row("figures.csv", 10)
    .by(Way::Bound, format!("fewer by {} percentage points", span((least, most), 0)))
    .agrees_if(Condition::at_most("what is lost in percentage points", most, whole(10), 0))
    .in_shape_if(Condition::that("nowhere more are schedulable with vINT", least >= whole(0)))
    .why("None of the parameters was published.")
}
