//! A study, as it was read.

use crate::axis::Axis;
use crate::draw::{self, Sample};
use crate::point::Point;
use crate::question::Ask;
use sha2::{Digest as _, Sha256};
use std::ops::Range;

/// What is drawn, and what is asked.
pub struct Study {
    text: Vec<u8>,
    seed: u64,
    samples: u64,
    shard: u64,
    axes: Vec<Axis>,
    points: Vec<Point>,
    asks: Vec<Ask>,
}

impl Study {
    pub(crate) fn new(
        text: Vec<u8>,
        seed: u64,
        samples: u64,
        shard: u64,
        axes: Vec<Axis>,
        points: Vec<Point>,
        asks: Vec<Ask>,
    ) -> Self {
        Self { text, seed, samples, shard, axes, points, asks }
    }

    /// As it was written.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// What everything is drawn from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What it and the tool that answers it are known by, in hexadecimal: shards of different ones do not
    /// belong together.
    pub fn identity(&self, tool: &str) -> String {
        use std::fmt::Write as _;
        let mut digest = Sha256::new();
        digest.update(tool.as_bytes());
        digest.update([0]);
        digest.update(&self.text);
        digest.finalize().iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    /// What differs from point to point.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// All points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// What is asked of each system.
    pub fn asks(&self) -> &[Ask] {
        &self.asks
    }

    /// Systems at each point.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Systems in all.
    pub fn total(&self) -> u64 {
        // At most 10^4 points of 10^12.
        self.samples * self.points.len() as u64
    }

    /// Files in all.
    pub fn shards(&self) -> u64 {
        self.total().div_ceil(self.shard)
    }

    /// The systems of a shard, counted through all points.
    ///
    /// # Panics
    /// If there is no such shard.
    pub fn systems_of(&self, shard: u64) -> Range<u64> {
        assert!(shard < self.shards(), "a study has no shards behind its last");
        shard * self.shard..((shard + 1) * self.shard).min(self.total())
    }

    /// Point and index of a system that is counted through all points.
    pub fn place(&self, number: u64) -> (usize, u64) {
        let point = usize::try_from(number / self.samples).expect("few points");
        (point, number % self.samples)
    }

    /// Which value each axis has at a point.
    pub fn coordinates(&self, point: usize) -> Vec<usize> {
        let mut rest = point;
        let mut chosen = vec![0; self.axes.len()];
        for (number, axis) in self.axes.iter().enumerate().rev() {
            chosen[number] = rest % axis.words.len();
            rest /= axis.words.len();
        }
        chosen
    }

    /// One system.
    pub fn sample(&self, point: usize, index: u64) -> Sample {
        draw::sample(self.seed, point, index, &self.points[point])
    }

    /// The description of one system, as a question sees it.
    pub fn description(&self, point: usize, index: u64, ask: &Ask) -> String {
        crate::describe::text(&self.points[point], ask, &self.sample(point, index))
    }
}
