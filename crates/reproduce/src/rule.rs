//! The rule by which a published claim is judged.
//!
//! **Model.** A claim has conditions of two kinds. Those of the *statement* say that what is found here is what the
//! publication says: a number within a stated distance, or that what is said is so. Those of the *shape* say that the
//! direction or the form is the same. With `n` free numbers chosen by the published number itself:
//!
//! 1. `n > 0`: **fitted**, whatever the conditions say, for it agrees by construction.
//! 2. No condition at all: **open**, for nothing here says whether it is so.
//! 3. There are conditions of the statement, and every condition of both kinds holds: **agrees**.
//! 4. There are conditions of the shape, and all of these hold: **agrees in shape**.
//! 5. Otherwise: **disagrees**.
//!
//! So a claim of which the publication has no number has conditions of the shape only, and can do no better than agree
//! in shape. Each condition is evaluated on exact numbers when it is stated, and says itself which: no float decides,
//! and a verdict is never older than the numbers beside it.

use crate::exact::{Exact, shown};
use std::fmt;

/// Something that holds or does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// What, with its numbers.
    pub says: String,
    /// Whether it does.
    pub holds: bool,
}

impl Condition {
    /// A statement that was decided elsewhere, by integers.
    pub fn that(says: impl Into<String>, holds: bool) -> Self {
        Self { says: says.into(), holds }
    }

    /// A number is within a part of the published one.
    pub fn near(what: &str, ours: Exact, published: Exact, within: Exact, decimals: u32) -> Self {
        let says = format!(
            "{what} is within {} % of {}",
            shown(within * 100, 0),
            shown(published, decimals)
        );
        let apart = if ours > published { ours - published } else { published - ours };
        Self { says, holds: apart <= published * within }
    }

    /// A number is from one to another.
    pub fn between(what: &str, ours: Exact, (least, most): (Exact, Exact), decimals: u32) -> Self {
        let says =
            format!("{what} is from {} to {}", shown(least, decimals), shown(most, decimals));
        Self { says, holds: least <= ours && ours <= most }
    }

    /// A number is at most another.
    pub fn at_most(what: &str, ours: Exact, most: Exact, decimals: u32) -> Self {
        Self { says: format!("{what} is at most {}", shown(most, decimals)), holds: ours <= most }
    }

    /// A number is above another.
    pub fn above(what: &str, ours: Exact, least: Exact, decimals: u32) -> Self {
        Self { says: format!("{what} is above {}", shown(least, decimals)), holds: ours > least }
    }
}

/// The conditions of a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// What the publication says, its numbers included.
    pub statement: Vec<Condition>,
    /// The direction or the form.
    pub shape: Vec<Condition>,
}

impl Rule {
    /// What the conditions come to, with these numbers chosen by the claim.
    pub fn verdict(&self, fitted: &'static [&'static str]) -> Agreement {
        let all = |conditions: &[Condition]| conditions.iter().all(|one| one.holds);
        if !fitted.is_empty() {
            Agreement::Fitted(fitted)
        } else if self.statement.is_empty() && self.shape.is_empty() {
            Agreement::Open
        } else if !self.statement.is_empty() && all(&self.statement) && all(&self.shape) {
            Agreement::Agrees
        } else if !self.shape.is_empty() && all(&self.shape) {
            Agreement::InShape
        } else {
            Agreement::Disagrees
        }
    }

    /// The rule in words; nothing without conditions.
    pub fn text(&self) -> String {
        let and = |conditions: &[&Condition]| {
            let says: Vec<&str> = conditions.iter().map(|one| one.says.as_str()).collect();
            says.join(" and ")
        };
        let shape: Vec<&Condition> = self.shape.iter().collect();
        let both: Vec<&Condition> = self.statement.iter().chain(&self.shape).collect();
        match (self.statement.is_empty(), self.shape.is_empty()) {
            (true, true) => String::new(),
            (false, true) => format!("agrees if {}", and(&both)),
            (true, false) => format!("in shape if {}", and(&shape)),
            (false, false) => format!("agrees if {}; in shape if {}", and(&both), and(&shape)),
        }
    }
}

/// How a published claim and what is found here compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// What is said is what is found.
    Agrees,
    /// The direction or the form is, the numbers are not, or were not published.
    InShape,
    /// Neither the number nor its direction.
    Disagrees,
    /// The number was used to choose these, which were not published, or is itself an input: it says nothing.
    Fitted(&'static [&'static str]),
    /// Nothing here says whether it is so.
    Open,
}

impl Agreement {
    /// In one or two words: *agrees*, *agrees in shape*, *disagrees*, *fitted*, *open*.
    pub fn word(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::InShape => "agrees in shape",
            Self::Disagrees => "disagrees",
            Self::Fitted(_) => "fitted",
            Self::Open => "open",
        }
    }
}

/// All words, in the order in which verdicts are counted.
pub const WORDS: [&str; 5] = ["agrees", "agrees in shape", "disagrees", "fitted", "open"];

impl fmt::Display for Agreement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())?;
        if let Self::Fitted(numbers) = self {
            let plural = if numbers.len() == 1 { "" } else { "s" };
            write!(out, ", {} free number{plural}", numbers.len())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{decimal, whole};

    fn rule(statement: &[bool], shape: &[bool]) -> Rule {
        let all = |holds: &[bool]| holds.iter().map(|&one| Condition::that("it", one)).collect();
        Rule { statement: all(statement), shape: all(shape) }
    }

    /// Every combination of conditions that hold, do not, or are not there.
    #[test]
    fn the_rule_is_what_the_page_says() {
        let kinds: [&[bool]; 4] = [&[], &[true], &[false], &[true, false]];
        for statement in kinds {
            for shape in kinds {
                let rule = rule(statement, shape);
                let holds = |of: &[bool]| of.iter().all(|one| *one);
                let expected = match (statement.is_empty(), shape.is_empty()) {
                    (true, true) => Agreement::Open,
                    (false, _) if holds(statement) && holds(shape) => Agreement::Agrees,
                    (_, false) if holds(shape) => Agreement::InShape,
                    _ => Agreement::Disagrees,
                };
                assert_eq!(rule.verdict(&[]), expected, "{statement:?} {shape:?}");
                assert_eq!(rule.verdict(&["one"]), Agreement::Fitted(&["one"]));
            }
        }
    }

    /// A number at its limit is within it, and a thousandth beyond is not: fractions are not rounded.
    #[test]
    fn limits_are_exact() {
        let near = |ours: &str| {
            Condition::near("it", decimal(ours), decimal("48"), decimal("0.05"), 0).holds
        };
        assert!(near("45.6") && near("50.4"));
        assert!(!near("45.599999999") && !near("50.400000001"));
        let third = whole(1) / whole(3);
        assert!(Condition::at_most("it", third * 3, whole(1), 0).holds);
        assert!(!Condition::above("it", third * 3, whole(1), 0).holds);
    }

    #[test]
    fn a_rule_says_its_numbers() {
        let rule = Rule {
            statement: vec![Condition::near("the rate", whole(47), whole(48), decimal("0.05"), 0)],
            shape: vec![Condition::that("it rises", true)],
        };
        let text = "agrees if the rate is within 5 % of 48 and it rises; in shape if it rises";
        assert_eq!(rule.text(), text);
        assert_eq!(Agreement::Fitted(&["a", "b"]).to_string(), "fitted, 2 free numbers");
    }
}
