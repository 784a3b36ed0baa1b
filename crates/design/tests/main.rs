//! The tests of this crate as one program: it is linked once, and its tests run side by side.

mod bound;
mod chains;
mod chance;
mod conflict;
mod descent;
mod edges;
mod exhaustive;
mod margin;
mod paths;
mod payers;
mod placement;
mod price;
mod priorities;
mod remedy;
mod spans;
