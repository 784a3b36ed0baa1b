//! Types as a kernel describes them, made by hand.

use vorrang_bpf::Types;

/// Types and their names.
#[derive(Default)]
struct Made {
    types: Vec<u32>,
    names: Vec<u8>,
}

const INTEGER: u32 = 1;
const POINTER: u32 = 2;
const STRUCT: u32 = 4;
const TYPEDEF: u32 = 8;
const CONST: u32 = 10;
const PROTOTYPE: u32 = 13;

impl Made {
    fn name(&mut self, name: &str) -> u32 {
        if self.names.is_empty() {
            self.names.push(0);
        }
        if name.is_empty() {
            return 0;
        }
        let at = self.names.len();
        self.names.extend(name.bytes().chain([0]));
        u32::try_from(at).expect("short")
    }

    fn add(&mut self, name: &str, kind: u32, count: u32, of: u32, rest: &[u32]) {
        let name = self.name(name);
        self.types.extend([name, kind << 24 | count, of]);
        self.types.extend(rest);
    }

    /// Members: name, type, place in bits.
    fn structure(&mut self, name: &str, members: &[(&str, u32, u32)]) {
        let rest: Vec<u32> =
            members.iter().flat_map(|(name, of, at)| [self.name(name), *of, *at]).collect();
        self.add(name, STRUCT, u32::try_from(members.len()).expect("few"), 64, &rest);
    }

    fn bytes(&self) -> Vec<u8> {
        let length = |of: usize| u32::try_from(of).expect("short");
        let types = length(4 * self.types.len());
        let head = [0x0001_eb9f, 24, 0, types, types, length(self.names.len())];
        let words = head.iter().chain(&self.types).flat_map(|word| word.to_le_bytes());
        words.chain(self.names.iter().copied()).collect()
    }
}

fn kernel() -> Made {
    let mut made = Made::default();
    made.add("int", INTEGER, 0, 4, &[32]); // 1
    made.structure("thread_info", &[("flags", 1, 0), ("cpu", 1, 160)]); // 2
    made.structure("", &[("pid", 1, 32), ("prio", 1, 64)]); // 3
    made.add("", CONST, 0, 3, &[]); // 4
    made.structure("task_struct", &[]); // 5: only declared
    made.structure("task_struct", &[("thread_info", 2, 0), ("", 4, 256), ("name", 1, 1280)]); // 6
    made.add("", PROTOTYPE, 3, 0, &[0, 8, 0, 1, 0, 1]); // 7
    made.add("", POINTER, 0, 7, &[]); // 8
    made.add("btf_trace_irq", TYPEDEF, 0, 8, &[]); // 9
    made.add("btf_trace_none", TYPEDEF, 0, 1, &[]); // 10
    made
}

/// What the fuzzer begins with.
#[test]
fn the_file_is_this() {
    assert_eq!(include_bytes!("data/kernel.types")[..], kernel().bytes());
}

#[test]
fn fields_and_tracepoints_are_found() {
    let types = Types::of(kernel().bytes()).expect("types");
    assert_eq!(types.field("task_struct", &["name"]), Some(160));
    assert_eq!(types.field("task_struct", &["prio"]), Some(40), "of a structure without a name");
    assert_eq!(types.field("task_struct", &["thread_info", "cpu"]), Some(20));
    assert_eq!(types.field("task_struct", &["nothing"]), None);
    assert_eq!(types.field("nothing", &["cpu"]), None);
    assert_eq!(
        types.tracepoint("irq"),
        Some((9, 2)),
        "the value of who put it there does not count"
    );
    assert_eq!(types.tracepoint("none"), None, "it is no function");
    assert_eq!(types.tracepoint("other"), None);
}

/// Whatever is cut or changed, something is said, and nothing panics.
#[test]
fn what_is_wrong_is_refused() {
    let right = kernel().bytes();
    for length in 0..right.len() {
        assert!(Types::of(right[..length].to_vec()).is_err(), "{length} bytes");
    }
    let all = |types: &Types| {
        for path in [&["name"][..], &["thread_info", "cpu"], &["prio"]] {
            types.field("task_struct", path);
        }
        types.tracepoint("irq");
        types.tracepoint("none");
    };
    for place in 0..right.len() {
        for changed in [0, 1, 3, 4, 13, 0x7f, 0xff] {
            let mut bytes = right.clone();
            bytes[place] = changed;
            if let Ok(types) = Types::of(bytes) {
                all(&types);
            }
        }
    }
    let mut unknown = right;
    unknown[24 + 7] = 30;
    let said = Types::of(unknown).expect_err("a kind that is none");
    assert_eq!(said, "the kernel has types of a kind that is not known");
}
