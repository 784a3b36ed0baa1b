//! The first bytes of files, by which they are recognised.

/// Of a file of `trace-cmd`, and of the formats in one of `perf`.
pub(crate) const OF_TRACE_CMD: &[u8] = b"\x17\x08\x44tracing";
/// Of a file of `perf`.
pub(crate) const OF_PERF: &[u8] = b"PERFILE2";
