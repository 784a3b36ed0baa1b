//! Two results of `vorrang check` compared: what turned, what moved, what is new or gone.
//!
//! **Model.** Results are documents of the format "vorrang-check/1". Requirements and budgets are matched by name. A
//! verdict that changed has *turned*; where none did, a bound that changed by more than was asked for has *moved*, and
//! so has a limit that changed at all. The time of a budget is how late it may come.
//!
//! **Does not cover** renaming: that is one that is gone and one that is new.

use crate::outcome::{Verdict, toned};
use crate::prose::wrapped;
use crate::screen::{Screen, Tone};
use crate::table::{self, Column};
use serde_json::{Value, json};
use vorrang_time::Duration;

/// The format of results.
const FORMAT: &str = "vorrang-check/1";

/// What a result says of a requirement or a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Said {
    verdict: Verdict,
    /// `None` for a budget.
    limit: Option<Duration>,
    bound: Option<Duration>,
}

/// What became of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Its verdict is a worse one.
    Worse,
    /// Its verdict is a better one.
    Better,
    /// Its bound or its limit is another one, its verdict is not.
    Moved,
    /// It was not there before.
    New,
    /// It is not there any more.
    Gone,
    /// None of these.
    Same,
}

impl Change {
    const ALL: [Self; 6] =
        [Self::Worse, Self::Better, Self::Moved, Self::New, Self::Gone, Self::Same];

    /// As it is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Better => "better",
            Self::Moved => "moved",
            Self::New => "new",
            Self::Gone => "gone",
            Self::Same => "same",
        }
    }

    const fn tone(self) -> Tone {
        match self {
            Self::Worse => Tone::Bad,
            Self::Better => Tone::Good,
            _ => Tone::Open,
        }
    }
}

/// One requirement or budget in both results.
#[derive(Clone, Debug)]
struct Row {
    name: String,
    change: Change,
    was: Option<Said>,
    is: Option<Said>,
}

/// Two results compared.
#[derive(Clone, Debug)]
pub struct Difference {
    /// What changed most first, each kind of change in the order of the results.
    rows: Vec<Row>,
}

/// Compares two documents; `moved_permille`: by how much a bound may change without a mention.
///
/// # Errors
/// One of them is no result of a check: which (0 or 1), and why not.
pub fn between(
    was: &Value,
    is: &Value,
    moved_permille: u64,
) -> Result<Difference, (usize, String)> {
    let (was, is) = (read(was).map_err(|why| (0, why))?, read(is).map_err(|why| (1, why))?);
    let find = |all: &[(String, Said)], name: &str| {
        all.iter().find(|(own, _)| own == name).map(|(_, said)| *said)
    };
    let gone = was.iter().filter(|(name, _)| find(&is, name).is_none());
    let names = is.iter().chain(gone).map(|(name, _)| name);
    let mut rows: Vec<Row> = names
        .map(|name| {
            let (was, is) = (find(&was, name), find(&is, name));
            Row { name: name.clone(), change: change(was, is, moved_permille), was, is }
        })
        .collect();
    rows.sort_by_key(|row| row.change);
    Ok(Difference { rows })
}

fn change(was: Option<Said>, is: Option<Said>, moved_permille: u64) -> Change {
    let (Some(was), Some(is)) = (was, is) else {
        return if was.is_none() { Change::New } else { Change::Gone };
    };
    match is.verdict.cmp(&was.verdict) {
        std::cmp::Ordering::Greater => Change::Worse,
        std::cmp::Ordering::Less => Change::Better,
        std::cmp::Ordering::Equal if was.limit != is.limit => Change::Moved,
        std::cmp::Ordering::Equal => match (was.bound, is.bound) {
            (None, None) => Change::Same,
            (Some(was), Some(is)) if !is_beyond(was, is, moved_permille) => Change::Same,
            _ => Change::Moved,
        },
    }
}

/// Whether two times are farther apart than so many thousandths of the first.
fn is_beyond(was: Duration, is: Duration, permille: u64) -> bool {
    let (was, is) = (u128::from(was.as_ns()), u128::from(is.as_ns()));
    was.abs_diff(is) * 1000 > was * u128::from(permille)
}

fn read(document: &Value) -> Result<Vec<(String, Said)>, String> {
    if document["format"] != FORMAT {
        return Err(format!("this is no result of the format \"{FORMAT}\""));
    }
    let list = |key: &str| document[key].as_array().map_or(&[][..], Vec::as_slice);
    let requirements = list("requirements").iter().map(|one| said(one, "", "bound_ns"));
    let budgets = list("budgets").iter().map(|one| said(one, "budget of ", "late_ns"));
    let asked = |one: &Value| format!("{} of ", one["requires"].as_str().unwrap_or_default());
    let chains = list("chains").iter().map(|one| said(one, &asked(one), "bound_ns"));
    let all: Option<Vec<_>> = requirements.chain(budgets).chain(chains).collect();
    all.ok_or_else(|| format!("it has not what \"{FORMAT}\" has"))
}

fn said(one: &Value, prefix: &str, bound: &str) -> Option<(String, Said)> {
    let verdict = Verdict::ALL.into_iter().find(|own| one["verdict"] == own.word())?;
    let time = |key: &str| one[key].as_u64().map(Duration::from_ns);
    let name = format!("{prefix}{}", one["name"].as_str()?);
    Some((name, Said { verdict, limit: time("limit_ns"), bound: time(bound) }))
}

