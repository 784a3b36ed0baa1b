//! A machine on which everything is allowed and nothing happens: eight processors, no thread.

use std::io;
use vorrang_enforce::{Kernel, Policy};

/// Which boot it is, as journals of the corpus have it.
pub const BOOT: &str = "0";

/// The machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine;

impl Kernel for Machine {
    fn read(&self, path: &str) -> io::Result<String> {
        match path {
            "/proc/sys/kernel/random/boot_id" => Ok(format!("{BOOT}\n")),
            "/sys/devices/system/cpu/online" => Ok("0-7\n".to_owned()),
            "/sys/kernel/debug/sched/features" => Ok("NO_HRTICK_DL\n".to_owned()),
            _ if path.ends_with("/threaded") => Ok("0\n".to_owned()),
            _ if path.ends_with("/runtime") => Ok("50000000\n".to_owned()),
            _ if path.ends_with("/period") => Ok("1000000000\n".to_owned()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let names: &[&str] = match path {
            "/proc" => &["1"],
            "/proc/irq" => &["24"],
            "/proc/irq/24" => &["eth0"],
            "/proc/irq/24/eth0" => &[],
            _ => return Err(io::ErrorKind::NotFound.into()),
        };
        Ok(names.iter().map(|name| (*name).to_owned()).collect())
    }

    fn write(&mut self, _: &str, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn make(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn remove(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn load_module(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn unload_module(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn policy(&self, _: i32) -> io::Result<Policy> {
        Ok(Policy::default())
    }

    fn set_policy(&mut self, _: i32, _: &Policy) -> io::Result<()> {
        Ok(())
    }

    fn affinity(&self, _: i32) -> io::Result<Vec<u32>> {
        Ok((0..8).collect())
    }

    fn set_affinity(&mut self, _: i32, _: &[u32]) -> io::Result<()> {
        Ok(())
    }
}
