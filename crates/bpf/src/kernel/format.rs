// SPDX-License-Identifier: MIT OR GPL-2.0-only
//! The format of an event, in the words of tracefs.

use super::events::Shape;
use super::record::{DEVICE, LEFT, NAME, NUMBER, ONE, RUNS, VALUES};
use std::fmt::Write as _;

/// The format of an event by its number, in the words of tracefs.
pub(crate) fn format(name: &str, number: u16, shape: Shape) -> String {
    let mut text = format!("name: {name}\nID: {number}\nformat:\n");
    let mut field = |name: &str, at: usize, size: usize, is_signed: bool| {
        let (at, signed) = (at - NUMBER, u8::from(is_signed));
        let _ = writeln!(text, "\tfield:{name};\toffset:{at};\tsize:{size};\tsigned:{signed};");
    };
    field("int common_pid", RUNS, 4, true);
    let mut thread = |at: usize, before: &str| {
        field(&format!("char {before}comm[16]"), at, NAME, false);
        field(&format!("pid_t {before}pid"), at + NAME, 4, true);
        field(&format!("int {before}prio"), at + NAME + 4, 4, true);
    };
    match shape {
        Shape::Switch => {
            thread(VALUES, "prev_");
            thread(LEFT + 8, "next_");
            field("long prev_state", LEFT, 8, true);
        }
        Shape::Woken => {
            thread(VALUES, "");
            field("int target_cpu", VALUES + ONE, 4, true);
        }
        Shape::DeviceEntry => {
            field("int irq", VALUES, 4, true);
            field("char name[64]", VALUES + 8, DEVICE, false);
        }
        Shape::DeviceExit => {
            field("int irq", VALUES, 4, true);
            field("int ret", VALUES + 4, 4, true);
        }
        Shape::Soft => field("unsigned int vec", VALUES, 4, false),
        Shape::Vector => field("int vector", VALUES, 4, true),
        Shape::Timer => {
            field("void * function", VALUES, 8, false);
            field("s64 softexpires", VALUES + 8, 8, true);
        }
    }
    text.push_str("\nprint fmt: ");
    text.push_str(match shape {
        Shape::Switch => STATES,
        Shape::Soft => SOFT,
        _ => "\"\"",
    });
    text.push('\n');
    text
}

/// The letters of states, as kernels print them since 4.14.
const STATES: &str = concat!(
    r#""prev_state=%s%s", REC->prev_state & (256-1) ? __print_flags(REC->prev_state & (256-1), "|", "#,
    r#"{ 1, "S" }, { 2, "D" }, { 4, "T" }, { 8, "t" }, { 16, "X" }, { 32, "Z" }, { 64, "P" }, { 128, "I" }) "#,
    r#": "R", REC->prev_state & 256 ? "+" : """#
);
const SOFT: &str = concat!(
    r#""vec=%u [action=%s]", __print_symbolic(REC->vec, { 0, "HI" }, { 1, "TIMER" }, { 2, "NET_TX" }, "#,
    r#"{ 3, "NET_RX" }, { 4, "BLOCK" }, { 5, "IRQ_POLL" }, { 6, "TASKLET" }, { 7, "SCHED" }, "#,
    r#"{ 8, "HRTIMER" }, { 9, "RCU" })"#
);
