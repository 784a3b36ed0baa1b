//! Tests of the simulator through its public interface.

mod build;
mod coverage;
mod determinism;
mod jobs;
mod patterns;
mod proxy_process;
mod schedules;
mod worst_case;
