//! What a description may ask for. Every limit is far above a system that a person or a generator
//! writes, and low enough that reading the worst accepted file stays below a second.

/// Longest text, in bytes. Leaves 80 for each of [`ENTITIES`].
pub const BYTES: usize = 4 << 20;

/// Most files that a description includes, directly or by another one.
pub const INCLUDED: usize = 64;

/// Longest text of which more than the first syntax error is reported, in bytes: every byte of it
/// may be one.
pub const RECOVERY_BYTES: usize = 256 << 10;

/// Most cores, servers, tasks, interrupts, timers, devices, caches and requirements together.
pub const ENTITIES: usize = 50_000;

/// Deepest nesting of brackets and dotted keys; a description needs five.
pub const NESTING: usize = 16;

/// Most tables and arrays that the text opens: a name of each of [`ENTITIES`] is two, and leaves
/// as many for tables inside.
pub const TABLES: usize = 4 * ENTITIES;

/// Longest name, and longest label, in bytes.
pub const NAME_BYTES: usize = 100;

/// Longest sentence, in bytes.
pub const SENTENCE_BYTES: usize = 400;

/// Most servers between a task and its core. Whatever walks a tree of supplies may recurse.
pub const SERVER_DEPTH: usize = 64;

/// Most pairs of slots on the cores of one description: slots of different periods are compared
/// pair by pair. Allows 1 414 slots on one core, or 100 cores with 141 slots each.
pub const SLOT_PAIRS: usize = 1_000_000;

/// Highest priority. Room for every scale in use (99 of POSIX, 255 of OSEK and of hypervisors).
pub const PRIORITY: u32 = 1_000_000;

/// Largest share of a member of a supply that takes turns.
pub const SHARE: u64 = 1_000_000;

/// Most refills of a server's queue: more fit into no scheduling context of a common size.
pub const REFILLS: u64 = 1_000;

/// The largest number of a processor of the machine, as Linux counts them.
pub const CPU: u64 = 8_191;

/// Most distances of successive arrivals that one thing states.
pub const DISTANCES: usize = 64;

/// The last of the successive arrivals of which a distance is stated.
pub const DISTANCE: usize = 4_096;

/// Most times in a distribution of execution times.
pub const EXECUTION_TIMES: usize = 1_000;

/// Largest weight of one of them.
pub const WEIGHT: u64 = 1_000_000_000;

/// Most windows of a table.
pub const WINDOWS: usize = 64;

/// Most packets in a ring, a socket buffer, a burst or a round of polling. Cards have up to 8192.
pub const PACKETS: u64 = 1_000_000;

/// Most bytes of a packet, and of its frame: the largest that IP knows.
pub const PACKET_BYTES: u64 = 65_535;

/// Fastest link: a terabit in a second.
pub const BITS_PER_SECOND: u64 = 1_000_000_000_000;

/// Most durations that an open value stands for: as many as a search may look at one by one.
pub const OPEN_POINTS: u64 = 1_000_000;

/// Most diagnostics that are returned; the last one says how many there were.
pub const DIAGNOSTICS: usize = 500;

/// Wake-ups of tasks by tasks, one after the other.
pub const WAKE_UPS: usize = 64;
