//! Tests of the simulator through its public interface.

mod build;
mod proxy_process;
