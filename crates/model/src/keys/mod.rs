//! Which tables and keys a description has: the single source for reading, for "did you mean"
//! and for the JSON Schema.

mod asked;
mod file;
mod grid;
mod interrupt;
mod key;
mod pseudo_vcpu;
mod supply;
mod tables;
mod timer;

pub use file::{FILE, PROFILE};
pub use grid::GRID;
pub(crate) use key::listed;
pub use key::{Key, Kind, Noun, PRIORITIES, Presence, SUPPLIES};
pub use tables::{KERNEL, KERNEL_TABLES};

impl Noun {
    /// The keys of its table.
    pub const fn keys(self) -> &'static [Key] {
        match self {
            Self::Core => tables::CORE,
            Self::Vcpu => tables::VCPU,
            Self::Server => tables::SERVER,
            Self::Task => tables::TASK,
            Self::Interrupt => interrupt::INTERRUPT,
            Self::Timer => timer::TIMER,
            Self::Device => tables::DEVICE,
            Self::Cache => tables::CACHE,
            Self::Require => asked::REQUIRE,
            Self::Chain => asked::CHAIN,
        }
    }
}
