//! The tasks of a guest in a certificate, with their windows.

/// What a guest has used of a period that began some time before its window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Up to how long before.
    pub upto: u64,
    /// Windows in which that and what comes then are received.
    pub below: Vec<u64>,
}

/// From one offset of an arrival in a window to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offset {
    /// The next offset.
    pub upto: u64,
    /// The window in which a job that arrived before it is complete.
    pub window: u64,
    /// Windows in which what is asked for is received with a whole budget.
    pub below: Vec<u64>,
    /// All stretches of a period of the server.
    pub stretches: Vec<Stretch>,
}

/// A task of a guest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GuestTask {
    /// How urgent it is.
    pub urgency: u64,
    /// What it takes.
    pub cost: u64,
    /// The least time between two arrivals.
    pub period: u64,
    /// The longest time from arrival to release.
    pub jitter: u64,
    /// The bound, from the arrival.
    pub due: u64,
    /// A length into which all work fits, whatever was used before.
    pub length: u64,
    /// Windows of the supplies below, for that.
    pub length_below: Vec<u64>,
    /// All offsets below that length.
    pub offsets: Vec<Offset>,
}
