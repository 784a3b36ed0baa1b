//! Tests of the simulator through its public interface.

mod build;
mod patterns;
mod proxy_process;
