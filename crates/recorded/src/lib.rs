//! Traces as programs store them, as the text that the kernel prints.
//!
//! **Purpose.** `trace-cmd` and `perf` store what the kernel hands out, event by event as bytes, with the formats of the events.
//! What reads a text of a trace reads such a file, too: [`Text`] is that text, line by line in the form of tracefs. [`Live`] is that of
//! a kernel that is being traced, from the same pages: to make the text here costs a fraction of what it costs the kernel. Who
//! needs no text takes each event as a [`Record`], and [`Tracing`] traces this machine for that.
//!
//! **Model.** A file holds formats, and for each processor pages of the kernel's ring buffer, or samples in rounds. The events of all processors
//! are put in the order of time. Times have nine digits: what is stored is exact to the nanosecond.
//!
//! ```text
//!   bytes ─ beginning ─┬─ formats ──────────── layouts ──┐
//!                      └─ pages of processor 0 ─ records ─┼─ in the order of time ─ lines
//!                         pages of processor 1 ─ records ─┘
//! ```
//!
//! **Assumptions.** 1. Times of a processor do not decrease; readers of the text refuse it where they do. 2. The clock of the
//! trace counts nanoseconds; another one is refused.
//!
//! **Cost.** Memory for a page of each processor (where the file is compressed: for a piece of it, some hundred pages; of perf,
//! for the samples of two rounds), and for the formats. One pass.
//!
//! **Does not cover** machines whose numbers begin with the largest byte, several buffers in one file, and values of events that
//! no reader of a text uses: such an event is a line with its name alone.
//!
//! **Reference.** The manuals trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5), and `perf.data-file-format.txt` of the kernel; the ring buffer's pages as
//! `Documentation/trace/ring-buffer-map.rst` of the kernel and its `events/header_event` describe them.

mod beginnings;
mod bytes;
mod dat;
mod fields;
mod layout;
mod layouts;
mod letters;
mod live;
mod machine;
mod perf;
mod programs;
mod record;
mod text;

pub use layout::{ENTRY, EXIT, Kind};
pub use live::Live;
pub use machine::{Means, Told, Tracing};
pub use record::Record;
pub use text::{Text, is_stored};
