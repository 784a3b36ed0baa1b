//! Which tool made an output.

/// Name, version and, where it was known at build time, the revision of the source:
/// `vorrang 0.1.0 (0123456789ab)`. A `+` behind the revision: built from changed sources.
pub const TOOL: &str = match env!("VORRANG_REVISION").as_bytes() {
    [] => concat!("vorrang ", env!("CARGO_PKG_VERSION")),
    _ => concat!("vorrang ", env!("CARGO_PKG_VERSION"), " (", env!("VORRANG_REVISION"), ")"),
};

/// [`TOOL`] without its name, as `--version` prints it.
pub fn version() -> &'static str {
    TOOL.trim_start_matches("vorrang ")
}
