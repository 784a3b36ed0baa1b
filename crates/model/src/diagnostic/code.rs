//! The codes of all errors and warnings, each with a title and an explanation.
//!
//! The hundreds group them: 00 the file, 01 tables and keys, 02 values, 03 references and the
//! tree of supplies, 04 servers and slots, 05 priorities, deadlines and
//! execution times, 06 interrupts, timers and devices. Warnings begin with a W. A code
//! keeps its meaning for ever; one that is no longer used is not given again.

use std::fmt;

macro_rules! codes {
    ($($code:ident = $text:literal, $title:literal;)*) => {
        /// Which kind of error or warning it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $title] $code,)*
        }

        impl Code {
            /// All codes in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$code,)*];

            /// As it is printed: `E0101`.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$code => $text,)* }
            }

            /// The kind in a few words.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$code => $title,)* }
            }

            /// What it means and how to put it right, in Markdown, with examples.
            pub const fn explanation(self) -> &'static str {
                match self {
                    $(Self::$code => include_str!(concat!("explanations/", $text, ".md")),)*
                }
            }
        }
    };
}

codes! {
    FileTooLong = "E0001", "the file is too long";
    NotUtf8 = "E0002", "the file is not UTF-8";
    NestedTooDeep = "E0003", "values are nested too deeply";
    TooMany = "E0004", "too much of something";
    TomlSyntax = "E0005", "not TOML";
    JsonSyntax = "E0006", "not JSON";
    Duplicate = "E0007", "a key or table is there twice";
    Empty = "E0008", "the file is empty";
    MoreErrors = "E0009", "more errors than are listed";
    ProfileUnusable = "E0010", "the profile of the machine cannot be used";
    IncludeUnusable = "E0011", "a file cannot be included";

    UnknownKey = "E0101", "unknown key";
    UnknownTable = "E0102", "unknown table";
    MissingKey = "E0103", "a key is missing";
    WrongType = "E0104", "a value of the wrong type";
    WrongVersion = "E0105", "unknown version of the format";
    BadName = "E0106", "not a name";
    NeededHere = "E0107", "a key that is needed here is missing";
    NoEffect = "E0108", "a key that has no effect";
    OpenValue = "E0109", "a value that is left open";
    NothingOpen = "E0110", "nothing is left open";

    BareNumber = "E0201", "a duration without a unit";
    NotADuration = "E0202", "not a duration";
    UnknownUnit = "E0203", "unknown unit of time";
    NegativeDuration = "E0204", "a negative duration";
    InexactDuration = "E0205", "a fraction of a nanosecond";
    DurationTooLong = "E0206", "a duration that is too long";
    ZeroDuration = "E0207", "a duration of zero";
    UnknownWord = "E0208", "not one of the words that may stand here";
    OutOfRange = "E0209", "a number out of range";
    BadText = "E0210", "a text that cannot stand here";
    NotAPart = "E0211", "not a part of the whole";
    NotADistribution = "E0212", "times with weights that are no distribution";
    OpenBounds = "E0213", "an open value with nothing to choose from";
    OpenPoints = "E0214", "an open value with too much to choose from";
    BadDistances = "E0215", "distances of arrivals that do not grow";

    NotAReference = "E0301", "not a full name";
    WrongTarget = "E0302", "a reference to the wrong kind of thing";
    MissingTarget = "E0303", "a reference to something that is not there";
    Cycle = "E0304", "servers on each other";
    ServersTooDeep = "E0305", "servers nested too deeply";
    NoCore = "E0306", "no core";

    BudgetOverPeriod = "E0401", "a budget longer than its period";
    KindDoesNotFit = "E0402", "a server that its parent cannot schedule";
    TaskOnSlots = "E0403", "a task between slots";
    MissingOffset = "E0404", "a slot without an offset";
    OffsetWithoutSlot = "E0405", "an offset that is not used";
    SlotLeavesPeriod = "E0406", "a slot that leaves its period";
    SlotsOverlap = "E0407", "slots that overlap";
    ServerDeadline = "E0408", "a server's deadline outside its budget and period";
    LeastBudget = "E0409", "a least budget above the budget";
    NotOfAMachine = "E0410", "what no thread or interrupt can be called";
    CpuTwice = "E0411", "two cores that are one processor";
    ThreadTwice = "E0412", "a thread that two things are";
    NeverAccepted = "E0413", "a thread that the kernel refuses";
    SlicesOfBudgets = "E0414", "time slices where budgets are the slices";

    MissingPriority = "E0501", "a priority is missing";
    UnusedPriority = "E0502", "a priority that is not used";
    MissingDeadline = "E0503", "a deadline is missing";
    BcetOverWcet = "E0504", "a shortest execution time above the longest";
    ExecutionBounds = "E0505", "execution times that contradict each other";
    LatestUnderPeriod = "E0506", "a longest time between arrivals below the least";
    LetWithoutDeadline = "E0507", "a task that writes at a deadline that it has not";
    BadPath = "E0508", "a path that is none";
    PollsForEver = "E0509", "a job of a task that polls for ever";

    WokenElsewhere = "E0601", "an interrupt wakes a task of another machine";
    OtherCore = "E0602", "the interrupt of a card reaches over to another core";
    WokenTwice = "E0603", "a task that two things wake";
    PseudoVcpuBudget = "E0604", "a pseudo-VCPU that cannot pay for one interrupt";
    StormTooSlow = "E0605", "a storm that is none";
    DeviceInterrupt = "E0606", "an interrupt that a device cannot use";
    NeverRaised = "E0607", "a card that waits for more packets than it holds";
    LineTooFast = "E0608", "packets shorter than a nanosecond";
    EndlessWakes = "E0609", "a path of wake-ups that does not begin";
    TwoSources = "E0610", "a task after tasks of different sources";
    PostedToNone = "E0611", "a posted interrupt without a guest that can take it";

    EqualPriorities = "W0001", "equal priorities";
    EmptyVcpu = "W0002", "a virtual processor without tasks";
    WcetOverPeriod = "W0003", "an execution time above the period";
    DeadlineUnderWcet = "W0004", "a deadline below the execution time";
    BudgetTooSmall = "W0005", "a server with less than its tasks need";
    PseudoVcpuTooOften = "W0006", "a pseudo-VCPU that pays more often than its interrupt comes";
    MoreWarnings = "W0007", "more warnings than are listed";
    NotAccepted = "W0008", "a reservation or priority outside the limits of Linux";
    NotAdmitted = "W0009", "more reservations than Linux admits";
    ShippedKernel = "W0010", "a kernel profile of another machine";
    NotOfRelease = "W0011", "something that the stated release does not have";
    LooseJitter = "W0012", "a jitter that nothing links to a task of the same period";
    WcetIsPeriod = "W0013", "an execution time as long as the period";
}

impl Code {
    /// Whether it warns of what may stand and is probably not meant; all others are errors.
    pub const fn is_warning(self) -> bool {
        self.text().as_bytes()[0] == b'W'
    }

    /// The code of a text such as `E0101`, in whatever case.
    pub fn of_text(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.text().eq_ignore_ascii_case(text))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// The explanation of a code given as text, `None` if there is no such code.
pub fn explain(code: &str) -> Option<&'static str> {
    Code::of_text(code).map(Code::explanation)
}
