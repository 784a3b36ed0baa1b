//! Texts that are made to be misread.

use vorrang_campaign::random::Random;

/// What ends a quote, a comment, a word or a line somewhere, what is expanded or run somewhere, and what some
/// program takes for something else. Nothing here does harm where it is run.
const PIECES: [&str; 64] = [
    "'",
    "\"",
    "`",
    "\\",
    "$",
    "#",
    ";",
    "&",
    "|",
    "<",
    ">",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "*",
    "?",
    "~",
    "!",
    "%",
    "=",
    ":",
    ",",
    ".",
    "..",
    "/",
    "-",
    "--",
    " ",
    "\t",
    "\n",
    "\r",
    "\0",
    "\u{7f}",
    "\u{85}",
    "\u{2028}",
    "\u{202e}",
    "\u{feff}",
    "\u{fffe}",
    "é",
    "e\u{301}",
    "😀",
    "; echo INJECTED; #",
    "$(echo INJECTED)",
    "`echo INJECTED`",
    "'; echo INJECTED >&2; '",
    "\necho INJECTED\n",
    "> INJECTED",
    "${IFS}",
    "$HOME",
    "-->",
    "<!--",
    "<evil/>",
    "]]>",
    "&amp;",
    "\n[Service]\nExecStart=/bin/true\n",
    "%n",
    "$MAINPID",
    "--help",
    "../../proc",
    "$'\\n'",
    "\\\n",
];

/// What people call things.
const PLAIN: [&str; 8] = ["engine", "eth0", "eth0.100", "vcpu-1", "a b", "worker/b", "24", "x"];

/// A text of a few pieces.
pub fn text(random: &mut Random) -> String {
    let pieces = random.between(0, 4);
    // What begins so may be taken for an option.
    let mut text = if random.chance(1, 12) { "-".to_owned() } else { String::new() };
    for _ in 0..=pieces {
        if random.chance(2, 5) {
            text += random.one_of(&PLAIN);
        } else {
            text += random.one_of(&PIECES);
        }
    }
    text
}

/// The same without a character that separates its parts.
pub fn without(random: &mut Random, separator: char) -> String {
    text(random).replace(separator, "")
}
