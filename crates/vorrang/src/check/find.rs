//! A requirement by the name that was typed.

use vorrang_command::exit::Failure;
use vorrang_model::System;
use vorrang_quote::name::shown;

/// The place of a requirement in the order of declaration, by its name or by the part after its first
/// dot, if that is unique.
pub(crate) fn find(system: &System, name: &str) -> Result<usize, Failure> {
    let names: Vec<&str> = system.requirements.iter().map(|of| of.name.as_str()).collect();
    if let Some(place) = names.iter().position(|known| *known == name) {
        return Ok(place);
    }
    let short = |known: &str| known.split_once('.').is_some_and(|(_, short)| short == name);
    let places: Vec<usize> = (0..names.len()).filter(|&place| short(names[place])).collect();
    let is_chain = |chain: &str| chain == name || short(chain);
    let chain = system.chains.iter().find(|chain| is_chain(&chain.name));
    let hint = match places[..] {
        [place] => return Ok(place),
        [] if chain.is_some() => {
            "a chain has its terms in the result without `--explain`".to_owned()
        }
        [] => {
            let nearest = names.iter().min_by_key(|known| distance(known, name));
            nearest.map_or("there are none".to_owned(), |known| format!("did you mean {known}?"))
        }
        _ => {
            let meant: Vec<&str> = places.into_iter().map(|place| names[place]).collect();
            format!("it may mean {}", meant.join(" or "))
        }
    };
    Err(Failure::bad_input(format!("error: there is no requirement {}: {hint}\n", shown(name))))
}

/// The distance of the typed text from a name, or from its short form.
fn distance(known: &str, name: &str) -> usize {
    let short = known.split_once('.').map_or(known, |(_, short)| short);
    let distances = [known, short].map(|known| strsim::damerau_levenshtein(known, name));
    distances.into_iter().min().unwrap_or(0)
}
