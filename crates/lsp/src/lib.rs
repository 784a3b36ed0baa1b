//! Descriptions in editors, over the Language Server Protocol 3.17.
//!
//! **Model.** The server reads messages one by one and answers each from the last text of a description. Judging takes
//! longer than typing: a thread judges the newest text, and what is left of an older one is given up.
//!
//! ```text
//!   editor ──▶ server ──▶ answer/*        from text, key tables and the last verdict
//!                │  ▲
//!                ▼  │  verdict
//!               judge
//! ```
//!
//! What is wrong with a text is reported at once. While it is wrong, the last verdict stands.
//!
//! **Does not cover** JSON but for its errors and verdicts: editors complete it by `vorrang schema`.

mod answer;
mod cursor;
mod document;
mod judge;
mod place;
mod server;

pub use server::serve;
