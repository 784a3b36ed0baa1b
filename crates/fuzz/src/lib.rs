//! Input that nobody wrote: whatever is read survives it, and whatever is exported stays what it is.
//!
//! **Assumptions.** None: every input is allowed.

pub mod exported;
