//! A profile, by both of its readers; and written again.

use vorrang_measure::profile::{Change, Profile, compare};
use vorrang_model::{Colour, Format, read_profile, render};

pub(super) fn take(text: &[u8]) -> Result<bool, String> {
    let read = read_profile(text, Format::Toml);
    if let Err(complaints) = &read
        && render(complaints, "profile", text, Colour::Never).is_empty()
    {
        return Err("refused without a word".to_owned());
    }
    let Ok(text) = std::str::from_utf8(text) else { return Ok(read.is_ok()) };
    let Ok(profile) = text.parse::<Profile>() else { return Ok(read.is_ok()) };
    if compare(&profile, &profile).iter().any(Change::is_beyond_noise) {
        return Err("it differs from itself".to_owned());
    }
    let written = profile.to_string();
    same(&written, &written)?;
    // What is measured anew is put into the text that there is.
    let within = profile.within(text).map_err(|why| format!("not within itself: {why}"))?;
    same(&within, &written)?;
    Profile::default().within(text).map_err(|why| format!("it cannot be emptied: {why}"))?;
    Ok(read.is_ok())
}

/// A text is read as the profile that is written so.
fn same(text: &str, written: &str) -> Result<(), String> {
    match text.parse::<Profile>() {
        Ok(again) if again.to_string() == written => Ok(()),
        Ok(again) => Err(format!("written as\n{written}\nand then as\n{again}")),
        Err(why) => Err(format!("written, it is no profile: {why}\n{text}")),
    }
}
