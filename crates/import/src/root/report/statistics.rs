//! What `pidstat -tl` printed, for the names of threads.
//!
//! **Model.** The words of the line with `TGID` and `TID` name the columns, a time before them. The line of a process has no
//! `TID` and that of a thread no `TGID`, and the name of a thread stands behind `|__`.

/// Threads with their names.
pub(super) fn names(text: &str) -> Vec<(i32, &str)> {
    let (mut all, mut place) = (Vec::new(), None);
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if line.contains(" TGID ") {
            place = words.position(|word| word == "TID");
        } else if let Some(thread) = place.and_then(|place| words.nth(place)?.parse().ok())
            && let Some((_, name)) = line.split_once("__")
            && !name.trim().is_empty()
        {
            all.push((thread, name.trim()));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn only_threads_have_names_there() {
        let text = "Linux 6.12.0 (edge)  11/30/26  _x86_64_  (4 CPU)\n\n\
            09:12:01 AM   UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command\n\
            09:12:01 AM   107      1200         -    0.10    0.20    1.00    0.00    1.30     0  /usr/bin/qemu -name a__b\n\
            09:12:01 AM   107         -      1207    0.00    0.10    1.00    0.00    1.10     2  |__CPU 0/KVM\n\
            09:12:01 AM   107         -      1300    0.00    0.10    1.00    0.00    1.10     2  (gdm)__gmain\n";
        assert_eq!(names(text), [(1207, "CPU 0/KVM"), (1300, "gmain")]);
        assert!(names("").is_empty());
    }
}
