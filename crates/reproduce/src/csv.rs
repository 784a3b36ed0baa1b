//! Tables of `published/`: comma-separated cells, quoted where a cell has a comma.
//!
//! **Assumption.** No cell spans lines; a test reads every table.

/// The cells of all lines, the heads first.
pub fn lines(text: &str) -> Vec<Vec<String>> {
    text.lines().map(cells).collect()
}

fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().expect("there is one").push(c),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    #[test]
    fn commas_in_quotes_do_not_part_cells() {
        let text = "a,b\n\"4 ms, 10 ms\",,x\n";
        assert_eq!(super::lines(text), [vec!["a", "b"], vec!["4 ms, 10 ms", "", "x"]]);
    }
}
