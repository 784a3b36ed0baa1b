//! The claims of a publication, compared with our results.
//!
//! **Model.** Every claim names the lines of the tables in `published/` that it stands in, what is found here by each
//! way there is, and the [rule](crate::rule) by which it is judged.

use crate::rule::{Agreement, Condition, Rule};

/// By which way something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// The publication itself: what it printed.
    Published,
    /// The publication's own formula, evaluated.
    Formula,
    /// A bound of the analysis: no history is worse.
    Bound,
    /// The simulator, or a search with it.
    Simulation,
    /// A stock kernel in the lab: a line of `published/recorded/runs.csv`.
    Kernel(&'static str),
    /// The machine of a profile that was given.
    Machine,
}

impl Way {
    /// What it is called.
    pub fn word(self) -> String {
        match self {
            Self::Published => "published".to_owned(),
            Self::Formula => "formula".to_owned(),
            Self::Bound => "bound".to_owned(),
            Self::Simulation => "simulation".to_owned(),
            Self::Kernel(run) => format!("kernel, run {run}"),
            Self::Machine => "this machine".to_owned(),
        }
    }
}

/// A claim of a publication and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What the publication says.
    pub published: String,
    /// The rows of tables in `published/` it stands in: file and line.
    pub rows: Vec<(&'static str, usize)>,
    /// What is found here, by each way.
    pub found: Vec<(Way, String)>,
    /// By which it is judged.
    pub rule: Rule,
    /// What its own number chose.
    pub fitted: &'static [&'static str],
    /// Why, where that is known.
    pub why: String,
}

impl Claim {
    /// A claim in the publication's words or a summary of them.
    pub fn says(published: impl Into<String>) -> Self {
        Self {
            published: published.into(),
            rows: Vec::new(),
            found: Vec::new(),
            rule: Rule::default(),
            fitted: &[],
            why: String::new(),
        }
    }

    /// How the two compare.
    pub fn agreement(&self) -> Agreement {
        self.rule.verdict(self.fitted)
    }

    /// It stands in this line of a table in `published/`.
    #[must_use]
    pub fn row(mut self, file: &'static str, line: usize) -> Self {
        self.rows.push((file, line));
        self
    }

    /// It stands in these lines.
    #[must_use]
    pub fn rows(mut self, file: &'static str, lines: impl IntoIterator<Item = usize>) -> Self {
        self.rows.extend(lines.into_iter().map(|line| (file, line)));
        self
    }

    /// What is found by one way.
    #[must_use]
    pub fn by(mut self, way: Way, found: impl Into<String>) -> Self {
        self.found.push((way, found.into()));
        self
    }

    /// What the simulator finds.
    #[must_use]
    pub fn ours(self, found: impl Into<String>) -> Self {
        self.by(Way::Simulation, found)
    }

    /// What must hold for it to agree.
    #[must_use]
    pub fn agrees_if(mut self, condition: Condition) -> Self {
        self.rule.statement.push(condition);
        self
    }

    /// What must hold for it to agree in shape.
    #[must_use]
    pub fn in_shape_if(mut self, condition: Condition) -> Self {
        self.rule.shape.push(condition);
        self
    }

    /// Its numbers chose these, or are inputs.
    #[must_use]
    pub fn fitted(self, numbers: &'static [&'static str]) -> Self {
        Self { fitted: numbers, ..self }
    }

    /// Why it is so.
    #[must_use]
    pub fn why(self, why: impl Into<String>) -> Self {
        Self { why: why.into(), ..self }
    }
}
