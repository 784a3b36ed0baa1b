//! What is claimed of ways to schedule an IRQ thread (Abeni, Manica, Palopoli 2009), judged.

use crate::claim::{Claim, Way};
use crate::exact::{Exact, ms, shown, whole};
use crate::irq_study::{Point, SERVERS, span_of};
use crate::recorded::{self, IRQ_THREADS};
use crate::rule::Condition;
use vorrang_time::Duration;

const FILE: &str = "irq_reservations.csv";

/// The cases of the lab that are those of the lines of the table; the vanilla kernel has none.
pub const KERNELS: [&str; 5] = [
    "",
    "below the task",
    "above the task",
    "4 ms; task 4 ms, program 1.5 ms",
    "2 ms; task 5 ms, program 1 ms",
];

/// What must be chosen for the throughput of the task above the thread.
const INPUTS: &[&str] = &[
    "the time per packet in the thread",
    "the time per packet in its reader",
    "the time to wake up",
    "the ring",
    "the socket's buffer",
];

/// By the configurations.
pub fn claims(points: &[Point]) -> Vec<Claim> {
    let mut all = vec![vanilla(points)];
    all.extend(above(&points[1]));
    all.extend(below(points));
    all.push(ordered(points));
    for (line, first) in [(5, 3), (6, 7)] {
        all.extend(reservations(line, &points[first..first + SERVERS.len()]));
    }
    all
}

fn rate(point: &Point) -> Exact {
    point.throughput.unwrap_or_else(|| whole(0))
}

fn responses(point: &Point) -> String {
    let (shortest, longest) = span_of(point);
    format!("{} to {} ms", shown(shortest, 1), shown(longest, 1))
}

fn bound(claim: Claim, point: &Point) -> Claim {
    match point.bound {
        Some(bound) => claim.by(Way::Bound, format!("{} ms", shown(ms(bound), 2))),
        None => claim.by(Way::Bound, "none: it is undecided, or there is none"),
    }
}

/// What kernels of the lab did in the case of a line: responses, or the throughput.
fn kernels(mut claim: Claim, case: &str, throughput: bool) -> Claim {
    for run in ["irq-6.12", "irq-7.2"] {
        let rows = recorded::rows(IRQ_THREADS, run);
        let Some(row) = rows.iter().find(|row| row[0] == case) else { continue };
        let text = if throughput {
            format!("{} Mb/s received, {} Mb/s taken", row[3], row[2])
        } else {
            format!("{} to {} ms, median {} ms", row[7], row[10], row[8])
        };
        claim = claim.by(Way::Kernel(run), text);
    }
    claim
}

fn vanilla(points: &[Point]) -> Claim {
    let (vanilla, above) = (&points[0], &points[1]);
    let (_, longest) = span_of(vanilla);
    let claim =
        Claim::says("With the vanilla kernel the task takes over 100 ms, up to about 150 ms.")
            .row(FILE, 2)
            .row("figures.csv", 18)
            .ours(responses(vanilla));
    bound(claim, vanilla)
        .agrees_if(Condition::between("the longest response in ms", longest, (whole(100), whole(200)), 0))
        .in_shape_if(Condition::that("it is longer than with the task above the thread", longest > span_of(above).1))
        .why("Its machine was overloaded by work that does not appear in the publication, such as soft interrupts; here the routine has all of the work, 9 us a packet.")
}

fn above(point: &Point) -> Vec<Claim> {
    let claim = Claim::says("With the task above the thread it takes 18 to 20.5 ms.")
        .row(FILE, 3)
        .row("figures.csv", 18)
        .ours(responses(point))
        .fitted(&["the task's execution time, an input"]);
    let rates = Claim::says("And the stream has 48 Mb/s.")
        .row(FILE, 3)
        .ours(format!("{} Mb/s received", shown(rate(point), 1)))
        .fitted(INPUTS);
    vec![kernels(bound(claim, point), KERNELS[1], false), kernels(rates, KERNELS[1], true)]
}

fn below(points: &[Point]) -> Vec<Claim> {
    let (above, below) = (&points[1], &points[2]);
    let early = below.responses.percent_within(Duration::from_ms(800));
    let claim = Claim::says("With the thread above the task 60 % of its jobs are complete within 800 ms.")
        .row(FILE, 4)
        .row("figures.csv", 18)
        .ours(format!("{} %, {}", shown(early, 0), responses(below)))
        .agrees_if(Condition::between("the part of the jobs in percent", early, (whole(55), whole(65)), 0))
        .in_shape_if(Condition::that("the task takes longer than above the thread, in every job", span_of(below).0 > span_of(above).1))
        .why("As with the vanilla kernel: here thread and routine leave the task 61 % of the processor, which is enough for it. Linux 6.12 in the lab, whose processor has no time left beside the packets, comes near: half of the responses are longer than 838 ms.");
    let rates = Claim::says("And the stream has 74 Mb/s, which is the line.")
        .row(FILE, 4)
        .ours(format!("{} Mb/s received, {} Mb/s taken", shown(rate(below), 1), shown(below.taken.unwrap_or_else(|| whole(0)), 1)))
        .agrees_if(Condition::between("what is received in Mb/s", rate(below), (whole(71), whole(77)), 0))
        .why("The thread takes what the line brings, but the reader of the socket finds no time while the task runs; in the publication it did, or the number is what was taken.");
    vec![kernels(bound(claim, below), KERNELS[2], false), kernels(rates, KERNELS[2], true)]
}

