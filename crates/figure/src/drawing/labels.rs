//! Where words stand in a plot: beside what they name, and where no curve passes if there is such a place.
//!
//! **Model.** What is drawn is straight lines and areas. A label names the places where it may stand, the best first, and
//! stands at the first of them that nothing crosses; where something crosses all of them, at the one that the least
//! crosses. From then on it is in the way of the next label.
//!
//! **Cost.** Places times lines; a label has some tens of places.

use crate::svg::{Anchor, width_of};

/// A point in pixels.
pub(super) type Point = (f64, f64);

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    /// Around a point.
    pub(super) const fn around((x, y): Point, reach: f64) -> Self {
        Self { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach }
    }

    /// Of a line of text of this height.
    fn of_text((x, y): Point, anchor: Anchor, words: &str, height: f64) -> Self {
        let wide = width_of(words, height);
        let left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - wide / 2.0,
            Anchor::End => x - wide,
        };
        Self { left, top: y - 0.85 * height, right: left + wide, bottom: y + 0.25 * height }
    }

    fn is_inside(&self, other: &Self) -> bool {
        self.left >= other.left
            && self.right <= other.right
            && self.top >= other.top
            && self.bottom <= other.bottom
    }

    /// How long the part of a line in it is; a line that only touches its edge is outside.
    fn length_inside(&self, (from, to): (Point, Point)) -> f64 {
        let (along, down) = (to.0 - from.0, to.1 - from.1);
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        let edges = [
            (-along, from.0 - self.left),
            (along, self.right - from.0),
            (-down, from.1 - self.top),
            (down, self.bottom - from.1),
        ];
        for (step, room) in edges {
            if step == 0.0 {
                if room <= 0.0 {
                    return 0.0;
                }
            } else if step < 0.0 {
                first = first.max(room / step);
            } else {
                last = last.min(room / step);
            }
        }
        if last <= first { 0.0 } else { (last - first) * (along.abs() + down.abs()) }
    }

    /// Half the way around what both have in common.
    fn shared(&self, other: &Self) -> f64 {
        let wide = self.right.min(other.right) - self.left.max(other.left);
        let tall = self.bottom.min(other.bottom) - self.top.max(other.top);
        if wide > 0.0 && tall > 0.0 { wide + tall } else { 0.0 }
    }
}

/// A place of a label.
pub(super) type Spot = (Point, Anchor);

/// What is drawn in a plot, as far as words are to be beside it.
pub(super) struct Labels {
    plot: Area,
    lines: Vec<(Point, Point)>,
    areas: Vec<Area>,
}

impl Labels {
    /// Nothing is drawn yet; no label leaves the plot.
    pub(super) const fn in_plot(plot: Area) -> Self {
        Self { plot, lines: Vec::new(), areas: Vec::new() }
    }

    /// This line is drawn.
    pub(super) fn line(&mut self, from: Point, to: Point) {
        self.lines.push((from, to));
    }

    /// Lines from point to point are drawn; a gap ends one and begins another.
    pub(super) fn lines(&mut self, points: impl Iterator<Item = Option<Point>>) {
        let mut before = None;
        for at in points {
            if let (Some(from), Some(to)) = (before, at) {
                self.line(from, to);
            }
            before = at;
        }
    }

    /// Something is drawn here.
    pub(super) fn area(&mut self, area: Area) {
        self.areas.push(area);
    }

    /// The best of these places for words of this height, and whether nothing crosses it; all that is placed from then
    /// on is beside them. The first if the words fit nowhere.
    pub(super) fn place(
        &mut self,
        words: &str,
        height: f64,
        places: &[Spot],
    ) -> Option<(Spot, bool)> {
        let mut best: Option<(f64, Spot, Area)> = None;
        for &(at, anchor) in places {
            let area = Area::of_text(at, anchor, words, height);
            if !area.is_inside(&self.plot) {
                continue;
            }
            let crossed = self.crossed(&area);
            if best.is_none_or(|(least, ..)| crossed < least) {
                best = Some((crossed, (at, anchor), area));
            }
            if crossed == 0.0 {
                break;
            }
        }
        let (crossed, place, area) = best.or_else(|| {
            let &(at, anchor) = places.first()?;
            Some((f64::INFINITY, (at, anchor), Area::of_text(at, anchor, words, height)))
        })?;
        self.area(area);
        Some((place, crossed == 0.0))
    }

    /// How much of what is drawn is in an area.
    fn crossed(&self, area: &Area) -> f64 {
        let lines = self.lines.iter().map(|&line| area.length_inside(line)).sum::<f64>();
        lines + self.areas.iter().map(|other| area.shared(other)).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLOT: Area = Area { left: 0.0, top: 0.0, right: 200.0, bottom: 100.0 };

    /// Four letters of twelve pixels are 28 wide, and from ten above to three below their place.
    const PLACES: [Spot; 3] = [
        ((10.0, 20.0), Anchor::Start),
        ((190.0, 50.0), Anchor::End),
        ((100.0, 80.0), Anchor::Middle),
    ];

    #[test]
    fn the_first_place_that_nothing_crosses_is_taken() {
        let mut labels = Labels::in_plot(PLOT);
        labels.line((0.0, 15.0), (200.0, 15.0));
        assert_eq!(labels.place("word", 12.0, &PLACES), Some((PLACES[1], true)));
        // The word itself is in the way of the next.
        assert_eq!(labels.place("word", 12.0, &PLACES), Some((PLACES[2], true)));
    }

    #[test]
    fn where_all_are_crossed_the_least_is_and_none_is_outside() {
        let mut labels = Labels::in_plot(PLOT);
        for down in [15.0, 17.0, 48.0, 78.0, 79.0] {
            labels.line((0.0, down), (200.0, down));
        }
        assert_eq!(labels.place("word", 12.0, &PLACES), Some((PLACES[1], false)));
        let out = [((190.0, 20.0), Anchor::Start), PLACES[0]];
        assert_eq!(Labels::in_plot(PLOT).place("word", 12.0, &out), Some((PLACES[0], true)));
        let outside = Labels::in_plot(PLOT).place("word", 12.0, &out[..1]);
        assert_eq!(outside, Some((out[0], false)));
        assert_eq!(Labels::in_plot(PLOT).place("word", 12.0, &[]), None);
    }

    #[test]
    fn a_line_counts_as_far_as_it_is_inside() {
        let area = Area { left: 10.0, top: 10.0, right: 20.0, bottom: 20.0 };
        let lengths = [
            ((0.0, 15.0), (30.0, 15.0), 10.0),
            ((15.0, 15.0), (15.0, 40.0), 5.0),
            ((0.0, 10.0), (30.0, 10.0), 0.0),
            ((0.0, 0.0), (30.0, 30.0), 20.0),
            ((0.0, 25.0), (30.0, 25.0), 0.0),
            ((12.0, 12.0), (12.0, 12.0), 0.0),
        ];
        for (from, to, long) in lengths {
            let found = area.length_inside((from, to));
            assert!((found - long).abs() < 1e-9, "{from:?} to {to:?}: {found}");
        }
    }

    #[test]
    fn a_gap_is_not_crossed() {
        let mut labels = Labels::in_plot(PLOT);
        labels.lines([Some((0.0, 15.0)), None, Some((200.0, 15.0))].into_iter());
        assert_eq!(labels.place("word", 12.0, &PLACES), Some((PLACES[0], true)));
    }
}
