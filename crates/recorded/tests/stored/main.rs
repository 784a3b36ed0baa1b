//! Files of `trace-cmd` and `perf`, and the text that is made of them.

mod damaged;
mod formats;
mod live;
mod perf;
mod read;
mod writer;
