//! Profiles of kernels that are part of the program, by the names of the lab's kernels.

/// Each with its text.
pub(crate) const SHIPPED: [(&str, &str); 2] = [
    ("6.12-rt", include_str!("profile/kernels/6.12-rt.toml")),
    ("7.2-rt", include_str!("profile/kernels/7.2-rt.toml")),
];

/// Whether it is the name of one.
pub(crate) fn is_shipped(name: &str) -> bool {
    SHIPPED.iter().any(|(own, _)| *own == name)
}
