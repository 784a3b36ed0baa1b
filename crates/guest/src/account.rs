//! What the kernel has accounted so far: the time of threads, and files.

use std::fs;
use std::path::Path;
use vorrang_guest::clock;
use vorrang_guest::{Accounted, Record};

/// Looks at the threads with these names and at these files.
pub(crate) fn look(names: &[String], files: &[String]) -> Record {
    let at = clock::now_monotonic();
    let mut threads = threads();
    threads.retain(|thread| names.iter().any(|name| is_called(thread, name)));
    let texts = files.iter().map(|path| {
        let text = fs::read_to_string(path).unwrap_or_else(|why| format!("error: {why}"));
        (path.clone(), text)
    });
    let texts = texts.collect();
    Record::Account { at, threads, texts }
}

/// The threads with a name, or, if it ends with `*`, whose names begin with it.
pub(crate) fn named(name: &str) -> Vec<Accounted> {
    threads().into_iter().filter(|thread| is_called(thread, name)).collect()
}

fn is_called(thread: &Accounted, name: &str) -> bool {
    match name.strip_suffix('*') {
        Some(beginning) => thread.name.starts_with(beginning),
        None => thread.name == name,
    }
}

fn threads() -> Vec<Accounted> {
    let numbers = |folder: &Path| -> Vec<i32> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
    };
    let mut threads = Vec::new();
    for process in numbers(Path::new("/proc")) {
        let tasks = Path::new("/proc").join(process.to_string()).join("task");
        for thread in numbers(&tasks) {
            let read = |file: &str| fs::read_to_string(tasks.join(thread.to_string()).join(file));
            // What ends while it is looked at is left out.
            let (Ok(name), Ok(account)) = (read("comm"), read("schedstat")) else { continue };
            let ran = account.split_whitespace().next().and_then(|text| text.parse().ok());
            if let Some(ran) = ran {
                threads.push(Accounted { thread, name: name.trim_end().to_owned(), ran });
            }
        }
    }
    threads.sort_by_key(|one| one.thread);
    threads
}
