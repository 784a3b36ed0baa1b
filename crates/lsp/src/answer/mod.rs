//! One file for each question of an editor; each answers from one document.

pub(crate) mod action;
pub(crate) mod complete;
pub(crate) mod definition;
pub(crate) mod format;
pub(crate) mod hints;
pub(crate) mod hover;
pub(crate) mod report;
pub(crate) mod symbols;
