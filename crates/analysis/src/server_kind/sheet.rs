//! The questions that a sheet answers, and their answers.

/// The facts of a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sheet {
    /// Where priority decides; none: nothing bounds it there.
    pub(crate) takes: Option<Takes>,
    /// Where deadlines decide; none: nothing bounds it there.
    pub(crate) asks: Option<Asks>,
    pub(crate) provides: Provides,
    pub(crate) idle: Idle,
    pub(crate) returns: Returns,
}

/// What a server takes, in windows before which nothing as urgent was ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// A budget in each period.
    Budgets,
    /// The same, the first of them just before the second.
    BackToBack,
    /// The same before every priority, with a kept part of a budget first.
    BeforePriorities,
}

/// What a server asks for by its deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    /// A budget in each period, from its beginning on.
    FromPeriods,
    /// A budget in each period, from any instant in it on.
    InPeriods,
    /// Its share, from any instant on.
    Bandwidth,
    /// The same without an end.
    EndlessBandwidth,
}

/// What its guest has of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Provides {
    /// A budget in each period.
    Periodic,
    /// The same, if something was ready when it was looked for.
    Polled,
    /// The same, but for a part that is put off.
    PutOff,
    /// Far more than that, and far less after it.
    Ahead,
    /// The same interval of each period.
    Place,
    /// Several intervals of each period.
    Places,
    /// Nothing that is bounded by itself.
    Unknown,
}

/// What becomes of its budget while its guest has nothing ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Idle {
    /// It is spent.
    Spent,
    /// It is lost at once.
    Lost,
    /// It is kept to the end of the period.
    KeptInPeriod,
    /// It is kept.
    Kept,
    /// It is kept with its deadline.
    KeptWithDeadline,
    /// No theorem looks at that.
    NotCovered,
}

/// When it has budget again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returns {
    /// At the beginning of each period.
    WithPeriods,
    /// In pieces, a period after each was used.
    InPieces,
    /// In no more refills than the queue holds.
    InRefills,
    /// At its deadline, which may be over before it is used.
    AtDeadlines,
    /// Whenever it is gone.
    WhenGone,
    /// At its place, or its places.
    InPlace,
    /// Never: it has no budget.
    Never,
    /// In no way that is bounded.
    NotCovered,
}

impl Sheet {
    /// Whether it has its share by deadlines, and keeps what it was not given by then: it may be late.
    pub(crate) const fn may_be_late(self) -> bool {
        matches!(self.returns, Returns::AtDeadlines | Returns::WhenGone)
    }
}
