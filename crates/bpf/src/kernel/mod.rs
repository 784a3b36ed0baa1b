// SPDX-License-Identifier: MIT OR GPL-2.0-only
//! What runs inside the kernel: a program for each tracepoint.
//!
//! This folder is under the MIT License or the GNU General Public License, version 2, at your option: the kernel takes no
//! other programs at its tracepoints.

mod events;
mod format;
mod programs;
mod record;
mod room;

pub(crate) use events::{Shape, shapes};
pub(crate) use format::format;
pub(crate) use programs::{LOST, ON, Places, Setting, program};
pub(crate) use record::{Event, Names};
pub(crate) use room::{Lying, READ, Room, SLOT, TAKEN};

/// What the kernel is told.
pub(crate) const LICENCE: &std::ffi::CStr = c"Dual MIT/GPL";