/// The figure as a whole.
fn ordered(points: &[Point]) -> Claim {
    let longest = |place: usize| span_of(&points[place]).1;
    let reserved = points[3..].iter().map(|point| span_of(point).1).max();
    let reserved = reserved.unwrap_or_else(|| whole(0));
    Claim::says("A reservation for the IRQ thread bounds the response of the task, which is longer than above the thread.")
        .row("figures.csv", 18)
        .ours(format!("at most {} ms with reservations of any kind, {} ms above the thread", shown(reserved, 1), shown(longest(1), 1)))
        .agrees_if(Condition::at_most("the longest response with any reservation in ms", reserved, whole(50), 0))
        .agrees_if(Condition::that("it is longer with each reservation than above the thread", (3..points.len()).all(|place| longest(place) > longest(1))))
}

const WITHIN: &str = "no job is shorter or longer than these by more than 1 ms";

/// It agrees if it is so with every kind of server, and in shape if with some: the kind was not published.
fn with_every_or_some(claim: Claim, says: &str, each: impl Iterator<Item = bool>) -> Claim {
    let each: Vec<bool> = each.collect();
    let condition =
        |kinds: &str, holds| Condition::that(format!("with {kinds} kind of server {says}"), holds);
    claim
        .agrees_if(condition("every", each.iter().all(|one| *one)))
        .in_shape_if(condition("some", each.contains(&true)))
}

/// Of one of the two configurations with reservations.
fn reservations(line: usize, mine: &[Point]) -> Vec<Claim> {
    let (published, (least, most), name, case) = if line == 5 {
        (74, (32, 46), "first (4, 4 and 1.5 ms of 10)", KERNELS[3])
    } else {
        (65, (24, 36), "second (5, 2 and 1 ms of 10)", KERNELS[4])
    };
    let within = |point: &Point| {
        let (shortest, longest) = span_of(point);
        shortest >= whole(least) - 1 && longest <= whole(most) + 1
    };
    let near = |point: &Point| {
        let apart = rate(point) - whole(published);
        (whole(0) - 3..=whole(3)).contains(&apart)
    };
    let kinds = |fits: &dyn Fn(&Point) -> bool| {
        let names = mine.iter().zip(SERVERS).filter(|(point, _)| fits(point));
        let names: Vec<&str> = names.map(|(_, kind)| kind.0).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let rates: Vec<String> = mine
        .iter()
        .zip(SERVERS)
        .map(|(point, kind)| format!("{} with {}", shown(rate(point), 0), kind.0))
        .collect();
    let each: Vec<String> = mine
        .iter()
        .zip(SERVERS)
        .map(|(point, kind)| format!("{} with {}", responses(point), kind.0))
        .collect();
    let response =
        Claim::says(format!("With the {name} reservations the task takes {least} to {most} ms."))
            .row(FILE, line)
            .row("figures.csv", 18)
            .ours(format!("{}; so with {}", each.join(", "), kinds(&within)));
    let response = with_every_or_some(response, WITHIN, mine.iter().map(within));
    let below_line = published < 74 && mine.iter().all(|point| rate(point) < whole(74));
    let stream = Claim::says(format!("And the stream has {published} Mb/s."))
        .row(FILE, line)
        .ours(format!("{} Mb/s; so with {}", rates.join(", "), kinds(&near)))
        .why(if line == 5 {
            "A reader that hard servers serve late loses packets when its buffer is full."
        } else {
            "By the fit above a packet takes 7 us in the thread, so 2 ms of 10 carry 44 Mb/s; what is more comes from time that others leave."
        });
    let says = format!("it is {published} Mb/s within 3 Mb/s");
    let stream = if published < 74 {
        let every = format!("with every kind of server {says}");
        let stream = stream.agrees_if(Condition::that(every, mine.iter().all(near)));
        stream.in_shape_if(Condition::that("it is less than the line", below_line))
    } else {
        with_every_or_some(stream, &says, mine.iter().map(near))
    };
    vec![kernels(bound(response, &mine[1]), case, false), kernels(stream, case, true)]
}
