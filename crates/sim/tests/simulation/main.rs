//! Tests of the simulator through its public interface.

mod build;
mod ceilings;
mod costs;
mod coverage;
mod determinism;
mod devices;
mod drawing;
mod interrupts;
mod jobs;
mod kicks;
mod limits;
mod losses;
mod over_cores;
mod patterns;
mod proxy_process;
mod pseudo_vcpu_bound;
mod pseudo_vcpus;
mod reclaiming;
mod schedules;
mod servers;
mod shared_guest;
mod timers;
mod turns;
mod woken;
mod worst_case;
