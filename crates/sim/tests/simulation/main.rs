//! Tests of the simulator through its public interface.

mod build;
mod determinism;
mod patterns;
mod proxy_process;
mod schedules;
