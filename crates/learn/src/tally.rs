//! How long something took, over very many times, in constant memory.
//!
//! **Model.** The longest is exact. Parts of all are counted in classes less than a hundredth wide, and a part is rounded
//! up to the end of its class.

/// A class has so many bits behind the first.
const BITS: u32 = 7;
/// Classes that are counted side by side: those of lengths with one first bit.
const PAGE: usize = 1 << BITS;

/// Lengths of time, counted by how long they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    count: u64,
    longest: u64,
    /// Pages of classes, the shortest first, as far as they are used.
    pages: Vec<Option<Box<[u64; PAGE]>>>,
}

impl Tally {
    /// One more.
    pub fn add(&mut self, length: u64) {
        self.count += 1;
        self.longest = self.longest.max(length);
        let class = usize::from(class(length));
        if self.pages.len() <= class / PAGE {
            self.pages.resize_with(class / PAGE + 1, || None);
        }
        let page = self.pages[class / PAGE].get_or_insert_with(|| Box::new([0; PAGE]));
        page[class % PAGE] += 1;
    }

    /// How many there were.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The longest.
    pub const fn longest(&self) -> u64 {
        self.longest
    }

    /// What so many of a thousand do not exceed.
    pub fn of_thousand(&self, part: u64) -> u64 {
        let wanted = (u128::from(self.count) * u128::from(part)).div_ceil(1000);
        let mut seen = 0;
        for (page, counts) in (0_u16..).step_by(PAGE).zip(&self.pages) {
            for (class, count) in (page..).zip(counts.iter().flat_map(|counts| counts.iter())) {
                seen += u128::from(*count);
                if *count > 0 && seen >= wanted {
                    return end(class).min(self.longest);
                }
            }
        }
        self.longest
    }
}

/// The place of the first bit, and the bits behind it.
fn class(length: u64) -> u16 {
    let exponent = length.checked_ilog2().unwrap_or(0);
    let shift = exponent.saturating_sub(BITS);
    let class = (u64::from(shift) << (BITS + 1)) + (length >> shift);
    u16::try_from(class).expect("57 times 256 at most")
}

/// The longest of a class.
fn end(class: u16) -> u64 {
    let shift = u32::from(class) >> (BITS + 1);
    let bits = u32::from(class) - (shift << (BITS + 1));
    (u64::from(bits) << shift) + ((1_u64 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_in_order_and_narrow() {
        let lengths = [0, 1, 2, 127, 128, 255, 256, 257, 511, 512, 1000, 12_345, 1 << 40, u64::MAX];
        for length in lengths {
            let end = end(class(length));
            assert!(end >= length && end - length <= length / 100 + 1, "{length}: {end}");
            if length < u64::MAX {
                assert!(class(length) <= class(length + 1), "{length}");
            }
        }
    }

    #[test]
    fn parts_are_rounded_up() {
        let mut tally = Tally::default();
        (1..=1000).for_each(|length| tally.add(length * 1000));
        assert_eq!((tally.count(), tally.longest()), (1000, 1_000_000));
        assert!((990_000..=1_000_000).contains(&tally.of_thousand(990)));
        assert_eq!(tally.of_thousand(1000), 1_000_000);
        assert_eq!(Tally::default().of_thousand(999), 0);
    }
}
