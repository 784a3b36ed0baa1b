//! Elements of a model by their names, and numbers and times in them.

use crate::refused::Refused;
use crate::xml::line;
use roxmltree::Node;
use std::collections::BTreeMap;
use vorrang_model::limits;

/// The longest time that is read, in picoseconds: some eleven days.
const LONGEST: u128 = 1_000_000_000_000_000_000;

/// What others refer to by name and tag.
pub(super) struct Model<'a> {
    named: BTreeMap<(&'a str, String), Node<'a, 'a>>,
    /// All elements, in their order.
    pub(super) elements: Vec<Node<'a, 'a>>,
}

impl<'a> Model<'a> {
    /// # Errors
    /// It is too large, or none of Amalthea, or older than what is read.
    pub(super) fn of(roots: &[Node<'a, 'a>]) -> Result<Self, Refused> {
        let mut elements = Vec::new();
        for root in roots {
            has_version(*root)?;
            elements.extend(root.descendants().filter(Node::is_element));
            if elements.len() > limits::TABLES {
                return Err(Refused::at(line(*root), "there are more elements than are read"));
            }
        }
        let mut named = BTreeMap::new();
        for node in &elements {
            if let Some(name) = node.attribute("name") {
                named.entry((node.tag_name().name(), name.to_owned())).or_insert(*node);
            }
        }
        Ok(Self { named, elements })
    }

    /// The element with a tag and a name.
    pub(super) fn get(&self, tag: &'a str, name: &str) -> Option<Node<'a, 'a>> {
        self.named.get(&(tag, name.to_owned())).copied()
    }

    /// Those with a tag, in their order.
    pub(super) fn all(&self, tag: &'static str) -> impl Iterator<Item = Node<'a, 'a>> + '_ {
        self.elements.iter().copied().filter(move |node| node.tag_name().name() == tag)
    }
}

/// Whether a model is of a version that is read.
fn has_version(root: Node) -> Result<(), Refused> {
    let version = root
        .tag_name()
        .namespace()
        .and_then(|of| of.split_once("/amalthea/"))
        .filter(|_| root.tag_name().name() == "Amalthea");
    let Some((_, version)) = version else {
        return Err(Refused::at(line(root), "there is no <am:Amalthea>"));
    };
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().ok());
    let version_is = (numbers.next().flatten(), numbers.next().flatten());
    if matches!(version_is, (Some(1..=3), _) | (Some(0), Some(9..))) {
        return Ok(());
    }
    let why = format!("version {version} is none of 0.9 to 3; APP4MC migrates older ones");
    Err(Refused::at(line(root), why))
}

/// The type that an element states: `PeriodicStimulus` of `am:PeriodicStimulus`.
pub(super) fn type_of<'a>(node: Node<'a, '_>) -> &'a str {
    let stated = node.attributes().find(|of| {
        of.name() == "type" && of.namespace().is_some_and(|of| of.contains("XMLSchema"))
    });
    stated.map_or("", |of| of.value().rsplit(':').next().unwrap_or_default())
}

/// The attribute `type` of the model itself: of reaction or age.
pub(super) fn kind_of<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    let own = node.attributes().find(|of| of.name() == "type" && of.namespace().is_none());
    own.map(|of| of.value())
}

pub(super) fn child<'a>(node: Node<'a, 'a>, tag: &str) -> Option<Node<'a, 'a>> {
    node.children().find(|below| below.tag_name().name() == tag)
}

/// The names that an attribute refers to, or elements below with a `href`.
pub(super) fn names(node: Node, key: &str) -> Vec<String> {
    let own = node.attribute(key).into_iter().flat_map(str::split_whitespace);
    let below = node.children().filter(|below| below.tag_name().name() == key);
    let below = below.filter_map(|below| below.attribute("href"));
    own.chain(below).map(plain).collect()
}

/// `A` of `A?type=Task` and of `amlt:/#A?type=Task`.
fn plain(reference: &str) -> String {
    let name = reference.split('?').next().unwrap_or_default();
    let name = name.rsplit('#').next().unwrap_or(name);
    unescaped(name)
}

