//! The figure of the study of vINT, and what its publication says of it (Kim, Wang, Rajkumar 2015).
//!
//! **Assumption.** The published curves have no parameters, so only directions are compared.

use crate::claim::{Agreement, Claim};
use crate::figure::{Figure, Reproduced, Table};
use crate::vint_study::{Guests, HANDLERS, INTERARRIVALS, KINDS, Kept, Point, SETS, Variant, kept};
use crate::watch::ratio;
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
        "Counted is what is proven. The tasks of a guest count every routine in it, whoever pays for that: task sets are better with vINT than these numbers.",
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

fn run() -> Reproduced {
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
    Reproduced { table: Table::new(COLUMNS, lines), claims: claims(&rows) }
}

fn line(row: &Studied) -> Vec<String> {
    let &Studied { point, kind, guests, plain, vint } = row;
    let percent = |count: u64| format!("{:.0}", percent(count));
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

/// In percent.
fn percent(count: u64) -> f64 {
    100.0 * ratio(count, SETS)
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
    claim.ours(format!("more in {more} of {} rows, fewer in {fewer}", rows.len())).judged(
        "in shape: nowhere fewer with vINT than without, and somewhere more",
        Agreement::in_shape(fewer == 0 && more > 0),
    )
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
    let claim = Claim::says(format!("With vINT more interrupts are serviceable (where {whose})."));
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
    ));
    more(claim, &rows, |kept| kept.tasks)
}

fn long_handlers(rows: &[Studied], kind: ServerKind) -> Claim {
    let long =
        rows.iter().filter(|row| row.kind == kind && row.point.handler >= Duration::from_us(600));
    let lost = long.map(|row| percent(row.plain.tasks) - percent(row.vint.tasks));
    let least = lost.clone().fold(f64::INFINITY, f64::min);
    let most = lost.fold(f64::NEG_INFINITY, f64::max);
    Claim::says(format!(
        "With vINT slightly fewer task sets are schedulable where handlers are long ({} servers, 600 us and more).",
        kind.word()
    ))
    .ours(format!("fewer by {least:.0} to {most:.0} percentage points"))
    .judged(
        "numbers: nowhere more, and fewer by 10 points at most; in shape: nowhere more",
        Agreement::of(least >= 0.0 && most <= 10.0, least >= 0.0),
    )
    .why("None of the parameters was published.")
}
