//! Why a requirement is undecided or refuted: codes beside the words, each with a page.
//!
//! U: undecided. 00 not represented, 01 no bound, 02 neither bound nor history decides, 04 the check
//! itself. R: refuted. A code keeps its meaning for ever; one that is no longer used is not given again
//! (U0204: every analysis without a bound names its reason).

macro_rules! causes {
    ($($cause:ident = $code:literal, $title:literal, $help:literal;)*) => {
        /// Why a requirement is not proven.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Cause {
            $(#[doc = $title] $cause,)*
        }

        impl Cause {
            /// All of them in the order of their codes.
            pub const ALL: &[Self] = &[$(Self::$cause,)*];

            /// As it is printed: `U0101`.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$cause => $code,)* }
            }

            /// What it is in a few words.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$cause => $title,)* }
            }

            /// The general remedy, if no specific one is known.
            pub const fn help(self) -> &'static str {
                match self { $(Self::$cause => $help,)* }
            }

            /// Its meaning and remedies, in Markdown.
            pub const fn explanation(self) -> &'static str {
                match self {
                    $(Self::$cause => include_str!(concat!("causes/", $code, ".md")),)*
                }
            }
        }
    };
}

causes! {
    Missed = "R0001", "a history that exceeds the limit",
        "see the history with the command under the reason";
    NeverComplete = "R0002", "a job that does not complete",
        "use less of its supply";
    Unrepresented = "U0001", "a feature that is not represented yet",
        "leave the feature out, or move it to a core of its own";
    NotCovered = "U0101", "a feature that no analysis covers",
        "`vorrang explain U0101` says what may be written instead";
    Overbooked = "U0102", "more is reserved or used than there is",
        "reserve or use less on that supply, or move something to another core";
    BudgetLate = "U0103", "a server that receives its budget too late",
        "give the server a higher priority, or others above it less";
    BudgetNotGuaranteed = "U0104", "a server that is not guaranteed its budget",
        "reserve less, or reduce the bursts of work of at least the same urgency";
    HeldBack = "U0105", "an interrupt that its pseudo-VCPU holds back",
        "give the pseudo-VCPU a credit for every arrival of the interrupt";
    NoReservation = "U0106", "no bound on a probability",
        "give the task a priority, or put it alone into a `cbs-hard` server";
    TooLong = "U0107", "a busy window that is too long",
        "leave some of the supply unused";
    Effort = "U0108", "a search that reached its limit",
        "round periods so that they share a common multiple, or use less of the supply";
    Overload = "U0110", "more work than the supply provides",
        "use less of the supply";
    BoundAboveLimit = "U0201", "a bound above the limit",
        "give it more budget or a higher priority, or allow it more time";
    Reclaiming = "U0202", "a server that reclaims",
        "leave out `reclaim`";
    ProbabilityAbove = "U0203", "a probability above what is allowed",
        "give the task more time, or allow more late jobs";
    Interrupted = "U0401", "an analysis that was interrupted",
        "let it end";
}
