//! Chains, and servers without a budget: bounds beside the longest of all histories.

mod circle;
mod clock;
mod drawn;
mod notation;
mod planted;
mod polls;
mod published;
mod table;
mod woken;
