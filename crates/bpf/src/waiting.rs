//! Records that wait until nothing older can come.
//!
//! **Cost.** Memory for what comes between two readings. Records lie nearly in the order of time already, which is what the
//! sort of the standard library is quick at.

use std::ops::Range;

/// Records.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    bytes: Vec<u8>,
    places: Vec<(u64, Range<usize>)>,
}

impl Waiting {
    /// One more.
    pub(crate) fn add(&mut self, at: u64, record: &[u8], change: impl FnOnce(&mut [u8])) {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(record);
        change(&mut self.bytes[begin..]);
        self.places.push((at, begin..self.bytes.len()));
    }

    /// Hands on what was before an instant, in the order of time; of one instant as it was written.
    ///
    /// # Errors
    /// One is not taken; it and all before it are gone.
    pub(crate) fn take<E>(
        &mut self,
        before: u64,
        mut take: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.places.sort_by_key(|(at, _)| *at);
        let complete = self.places.partition_point(|(at, _)| *at < before);
        let taken = self.places.drain(..complete);
        let result = taken.into_iter().try_for_each(|(at, place)| take(at, &self.bytes[place]));
        let mut rest = Vec::new();
        for (_, place) in &mut self.places {
            let begin = rest.len();
            rest.extend_from_slice(&self.bytes[place.clone()]);
            *place = begin..rest.len();
        }
        self.bytes = rest;
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(waiting: &mut Waiting, before: u64) -> Vec<(u64, Vec<u8>)> {
        let mut told = Vec::new();
        let taken: Result<(), ()> = waiting.take(before, |at, bytes| {
            told.push((at, bytes.to_vec()));
            Ok(())
        });
        taken.expect("all is taken");
        told
    }

    #[test]
    fn nothing_is_told_before_what_may_come() {
        let mut waiting = Waiting::default();
        for (at, bytes) in [(5, b"five"), (3, b"thre"), (5, b"FIVE"), (9, b"nine")] {
            waiting.add(at, bytes, |_| ());
        }
        assert_eq!(told(&mut waiting, 3), []);
        let five = |bytes: &[u8; 4]| (5, bytes.to_vec());
        assert_eq!(told(&mut waiting, 9), [(3, b"thre".to_vec()), five(b"five"), five(b"FIVE")]);
        waiting.add(8, b"eigh", |bytes| bytes[0] = b'E');
        assert_eq!(told(&mut waiting, u64::MAX), [(8, b"Eigh".to_vec()), (9, b"nine".to_vec())]);
        assert_eq!(told(&mut waiting, u64::MAX), []);
    }
}
