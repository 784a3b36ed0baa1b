//! The table of the experiment, and its place in the documentation.

use super::case::Case;
use super::measured::Outcome;
use super::network::PAYLOAD;
use super::predicted::Predicted;
use std::fmt::Write as _;

/// Around the tables in the documentation.
const MARKS: [&str; 2] =
    ["<!-- `vorrang-lab experiment --docs` writes this -->\n", "<!-- until here -->"];

/// The result of one boot.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The kernel, and the way in which its runtimes end.
    pub heading: String,
    /// The observations and predictions of each case.
    pub rows: Vec<(Case, Outcome, Predicted)>,
}

/// A table in Markdown.
pub fn table(shown: &Shown) -> String {
    let mut text = format!(
        "{}:\n\n\
         | the thread that polls | published | packets taken [Mb/s] | received [Mb/s] | reserved [%] | used [%] | blocked [%] | \
         response, least [ms] | median | 90 % | longest | simulated | bound |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        shown.heading
    );
    for (case, outcome, predicted) in &shown.rows {
        let ms = |time: u64| format!("{}.{:02}", time / 1_000_000, time / 10_000 % 100);
        let percent = |share: u64| format!("{}.{}", share / 100, share / 10 % 10);
        let reserved = case.reservation().map(|(budget, period)| budget * 10_000 / period);
        let bounded = |time: Option<u64>| match time {
            Some(time) if predicted.bound.is_some() => ms(time),
            _ => "–".to_owned(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            case.name,
            if case.published.is_empty() { "–" } else { &case.published },
            megabits(outcome.rate(outcome.taken)),
            megabits(outcome.rate(outcome.delivered)),
            reserved.map_or("–".to_owned(), percent),
            percent(outcome.share(outcome.handler)),
            percent(outcome.share(outcome.waited)),
            ms(outcome.response(0)),
            ms(outcome.response(50)),
            ms(outcome.response(90)),
            ms(outcome.response(100)),
            bounded(predicted.simulated),
            bounded(predicted.bound),
        );
    }
    text
}

/// What so many packets a second carry, in Mb/s.
fn megabits(rate: u64) -> String {
    let tenths = rate * PAYLOAD * 8 / 100_000;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// The same as a file of comma-separated values; times are nanoseconds, rates packets a second.
pub fn values(all: &[Shown]) -> String {
    let mut text = "kernel,thread that polls,packets taken,packets received,budget,period,handler ran,handler blocked,program blocked,interrupt thread \
                    ran,ksoftirqd ran,of,response least,response median,response 90 %,response longest,simulated,bound\n"
        .to_owned();
    for (shown, (case, outcome, predicted)) in rows(all) {
        let (budget, period) = case.reservation().unzip();
        let numbers = [
            Some(outcome.rate(outcome.taken)),
            Some(outcome.rate(outcome.delivered)),
            budget,
            period,
            Some(outcome.handler),
            Some(outcome.waited),
            Some(outcome.program_waited),
            Some(outcome.interrupt),
            Some(outcome.soft),
            Some(outcome.elapsed),
            Some(outcome.response(0)),
            Some(outcome.response(50)),
            Some(outcome.response(90)),
            Some(outcome.response(100)),
            predicted.simulated,
            predicted.bound,
        ];
        let numbers =
            numbers.map(|number| number.map_or(String::new(), |number| number.to_string()));
        let _ = writeln!(text, "{:?},{:?},{}", shown.heading, case.name, numbers.join(","));
    }
    text
}

/// Distributions of responses: of how many of its jobs, of all, none took longer.
pub fn distributions(all: &[Shown]) -> String {
    let mut text = "kernel,thread that polls,response,jobs,of\n".to_owned();
    for (shown, (case, outcome, _)) in rows(all) {
        let of = outcome.responses.len();
        for (place, response) in outcome.responses.iter().enumerate() {
            let name = (&shown.heading, &case.name);
            let _ = writeln!(text, "{:?},{:?},{response},{},{of}", name.0, name.1, place + 1);
        }
    }
    text
}

fn rows(all: &[Shown]) -> impl Iterator<Item = (&Shown, &(Case, Outcome, Predicted))> {
    all.iter().flat_map(|shown| shown.rows.iter().map(move |row| (shown, row)))
}

/// The documentation with these tables in their place; `None` if it has none.
pub fn documented(page: &str, tables: &str) -> Option<String> {
    let (before, rest) = page.split_once(MARKS[0])?;
    let (_, after) = rest.split_once(MARKS[1])?;
    Some(format!("{before}{}\n{tables}\n{}{after}", MARKS[0], MARKS[1]))
}

#[cfg(test)]
mod tests {
    use super::super::case::one;
    use super::*;

    fn shown() -> Shown {
        let case = one("2 ms of 10 ms");
        let outcome = Outcome {
            case: case.name.clone(),
            responses: vec![18_500_000, 19_000_000],
            elapsed: 1_000_000_000,
            taken: 10_000,
            delivered: 5_000,
            handler: 199_000_000,
            waited: 34_000_000,
            program_waited: 56_000_000,
            interrupt: 1,
            soft: 2,
        };
        let predicted =
            Predicted { bound: Some(26_000_000), simulated: Some(25_000_000), reason: None };
        Shown { heading: "Linux 7".to_owned(), rows: vec![(case, outcome, predicted)] }
    }

    #[test]
    fn a_row_has_what_was_seen_beside_what_was_said() {
        let row = "| 2 ms of 10 ms | – | 15.3 | 7.6 | 20.0 | 19.9 | 3.4 | 18.50 | 18.50 | 19.00 | 19.00 | 25.00 | 26.00 |";
        assert_eq!(table(&shown()).lines().last(), Some(row));
        let row = "\"Linux 7\",\"2 ms of 10 ms\",10000,5000,2000000,10000000,199000000,34000000,56000000,1,2,1000000000,18500000,18500000,19000000,19000000,25000000,26000000";
        assert_eq!(values(&[shown()]).lines().last(), Some(row));
    }

    #[test]
    fn a_distribution_ends_with_all_jobs() {
        let text = distributions(&[shown()]);
        assert_eq!(text.lines().last(), Some("\"Linux 7\",\"2 ms of 10 ms\",19000000,2,2"));
    }

    #[test]
    fn tables_take_the_place_of_those_before_them() {
        let page = |tables: &str| format!("a\n{}\n{tables}\n{}\nb", MARKS[0], MARKS[1]);
        assert_eq!(documented(&page("old"), "new"), Some(page("new")));
        assert_eq!(documented("nothing", "new"), None);
    }
}
