//! The machine of the profile that was given: what of it stands beside the figures, and how it was measured.

use super::element::{row, scrolled};
use crate::exact::{part, shown, us};
use crate::setting::Machine;
use std::fmt::Write as _;
use vorrang_figure::escaped;
use vorrang_time::Duration;

/// Its part of the page.
pub(super) fn section(machine: &Machine) -> String {
    let mut out = format!(
        "<h2 id=\"machine\">This machine</h2>\n<p>By the profile <span class=\"mono\">{}</span>, as \
         <code>vorrang measure</code> wrote it; nothing was measured for this page.</p>\n",
        escaped(&machine.name)
    );
    let caches = machine.caches.iter().map(|(name, row)| {
        let useful = part(u64::from(row.useful_ppm), 1_000_000);
        let lost = us(row.sustained) * (-useful + 1);
        let cells = [useful, us(row.sustained), lost].map(|number| shown(number, 3));
        let [useful, sustained, lost] = cells;
        [name.clone(), useful, sustained, lost]
    });
    let head = ["cache, flood model", "f0", "t_sust [us]", "lost in a switch [us]"];
    out += &table("Caches of this machine", head, caches);
    let medians = machine.medians.iter().map(|(name, ns)| {
        let (verb, name) = name.split_once('.').unwrap_or(("", name));
        [verb.to_owned(), name.to_owned(), shown(us(Duration::from_ns(*ns)), 3)]
    });
    out += &table("Medians of this machine", ["measured by", "what", "median [us]"], medians);
    let conditions = machine.conditions.iter().cloned();
    out + &table("Conditions of this machine", ["measured by", "condition", ""], conditions)
}

/// A table, if there is anything in it.
fn table<const N: usize>(
    name: &str,
    head: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> String {
    let rows: String = rows.map(|cells| row("td", cells.iter().map(String::as_str))).collect();
    if rows.is_empty() {
        return String::new();
    }
    let mut out = format!("<h3>{name}</h3>\n");
    let _ = write!(
        out,
        "<table>\n<thead>{}</thead>\n<tbody>\n{rows}</tbody>\n</table>\n",
        row("th", head)
    );
    let (heading, table) = out.split_at(out.find("<table>").unwrap_or(0));
    format!("{heading}{}", scrolled(name, table))
}
