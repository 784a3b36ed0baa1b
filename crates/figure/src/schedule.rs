//! A schedule: what ran when, and the events.

/// What an interval of time was used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// It ran.
    Runs,
    /// It was ready, and did not run.
    Waits,
    /// A server gave time to its members.
    Supplies,
    /// A server idled its budget away.
    Idles,
    /// A service routine of an interrupt ran.
    Serves,
    /// Overhead of the machine: timers, switches, scheduler calls.
    Overhead,
}

impl Use {
    /// As the legend says it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Waits => "ready, waits",
            Self::Supplies => "supplies its members",
            Self::Idles => "budget idles away",
            Self::Serves => "serves an interrupt",
            Self::Overhead => "overhead",
        }
    }
}

/// An interval on a row; times are nanoseconds since the beginning of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Where it begins.
    pub from: u64,
    /// Where it ends.
    pub to: u64,
    /// What it was.
    pub of: Use,
    /// What is said about it, if there is more to say.
    pub tip: String,
}

/// What happened at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// A job arrived.
    Arrival,
    /// A job was complete.
    Completion,
    /// A job had to be complete.
    Deadline,
    /// A job had to be complete, and was not.
    Miss,
    /// A budget was returned.
    Replenishment,
    /// An interrupt was requested.
    Request,
}

impl Sign {
    /// As the legend says it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Arrival => "arrival",
            Self::Completion => "completion",
            Self::Deadline => "deadline",
            Self::Miss => "deadline missed",
            Self::Replenishment => "replenishment",
            Self::Request => "interrupt request",
        }
    }
}

/// A sign on a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The instant, in ns.
    pub at: u64,
    /// What it looks like.
    pub sign: Sign,
    /// What is said about it, if there is more to say.
    pub tip: String,
}

/// A quantity over time on a row, such as the budget that is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// What it is and in which unit, for the table.
    pub name: String,
    /// The most that it can be: the height of the row.
    pub most: u64,
    /// Corners of the line, in the order of time; two at one instant are a jump.
    pub points: Vec<(u64, u64)>,
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// How deep it is in the tree of supplies.
    pub depth: usize,
    /// In the order of time.
    pub slices: Vec<Slice>,
    /// In the order of time.
    pub marks: Vec<Mark>,
    /// A line instead of slices, or behind them.
    pub level: Option<Level>,
}

/// An interval that is highlighted across all rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Where it begins.
    pub from: u64,
    /// Where it ends.
    pub to: u64,
    /// What it is.
    pub label: String,
}

/// A schedule.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// For files and links: small letters, digits and dashes.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// A description of it.
    pub description: String,
    /// Where the picture begins.
    pub from: u64,
    /// Where it ends.
    pub to: u64,
    /// From the top.
    pub rows: Vec<Row>,
    /// What is highlighted.
    pub spans: Vec<Span>,
    /// Pixels of its width; the height follows from the rows.
    pub width: f64,
}

impl Schedule {
    /// An empty schedule of a window, 920 wide.
    pub fn new(name: impl Into<String>, title: impl Into<String>, (from, to): (u64, u64)) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            description: String::new(),
            from,
            to: to.max(from + 1),
            rows: Vec::new(),
            spans: Vec::new(),
            width: 920.0,
        }
    }

    /// With a description.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// With one row more.
    #[must_use]
    pub fn with(mut self, row: Row) -> Self {
        self.rows.push(row);
        self
    }

    /// With a job highlighted, as far as it is in the window.
    #[must_use]
    pub fn point_out(mut self, from: u64, to: u64, of: &str) -> Self {
        let from = from.clamp(self.from, self.to);
        let to = to.clamp(from, self.to);
        self.spans.push(Span { from, to, label: format!("the job of {of}") });
        self
    }
}
