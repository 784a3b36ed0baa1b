// SPDX-License-Identifier: MIT OR GPL-2.0-only
//! What runs inside the kernel: a program for each tracepoint.
//!
//! This folder is under the MIT License or the GNU General Public License, version 2, at your option: the kernel takes no
//! other programs at its tracepoints.

mod events;
mod programs;
mod record;

pub(crate) use events::{Shape, shapes};
pub(crate) use programs::{LOST, ON, Places, program};
pub(crate) use record::{LENGTHS, format, settle};

/// What the kernel is told.
pub(crate) const LICENCE: &std::ffi::CStr = c"Dual MIT/GPL";
