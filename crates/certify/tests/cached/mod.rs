//! Cold caches for drawn cores.
//!
//! **Model.** Tasks of the core, its virtual processors, or both have one cache, of either curve.

/// What contexts lose at a start, in parts of a hundred, and for how long.
pub(crate) struct Curve {
    pub(crate) model: &'static str,
    pub(crate) useless: u64,
    pub(crate) sustained: u64,
}

/// One of them.
pub(crate) fn curve(seed: u64) -> Curve {
    let model = ["flood", "exponential"][usize::from(seed.is_multiple_of(3))];
    Curve { model, useless: 50, sustained: 2 + 2 * (seed % 3) }
}

/// A core with such caches: of tasks, of virtual processors, or of both.
pub(crate) fn cached(text: &str, seed: u64, of: &Curve) -> String {
    let Curve { model, useless, sustained } = of;
    let mut text = text.to_owned();
    let of_task = "on = \"core.0\"\nwcet";
    if seed % 4 != 1 {
        text = text.replace(of_task, "on = \"core.0\"\ncache = \"cache.c\"\nwcet");
    }
    let of_server = "on = \"core.0\"\nserver";
    if seed % 4 != 2 {
        text = text.replace(of_server, "on = \"core.0\"\ncache = \"cache.c\"\nserver");
    }
    let useful = 100 - useless;
    text + &format!(
        "[cache.c]\nmodel = \"{model}\"\nuseful = \"{useful}%\"\nsustained = \"{sustained}ns\"\n"
    )
}
