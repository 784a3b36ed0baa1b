//! Records that wait until nothing older can come.
//!
//! **Cost.** Memory for what comes between two readings. Records lie nearly in the order of time already, which is what the
//! sort of the standard library is quick at.

use std::mem;
use std::ops::Range;

/// Records.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    bytes: Vec<u8>,
    places: Vec<(u64, Range<usize>)>,
    /// Where those of the processor begin that is read.
    begin: usize,
    /// Room for the bytes that are left: memory that is given back is cleared by the kernel before it is had again.
    spare: Vec<u8>,
}

impl Waiting {
    /// From here on come those of another processor.
    pub(crate) fn begin(&mut self) {
        self.begin = self.places.len();
    }

    /// One more of a processor, which began after those before it. A program that was interrupted before it took its time has a
    /// later one than what interrupted it: it was before that.
    pub(crate) fn add(&mut self, at: u64, record: &[u8]) {
        let before = self.places[self.begin..].iter_mut().rev();
        before.take_while(|(time, _)| *time > at).for_each(|(time, _)| *time = at);
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(record);
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
        let mut rest = mem::take(&mut self.spare);
        rest.clear();
        for (_, place) in &mut self.places {
            let begin = rest.len();
            rest.extend_from_slice(&self.bytes[place.clone()]);
            *place = begin..rest.len();
        }
        self.spare = mem::replace(&mut self.bytes, rest);
        self.begin = self.places.len();
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
            waiting.begin();
            waiting.add(at, bytes);
        }
        assert_eq!(told(&mut waiting, 3), []);
        let five = |bytes: &[u8; 4]| (5, bytes.to_vec());
        assert_eq!(told(&mut waiting, 9), [(3, b"thre".to_vec()), five(b"five"), five(b"FIVE")]);
        waiting.add(8, b"eigh");
        assert_eq!(told(&mut waiting, u64::MAX), [(8, b"eigh".to_vec()), (9, b"nine".to_vec())]);
        assert_eq!(told(&mut waiting, u64::MAX), []);
    }

    #[test]
    fn what_was_interrupted_was_before_what_interrupted_it() {
        let mut waiting = Waiting::default();
        waiting.begin();
        waiting.add(8, b"8888");
        waiting.begin();
        for (at, bytes) in [(4, b"four"), (7, b"late"), (5, b"five"), (6, b"six.")] {
            waiting.add(at, bytes);
        }
        let all: Vec<u64> = told(&mut waiting, 8).into_iter().map(|(at, _)| at).collect();
        assert_eq!(all, [4, 5, 5, 6]);
        assert_eq!(told(&mut waiting, 9), [(8, b"8888".to_vec())], "of another processor");
    }
}
