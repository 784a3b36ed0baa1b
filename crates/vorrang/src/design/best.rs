//! `--best`: which design is best, in words.
//!
//! ```text
//!   price               the share of all cores that servers take
//!   core.NAME           their share of one core
//!   price=1,core.0=3    a mixture: each core by its weight
//!   margin              the largest factor of execution times
//! ```

use vorrang_design::{MOST_WEIGHT, Objective, Weights};

/// What is best, as it was written.
#[derive(Clone, Debug)]
pub(super) struct Best {
    pub(super) text: String,
    pub(super) objective: Objective,
}

/// # Errors
/// What is wrong with it.
pub(super) fn parse(text: &str) -> Result<Best, String> {
    let text = text.trim().to_owned();
    if text == "margin" {
        return Ok(Best { text, objective: Objective::Margin });
    }
    let (mut all, mut cores): (u64, Vec<(String, u64)>) = (0, Vec::new());
    for term in text.split(',').map(str::trim) {
        let (name, weight) = term.split_once('=').unwrap_or((term, "1"));
        let weight = weight.trim().parse::<u64>().ok().filter(|weight| *weight <= MOST_WEIGHT);
        let weight =
            weight.ok_or_else(|| format!("a weight is a whole number up to {MOST_WEIGHT}"))?;
        match name.trim() {
            "price" => all += weight,
            name if name.starts_with("core.") => cores.push((name.to_owned(), weight)),
            _ => {
                return Err(
                    "`price`, `margin`, a core such as `core.0`, or weights: `price=1,core.0=3`"
                        .into(),
                );
            }
        }
    }
    let weights = Weights::new(all, cores)
        .ok_or_else(|| format!("weights are from 1 to {MOST_WEIGHT} together"))?;
    Ok(Best { text, objective: Objective::Least(weights) })
}

impl Best {
    /// A core that is named and is none of these.
    pub(super) fn unknown<'a>(&'a self, cores: &[&str]) -> Option<&'a str> {
        let Objective::Least(weights) = &self.objective else { return None };
        weights.named().find(|name| !cores.contains(name))
    }

    /// Of what shares are told.
    pub(super) fn whole(&self) -> String {
        match &self.objective {
            Objective::Least(weights) if *weights != Weights::PRICE => {
                if self.text.contains(['=', ',']) {
                    format!("of a core, weighted ({})", self.text)
                } else {
                    format!("of {}", self.text)
                }
            }
            _ => "of a core".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_best_is_read() {
        let objective = |text| parse(text).map(|best| best.objective);
        let least = |all, core: u64| {
            Ok(Objective::Least(Weights::new(all, vec![("core.0".into(), core)]).unwrap()))
        };
        assert_eq!(objective("price"), Ok(Objective::Least(Weights::PRICE)));
        assert_eq!(objective("margin"), Ok(Objective::Margin));
        assert_eq!(objective("core.0"), least(0, 1));
        assert_eq!(objective("price=2, core.0=3"), least(2, 3));
        for wrong in ["", "prize", "core.0=-1", "price=0", "price=1001", "price=600,core.0=600"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
