//! The tests of this crate as one program: it is linked once, and its tests run side by side.

mod any;
mod codes;
mod distances;
mod generated;
mod include;
mod kernel;
mod open;
mod profile;
mod right;
mod schema;
mod targets;
mod warnings;
mod wrong;
