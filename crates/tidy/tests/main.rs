//! The tests of this crate as one program: it is linked once, and its tests run side by side.

mod book;
mod kinds;
mod packaging;
mod programs;
mod prose;
mod reading;
mod specification;
mod tested;
mod theory;
mod tidy;
mod verdict;
mod words;
