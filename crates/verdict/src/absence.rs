//! That there is no design, in a sentence.

use vorrang_design::Absence;

/// Why there is none, or none was found.
pub fn sentence(absence: Absence) -> String {
    match absence {
        Absence::Impossible { steps } => format!(
            "There is no design: whatever is chosen, something is not proven ({steps} steps)."
        ),
        Absence::NotFound { steps, by_monotonic: true } => format!(
            "No design was found in {steps} steps. None is proven by the bounds that are monotonic in budgets alone (docs/design.md); by all, none is excluded."
        ),
        Absence::NotFound { steps, .. } => format!(
            "No design was found in {steps} steps, and none is excluded. More of them (--steps) may find one; and where costs or a kernel are stated, or interrupts beside servers with deadlines, larger budgets than those that were tried may do."
        ),
        Absence::TooMany => {
            "more combinations are open than a search looks at: choose some of `on`, `server` and the periods, or longer steps".into()
        }
        Absence::NothingRequired => "Nothing is required, so nothing can be chosen.".into(),
    }
}
