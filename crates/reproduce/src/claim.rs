//! What a publication claims, held against what is found here.
//!
//! **Model.** Every claim states the rule by which it is judged, and the rule is evaluated on the numbers of the
//! run: a sentence that says *agrees* is never older than the numbers beside it.
//!
//! **Assumptions.** A number that was used to choose something the publication does not state agrees by
//! construction. It is [fitted](Agreement::Fitted), whatever the rule would say.

use std::fmt;

/// A claim of a publication and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What the publication says.
    pub published: String,
    /// The rows of tables in `published/` it stands in: file and line.
    pub rows: Vec<(&'static str, usize)>,
    /// What is found here.
    pub ours: String,
    /// By which rule it is judged.
    pub rule: &'static str,
    /// How the two compare.
    pub agreement: Agreement,
    /// Why, where that is known.
    pub why: &'static str,
}

/// How a published claim and what is found here compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// By the rule.
    Agrees,
    /// The direction or the form does, the numbers do not, or were not published.
    InShape,
    /// Neither.
    Disagrees,
    /// The number was used to choose these, which were not published: it says nothing.
    Fitted(&'static [&'static str]),
    /// Nothing here says whether it is so.
    Open,
}

impl Agreement {
    /// Of a claim with numbers and a shape.
    pub fn of(number: bool, shape: bool) -> Self {
        match (number, shape) {
            (true, _) => Self::Agrees,
            (false, true) => Self::InShape,
            (false, false) => Self::Disagrees,
        }
    }

    /// Of a claim that is so or is not.
    pub fn whether(holds: bool) -> Self {
        Self::of(holds, false)
    }

    /// Of a claim of which only the shape can be compared.
    pub fn in_shape(holds: bool) -> Self {
        Self::of(false, holds)
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agrees => out.write_str("agrees"),
            Self::InShape => out.write_str("agrees in shape"),
            Self::Disagrees => out.write_str("disagrees"),
            Self::Fitted(numbers) => {
                let plural = if numbers.len() == 1 { "" } else { "s" };
                write!(out, "fitted, {} free number{plural}", numbers.len())
            }
            Self::Open => out.write_str("open"),
        }
    }
}

impl Claim {
    /// A claim in the publication's words or a summary of them.
    pub fn says(published: impl Into<String>) -> Self {
        Self {
            published: published.into(),
            rows: Vec::new(),
            ours: String::new(),
            rule: "",
            agreement: Agreement::Open,
            why: "",
        }
    }

    /// It stands in this line of a table in `published/`.
    #[must_use]
    pub fn row(mut self, file: &'static str, line: usize) -> Self {
        self.rows.push((file, line));
        self
    }

    /// What is found here.
    #[must_use]
    pub fn ours(self, ours: impl Into<String>) -> Self {
        Self { ours: ours.into(), ..self }
    }

    /// What a rule says of it.
    #[must_use]
    pub fn judged(self, rule: &'static str, agreement: Agreement) -> Self {
        Self { rule, agreement, ..self }
    }

    /// Its numbers chose these.
    #[must_use]
    pub fn fitted(self, numbers: &'static [&'static str]) -> Self {
        Self { agreement: Agreement::Fitted(numbers), ..self }
    }

    /// Why it is so.
    #[must_use]
    pub fn why(self, why: &'static str) -> Self {
        Self { why, ..self }
    }
}
