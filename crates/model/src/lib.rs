//! The description of a system and what it resolves to.

pub mod system;
