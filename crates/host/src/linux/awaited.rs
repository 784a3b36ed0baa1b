//! Which interrupts of guests are seen, and what the kernel is told so that it leaves out others.

use crate::vectors::Vectors;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use vorrang_enforce::{Thread, of_process};

/// The kernel reads a page of it.
const LONGEST_FILTER: usize = 4096;

/// An interrupt of a guest: for this virtual processor of this process, with one of these vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    /// The process of the virtual machine.
    pub process: u32,
    /// The number of the virtual processor in it.
    pub vcpu: u32,
    /// Its vectors.
    pub vectors: Vectors,
}

impl Awaited {
    /// That of a thread which runs a virtual processor, with one of these vectors.
    ///
    /// # Errors
    /// It runs none, or it is not known which: as a sentence.
    pub fn of(thread: &Thread, vectors: Vectors) -> Result<Self, String> {
        let process = u32::try_from(thread.process).expect("a number of a process");
        Ok(Self { process, vcpu: number_of_vcpu(thread)?, vectors })
    }

    /// A condition on the fields of the tracepoint, which do not say the process: so these threads of others are left out, as many
    /// as the kernel reads.
    pub(super) fn filter(&self, others: &BTreeSet<i32>) -> String {
        let mut filter = format!("apicid == {} && {}", self.vcpu, self.vectors.filter());
        for thread in others {
            let more = format!(" && common_pid != {thread}");
            if filter.len() + more.len() >= LONGEST_FILTER {
                break;
            }
            filter += &more;
        }
        filter
    }

    /// The threads that other machines among these have now, where they could be taken for this one's.
    pub(super) fn others(&self, all: &[Self]) -> BTreeSet<i32> {
        let other = |one: &&Self| one.process != self.process && one.vcpu == self.vcpu;
        let threads = |one: &Self| {
            let process = i32::try_from(one.process).expect("a number of a process");
            of_process(&vorrang_enforce::Linux, process).unwrap_or_default()
        };
        all.iter().filter(other).flat_map(threads).map(|thread| thread.thread).collect()
    }

    /// Whether it is one that a thread of this process raised, with this vector.
    pub(super) fn is(&self, process: u32, vcpu: u32, vector: u8) -> bool {
        self.process == process && self.vcpu == vcpu && self.vectors.contain(vector)
    }
}

/// The number of the virtual processor that a thread runs: the only one of its process, or the one that its name says, as
/// QEMU names it.
fn number_of_vcpu(thread: &Thread) -> Result<u32, String> {
    let files = format!("/proc/{}/fd", thread.process);
    let files = fs::read_dir(&files).map_err(|why| format!("{files}: {why}"))?;
    let link = |file: io::Result<fs::DirEntry>| fs::read_link(file.ok()?.path()).ok();
    let number = |link: PathBuf| link.to_str()?.strip_prefix("anon_inode:kvm-vcpu:")?.parse().ok();
    let all: BTreeSet<u32> = files.filter_map(link).filter_map(number).collect();
    let named = || thread.name.strip_prefix("CPU ")?.strip_suffix("/KVM")?.parse().ok();
    match (all.len(), all.first(), named()) {
        (0, ..) => Err("its process has no virtual processor of KVM".to_owned()),
        (1, Some(&only), _) => Ok(only),
        (_, _, Some(named)) if all.contains(&named) => Ok(named),
        _ => Err(format!(
            "its process has {} virtual processors, and its name is not \"CPU N/KVM\"",
            all.len()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_others_are_left_out_as_far_as_the_kernel_reads() {
        let vectors = Vectors::read("64").expect("a vector");
        let own = Awaited { process: 3, vcpu: 1, vectors };
        let filter = own.filter(&BTreeSet::from([7, 8]));
        assert_eq!(
            filter.split_once(" && common_pid").map(|(_, rest)| rest),
            Some(" != 7 && common_pid != 8")
        );
        let many = own.filter(&(10_000..20_000).collect());
        assert!(
            many.len() < LONGEST_FILTER
                && many.len() > LONGEST_FILTER - 30
                && many.ends_with(char::is_numeric)
        );
        let process = std::process::id();
        let (same, other) =
            (Awaited { process: 3, ..own.clone() }, Awaited { process, ..own.clone() });
        let elsewhere = Awaited { vcpu: 2, ..other.clone() };
        assert!(own.others(&[same, elsewhere]).is_empty());
        let main = i32::try_from(process).expect("a number");
        assert!(own.others(&[other]).contains(&main));
    }
}
