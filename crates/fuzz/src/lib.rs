//! Generated input: whatever is read survives it, and whatever is exported stays what it is.
//!
//! **Model.** An [`input`] is decided by a seed and its number: one of the [readers](reader), and a text of its
//! [`corpus`] that was [mutated](mutate), or names ([`exported`]). A [`worker`], a process of its own, gives inputs to
//! their readers, one after the other, and what comes of them to what stands behind the reader ([`behind`]); it
//! measures what each [costs](cost). The [`supervisor`] starts workers, notices when one dies or does not come to an
//! end, makes the inputs [small](shrink) that show something, and adds up.
//!
//! An input must not panic or end the process, take more than a second of processor time or more than
//! 500 MB ([`cost`]), or come out differently than its reader promises.
//!
//! **Assumptions.** 1. Whatever stands in a file is allowed: nothing is an input that must not occur.
//! 2. The corpus is that of the revision; the same seed gives other inputs on another one.
//!
//! **Does not cover** files of the kernel (`/proc`, `/sys`), and what the lab reads.

pub mod behind;
pub mod corpus;
pub mod cost;
pub mod exported;
pub mod input;
pub mod machine;
pub mod mutate;
pub mod order;
pub mod planted;
pub mod reader;
pub mod shrink;
pub mod supervisor;
pub mod tally;
pub mod worker;
