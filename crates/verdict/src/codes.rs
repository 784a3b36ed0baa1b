//! All codes that are printed: of descriptions, and of verdicts.

use crate::cause::Cause;
use vorrang_model::Code;

/// Every code with its title and its page: of descriptions, then of verdicts.
pub fn pages() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let codes = Code::ALL.iter().map(|code| (code.text(), code.title(), code.explanation()));
    let causes = Cause::ALL.iter().map(|cause| (cause.code(), cause.title(), cause.explanation()));
    codes.chain(causes)
}
