//! Every page is in the book, and every link in it leads somewhere.
//!
//! mdBook itself is not run, because it takes a minute to build (CONTRIBUTING.md); what makes it fail, or leave a page
//! out, is tested here.

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages below a folder, and those beside it at the top, with their paths from the top.
fn pages() -> BTreeMap<String, Page> {
    let mut found = BTreeMap::new();
    let mut folders = vec![PathBuf::new(), "docs".into(), "kernel".into()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let name = folder.join(entry.unwrap().file_name());
            if !folder.as_os_str().is_empty() && root().join(&name).is_dir() {
                folders.push(name);
            } else if name.extension().is_some_and(|of| of == "md") {
                let text = fs::read_to_string(root().join(&name)).unwrap();
                found.insert(name.to_str().unwrap().to_owned(), Page::read(&text));
            }
        }
    }
    found
}

/// What matters of a page.
#[derive(Debug, Default)]
struct Page {
    links: Vec<String>,
    /// Of its headings, as code hosts and mdBook make them.
    anchors: BTreeSet<String>,
}

impl Page {
    fn read(text: &str) -> Self {
        let mut page = Self::default();
        let mut heading: Option<String> = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    page.anchors.extend(heading.take().map(|title| anchor(&title)));
                }
                Event::Text(part) | Event::Code(part) => {
                    if let Some(title) = &mut heading {
                        title.push_str(&part);
                    }
                }
                Event::Start(
                    Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. },
                ) if !matches!(link_type, LinkType::Autolink | LinkType::Email) => {
                    page.links.push(dest_url.into_string());
                }
                _ => (),
            }
        }
        page
    }
}

/// What a heading is called in an address.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                assert!(plain.pop(), "{} leaves the repository", path.display());
            }
            Component::CurDir => (),
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    assert!(pages.len() > 20, "{:?}", pages.keys());
    let mut dead = Vec::new();
    for (name, page) in &pages {
        let folder = Path::new(name).parent().unwrap();
        for link in page.links.iter().filter(|link| !link.contains("://")) {
            let (file, within) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { PathBuf::from(name) } else { plain(&folder.join(file)) };
            let is_there = root().join(&target).exists();
            let of_page = pages.get(target.to_str().unwrap());
            let is_named =
                within.is_empty() || of_page.is_none_or(|of| of.anchors.contains(within));
            if !is_there || !is_named {
                dead.push(format!("{name}: {link}"));
            }
        }
    }
    assert!(dead.is_empty(), "\n{}", dead.join("\n"));
}

#[test]
fn every_page_is_in_the_book() {
    let pages = pages();
    let listed: BTreeSet<String> =
        pages["docs/SUMMARY.md"].links.iter().map(|link| format!("docs/{link}")).collect();
    let there: BTreeSet<String> = pages
        .keys()
        .filter(|name| name.starts_with("docs/") && *name != "docs/SUMMARY.md")
        .cloned()
        .collect();
    assert_eq!(listed, there);
}

/// A line of the table of contents: a chapter, with how deep it stands.
fn chapter(line: &str) -> Option<(usize, &str)> {
    let item = line.trim_start_matches(' ');
    let (title, file) = item.strip_prefix("- [")?.strip_suffix(')')?.split_once("](")?;
    let indent = line.len() - item.len();
    let is_plain =
        !title.is_empty() && !file.contains(['(', ')', '#', ' ']) && indent.is_multiple_of(2);
    is_plain.then_some((indent / 2, file))
}

/// A part of the forms that mdBook reads: a title, parts, and nested items of one link each.
#[test]
fn the_table_of_contents_is_one_that_mdbook_reads() {
    let text = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    assert!(text.starts_with("# Summary\n"), "its title");
    let mut seen = BTreeSet::new();
    let mut deepest = None;
    for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
        if line.starts_with("# ") {
            deepest = None;
            continue;
        }
        let (depth, file) = chapter(line).unwrap_or_else(|| panic!("no chapter: {line}"));
        assert!(depth <= deepest.map_or(0, |above: usize| above + 1), "below none: {line}");
        assert!(seen.insert(file.to_owned()), "listed twice: {line}");
        deepest = Some(depth);
    }
    assert!(fs::read_to_string(root().join("book.toml")).unwrap().contains("src = \"docs\""));
}

#[test]
fn chapters_are_links_in_a_list() {
    assert_eq!(chapter("- [A](a.md)"), Some((0, "a.md")));
    assert_eq!(chapter("  - [`b`, (c)](b/c.md)"), Some((1, "b/c.md")));
    for wrong in ["- A", " - [A](a.md)", "- [A](a.md), and more", "- [](a.md)", "- [A](a.md#b)"] {
        assert_eq!(chapter(wrong), None, "{wrong}");
    }
}

#[test]
fn headings_are_called_as_code_hosts_call_them() {
    assert_eq!(anchor("What `vorrang simulate` counts"), "what-vorrang-simulate-counts");
    assert_eq!(anchor("Units: 10 us, and \"more\""), "units-10-us-and-more");
}

/// The files below a folder, with their paths from the top.
fn files(folder: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let name = format!("{folder}/{}", entry.unwrap().file_name().to_str().unwrap());
        if root().join(&name).is_dir() {
            found.push(format!("{name}/"));
            files(&name, found);
        } else {
            found.push(name);
        }
    }
}

/// A file that became a folder, or has another name, is found: in the crate of its section, or anywhere by a path.
#[test]
fn every_file_that_the_architecture_names_is_there() {
    let mut there = Vec::new();
    for folder in ["crates", "docs", "examples", "kernel", "packaging", "scripts", "web/src"] {
        files(folder, &mut there);
    }
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut named = 0;
    let mut gone = Vec::new();
    for section in text.split("\n### `vorrang").skip(1) {
        let section = section.split("\n## ").next().unwrap();
        let name = section.split('`').next().unwrap().trim_start_matches('-');
        let own = format!("crates/{}/", if name.is_empty() { "vorrang" } else { name });
        let spans = section.split('`').skip(2).step_by(2);
        for file in spans.filter(|span| Path::new(span).extension().is_some_and(|of| of == "rs")) {
            named += 1;
            let end = format!("/{file}");
            let is_own = there.iter().any(|path| path.starts_with(&own) && path.ends_with(&end));
            if !is_own && !there.iter().any(|path| path == file) {
                gone.push(format!("{own}: {file}"));
            }
        }
    }
    assert!(named > 100, "{named}");
    assert!(gone.is_empty(), "{gone:?}");
}