/// `a b` of `a+b` and of `a%20b`.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = (first == b'%')
            .then(|| behind.get(..2).and_then(|two| std::str::from_utf8(two).ok()))
            .flatten()
            .and_then(|two| u8::from_str_radix(two, 16).ok());
        rest = if code.is_some() { &behind[2..] } else { behind };
        bytes.push(code.unwrap_or(if first == b'+' { b' ' } else { first }));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Elements around the bounds of a distribution, at most.
const AROUND: usize = 4;

/// The bound of a distribution, or its constant: `upperBound` or `lowerBound` as an attribute or an element below.
pub(super) fn bound<'a>(node: Node<'a, 'a>, key: &str) -> Option<Node<'a, 'a>> {
    let within = |of: &Node<'a, 'a>| child(*of, "deviation").or_else(|| child(*of, "value"));
    let is_stated = |of: Node| of.attribute(key).is_some() || type_of(of).ends_with("Constant");
    std::iter::successors(Some(node), within)
        .take(AROUND)
        .find_map(|of| if is_stated(of) { Some(of) } else { child(of, key) })
}

/// The most of a distribution of whole numbers, or of each part of a histogram.
pub(super) fn most(node: Node) -> Option<u64> {
    let number = |of: Node| {
        let of = bound(of, "upperBound")?;
        of.attribute("upperBound").or_else(|| of.attribute("value"))?.parse::<u64>().ok()
    };
    let entries = node.children().filter(|below| below.tag_name().name() == "entries");
    let entries: Vec<Option<u64>> = entries.map(number).collect();
    if entries.is_empty() {
        return number(node);
    }
    entries.into_iter().try_fold(0, |most, one| Some(one?.max(most)))
}

/// The picoseconds of `value` and `unit`, below zero too.
///
/// # Errors
/// There is none, or it is too large.
pub(super) fn time(node: Node) -> Result<i128, Refused> {
    let node = child(node, "value").filter(|_| node.attribute("unit").is_none()).unwrap_or(node);
    let scale = match node.attribute("unit") {
        Some("s") => 1_000_000_000_000,
        Some("ms") => 1_000_000_000,
        Some("us") => 1_000_000,
        Some("ns") => 1_000,
        Some("ps") => 1,
        None if node.attribute("value") == Some("0") => 1,
        _ => return Err(Refused::at(line(node), "there is no time with a unit of s to ps")),
    };
    let value = node.attribute("value").and_then(|value| value.parse::<i128>().ok());
    let time = value.and_then(|value| value.checked_mul(scale));
    time.filter(|time| time.unsigned_abs() <= LONGEST)
        .ok_or_else(|| Refused::at(line(node), "this is no time that a description has"))
}

/// Of a time that must not be longer, the whole nanoseconds; nothing of one that has none.
pub(super) fn rounded_down(picoseconds: i128) -> Option<u64> {
    u64::try_from(picoseconds / 1_000).ok().filter(|time| *time > 0)
}

/// A decimal as a whole number of millionths: `6.0E8`, `1.5`.
pub(super) fn millionths(text: &str) -> Option<u128> {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent: i32 = exponent.parse().ok()?;
    let shift = exponent.checked_add(6)?.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let number: u128 = format!("{whole}{fraction}").parse().ok()?;
    let power = 10_u128.checked_pow(shift.unsigned_abs())?;
    if shift < 0 { Some(number / power) } else { number.checked_mul(power) }
}

#[cfg(test)]
mod tests {
    use super::{millionths, plain};

    #[test]
    fn names_and_decimals_are_read() {
        for (reference, name) in [
            ("Task_1?type=Task", "Task_1"),
            ("amlt:/#Task_1?type=Task", "Task_1"),
            ("a+b%2Fc%?type=Task", "a b/c%"),
        ] {
            assert_eq!(plain(reference), name);
        }
        for (text, number) in [
            ("6.0E8", Some(600_000_000_000_000)),
            ("1.5", Some(1_500_000)),
            ("25e-1", Some(2_500_000)),
            ("1e-9", Some(0)),
            ("1e40", None),
            ("x", None),
            ("-1", None),
            ("", None),
        ] {
            assert_eq!(millionths(text), number, "{text}");
        }
    }
}