impl Difference {
    /// Whether some verdict is a worse one.
    pub fn is_worse(&self) -> bool {
        self.count(Change::Worse) > 0
    }

    fn count(&self, change: Change) -> usize {
        self.rows.iter().filter(|row| row.change == change).count()
    }

    fn changed(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.change != Change::Same)
    }

    /// For people.
    pub fn text(&self, screen: Screen) -> String {
        let verdict =
            |said: Option<Said>| said.map_or(("-", Tone::Open), |said| toned(said.verdict));
        let bound = |said: Option<Said>| said.and_then(|said| said.bound);
        let mut columns = vec![
            Column::words("requirement", self.changed().map(|row| row.name.clone())),
            Column::toned(
                "change",
                self.changed().map(|row| (row.change.word(), row.change.tone())),
            ),
            Column::toned("was", self.changed().map(|row| verdict(row.was))),
            Column::toned("is", self.changed().map(|row| verdict(row.is))),
        ];
        if self.changed().any(Row::has_other_limit) {
            let limit = |said: Option<Said>| said.and_then(|said| said.limit);
            columns.push(Column::times("limit was", self.changed().map(|row| limit(row.was))));
            columns.push(Column::times("limit is", self.changed().map(|row| limit(row.is))));
        }
        columns.extend([
            Column::times("bound was", self.changed().map(|row| bound(row.was))),
            Column::times("bound is", self.changed().map(|row| bound(row.is))),
            Column::numbers("by [%]", self.changed().map(Row::percent)),
        ]);
        let is_empty = self.changed().next().is_none();
        let table = if is_empty { String::new() } else { table::draw(screen, &columns) + "\n" };
        table + &wrapped(screen, &self.sentence(), "", "")
    }

    fn sentence(&self) -> String {
        let counts = Change::ALL.map(|change| (change, self.count(change)));
        let parts = counts.into_iter().filter(|(_, count)| *count > 0);
        let parts: Vec<String> =
            parts.map(|(change, count)| format!("{count} {}", change.word())).collect();
        match parts[..] {
            [] => "Neither result has a requirement or a budget.".to_owned(),
            _ => format!("Of {} requirements and budgets: {}.", self.rows.len(), parts.join(", ")),
        }
    }

    /// For programs: format "vorrang-diff/1", with everything that is the same, too.
    pub fn document(&self) -> Value {
        let side = |said: Option<Said>| {
            said.map(|said| {
                json!({
                    "verdict": said.verdict.word(),
                    "limit_ns": said.limit.map(Duration::as_ns),
                    "bound_ns": said.bound.map(Duration::as_ns),
                })
            })
        };
        let row = |row: &Row| {
            json!({
                "name": row.name,
                "change": row.change.word(),
                "was": side(row.was),
                "is": side(row.is),
            })
        };
        json!({
            "format": "vorrang-diff/1",
            "worse": self.is_worse(),
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

impl Row {
    fn has_other_limit(&self) -> bool {
        self.was.zip(self.is).is_some_and(|(was, is)| was.limit != is.limit)
    }

    /// By how much the bound moved, in percent of what it was.
    fn percent(&self) -> String {
        let bounds = self.was.zip(self.is).and_then(|(was, is)| was.bound.zip(is.bound));
        let Some((was, is)) = bounds.filter(|(was, is)| was.as_ns() > 0 && was != is) else {
            return "-".to_owned();
        };
        let (was, is) = (u128::from(was.as_ns()), u128::from(is.as_ns()));
        let sign = if is > was { "+" } else { "-" };
        let permille = (was.abs_diff(is) * 1000).div_ceil(was);
        format!("{sign}{}.{}", permille / 10, permille % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::Change::{Better, Gone, Moved, New, Same, Worse};
    use super::*;

    fn result(rows: &[(&str, &str, u64)]) -> Value {
        let rows = rows.iter().map(|(name, verdict, bound)| {
            json!({ "name": name, "verdict": verdict, "limit_ns": 9000, "bound_ns": bound })
        });
        json!({ "format": FORMAT, "requirements": rows.collect::<Vec<_>>(), "budgets": [] })
    }

    #[test]
    fn each_kind_of_change_is_told_from_the_others() {
        let was = result(&[
            ("a", "proven", 1000),
            ("b", "refuted", 1000),
            ("c", "proven", 1000),
            ("d", "proven", 1000),
            ("e", "proven", 1000),
        ]);
        let is = result(&[
            ("c", "proven", 1051),
            ("a", "undecided", 1000),
            ("b", "undecided", 1000),
            ("d", "proven", 1050),
            ("f", "refuted", 1),
        ]);
        let difference = between(&was, &is, 50).unwrap();
        let rows: Vec<(&str, Change)> =
            difference.rows.iter().map(|row| (row.name.as_str(), row.change)).collect();
        assert_eq!(
            rows,
            [("a", Worse), ("b", Better), ("c", Moved), ("f", New), ("e", Gone), ("d", Same)]
        );
        assert!(difference.is_worse());
        assert!(!between(&is, &result(&[("f", "proven", 1)]), 50).unwrap().is_worse());
        assert_eq!(difference.rows[2].percent(), "+5.1");
    }

    #[test]
    fn what_is_no_result_is_refused() {
        let right = result(&[]);
        assert_eq!(between(&right, &json!({}), 0).unwrap_err().0, 1);
        assert_eq!(between(&json!([1]), &right, 0).unwrap_err().0, 0);
        let wrong = result(&[("a", "perhaps", 1)]);
        assert!(between(&right, &wrong, 0).is_err());
    }
}
