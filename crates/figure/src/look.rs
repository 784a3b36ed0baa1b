//! How things look: colours by name, dashes, markers and hatching beside them.

use std::fmt::Write as _;

/// How a curve, its points or its area look. What tells them apart is a dash and a marker, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
    /// One of six that differ, counted from zero; after the sixth comes the first again.
    Nth(usize),
    /// What others published: grey, wide dashes.
    Published,
    /// What is there for comparison: grey and thin.
    Faint,
}

/// Colours of a palette: six that differ, and the names of the others.
struct Palette {
    nth: [&'static str; 6],
    others: [(&'static str, &'static str); 4],
}

/// For a light ground. After Okabe and Ito, darkened until each has a contrast of three to one.
const LIGHT: Palette = Palette {
    nth: ["#0072b2", "#c24a00", "#00805c", "#a8437e", "#7a5c00", "#3f3f46"],
    others: [("ground", "#ffffff"), ("ink", "#1b1d22"), ("grey", "#6b7078"), ("grid", "#e3e5e8")],
};

/// For a dark one: the same hues, lightened.
const DARK: Palette = Palette {
    nth: ["#5cb3ea", "#ff9e4a", "#3cc79a", "#e59ac6", "#f0e442", "#c8ccd4"],
    others: [("ground", "#15171b"), ("ink", "#e8eaee"), ("grey", "#9aa0a9"), ("grid", "#33373e")],
};

/// Dashes of curves, as SVG has them; a solid line first.
const DASHES: [&str; 6] = ["", "7 4", "2 3", "9 3 2 3", "12 4", "1 5"];

impl Look {
    /// The name of its colour.
    fn name(self) -> String {
        match self {
            Self::Nth(nth) => (nth % LIGHT.nth.len() + 1).to_string(),
            Self::Published | Self::Faint => "grey".to_owned(),
        }
    }

    fn colour(self) -> &'static str {
        match self {
            Self::Nth(nth) => LIGHT.nth[nth % LIGHT.nth.len()],
            Self::Published | Self::Faint => LIGHT.others[2].1,
        }
    }

    /// As a line.
    pub(crate) fn stroke(self) -> String {
        let (width, dash) = match self {
            Self::Nth(nth) => ("2", DASHES[nth % DASHES.len()]),
            Self::Published => ("2.5", "10 5"),
            Self::Faint => ("1", ""),
        };
        let dash =
            if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        let (name, colour) = (self.name(), self.colour());
        format!(
            "class=\"vf-s{name}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}"
        )
    }

    /// As a thin solid line.
    pub(crate) fn hairline(self) -> String {
        let (name, colour) = (self.name(), self.colour());
        format!("class=\"vf-s{name}\" fill=\"none\" stroke=\"{colour}\"")
    }

    /// As an area or as text.
    pub(crate) fn fill(self) -> String {
        format!("class=\"vf-f{}\" fill=\"{}\"", self.name(), self.colour())
    }

    /// The outline of its marker around the origin, as the data of a path.
    pub(crate) const fn marker(self) -> &'static str {
        match self {
            Self::Nth(nth) => match nth % 6 {
                0 => "M-3.5,0a3.5,3.5 0 1 0 7,0a3.5,3.5 0 1 0 -7,0z",
                1 => "M-3,-3h6v6h-6z",
                2 => "M0,-4.2L4,3H-4z",
                3 => "M0,-4.5L4.5,0L0,4.5L-4.5,0z",
                4 => "M-4,-1.2h2.8v-2.8h2.4v2.8h2.8v2.4h-2.8v2.8h-2.4v-2.8h-2.8z",
                _ => "M0,4.2L4,-3H-4z",
            },
            Self::Published | Self::Faint => {
                "M-4,-3L-3,-4L0,-1L3,-4L4,-3L1,0L4,3L3,4L0,1L-3,4L-4,3L-1,0z"
            }
        }
    }
}

/// Something of the figure itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Ground = 0,
    Text = 1,
    Grey = 2,
    Grid = 3,
}

impl Ink {
    pub(crate) fn fill(self) -> String {
        let (name, colour) = LIGHT.others[self as usize];
        format!("class=\"vf-f{name}\" fill=\"{colour}\"")
    }

    pub(crate) fn stroke(self) -> String {
        let (name, colour) = LIGHT.others[self as usize];
        format!("class=\"vf-s{name}\" stroke=\"{colour}\" fill=\"none\"")
    }
}

fn properties(palette: &Palette) -> String {
    let mut out = String::new();
    for (nth, colour) in palette.nth.iter().enumerate() {
        let _ = write!(out, "--vf-{}:{colour};", nth + 1);
    }
    for (name, colour) in &palette.others {
        let _ = write!(out, "--vf-{name}:{colour};");
    }
    out
}

/// The style sheet of all figures: once in a page with figures inline; each figure that is a file has it.
/// A page may set the properties `--vf-1` to `--vf-6`, `--vf-ground`, `--vf-ink`, `--vf-grey` and
/// `--vf-grid` on an element between.
pub fn css() -> String {
    let mut out = format!(
        ":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n",
        properties(&LIGHT),
        properties(&DARK)
    );
    out += ".vf{font-family:system-ui,sans-serif;font-size:12px;color:var(--vf-ink);\
            max-width:100%;height:auto;print-color-adjust:exact;-webkit-print-color-adjust:exact}\n";
    let nth = (1..=LIGHT.nth.len()).map(|nth| nth.to_string());
    let names = nth.chain(LIGHT.others.iter().map(|(name, _)| (*name).to_owned()));
    for name in names {
        let _ = writeln!(
            out,
            ".vf-f{name}{{fill:var(--vf-{name})}}.vf-s{name}{{stroke:var(--vf-{name})}}"
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour (WCAG 2.2).
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn every_colour_is_seen_on_its_ground() {
        for palette in [LIGHT, DARK] {
            let ground = palette.others[0].1;
            for colour in palette.nth {
                let found = contrast(colour, ground);
                assert!(found >= 4.5, "{colour} on {ground}: {found:.2}");
            }
            for at in [1, 2] {
                let (name, colour) = palette.others[at];
                let found = contrast(colour, ground);
                assert!(found >= 4.5, "{name} on {ground}: {found:.2}");
            }
        }
    }

    #[test]
    fn looks_differ_without_colour() {
        let dashes: std::collections::BTreeSet<&str> = DASHES.into_iter().collect();
        let markers: std::collections::BTreeSet<&str> =
            (0..6).map(|nth| Look::Nth(nth).marker()).collect();
        assert_eq!((dashes.len(), markers.len()), (6, 6));
    }
}
