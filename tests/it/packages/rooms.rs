//! Inside the generator data flows one way: a room uses only rooms to its left.

use std::{collections::BTreeMap, fs, path::Path};

use syn::{UseTree, visit::Visit};

use super::tidy::{repository, rust_files};

/// The rooms, from left to right.
const ROOMS: &[&str] = &[
    "git", "tokens", "model", "lint", "emit", "write", "derive", "cli", "check",
];

/// Finds the rooms that a file names.
struct Names {
    /// How many modules deep the code is.
    depth: usize,
    rooms: Vec<String>,
}

impl Names {
    /// Notes the room that a path reaches through `crate`, or through enough `super`.
    fn note(&mut self, path: &[String]) {
        let up = path.iter().take_while(|name| *name == "super").count();
        let room = match path.first().map(String::as_str) {
            Some("crate") => path.get(1),
            Some("super") if up >= self.depth => path.get(up),
            _ => None,
        };
        self.rooms.extend(room.cloned());
    }

    fn note_tree(&mut self, tree: &UseTree, before: &[String]) {
        let with = |name: String| [before, &[name]].concat();
        match tree {
            UseTree::Path(path) => self.note_tree(&path.tree, &with(path.ident.to_string())),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.note_tree(tree, before);
                }
            }
            UseTree::Name(name) => self.note(&with(name.ident.to_string())),
            UseTree::Rename(name) => self.note(&with(name.ident.to_string())),
            UseTree::Glob(_) => self.note(before),
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.depth += 1;
        syn::visit::visit_item_mod(self, item);
        self.depth -= 1;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.note_tree(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.note(&names);
        syn::visit::visit_path(self, path);
    }
}

fn rooms_named_in(text: &str, depth: usize) -> Vec<String> {
    let mut names = Names {
        depth,
        rooms: Vec::new(),
    };
    names.visit_file(&syn::parse_file(text).unwrap());
    names.rooms
}

/// Module path of a file of the generator: `emit/rust/mod.rs` is `emit`, `rust`.
fn module(path: &Path) -> Vec<String> {
    let path = path.with_extension("");
    let mut names: Vec<String> = path
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    if names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    names
}

#[test]
fn a_room_uses_only_rooms_to_its_left() {
    let source = repository().join("codegen/src");
    let mut seen = BTreeMap::new();
    for file in rust_files(&source) {
        let inside = file.strip_prefix(&source).unwrap();
        let module = module(inside);
        let [room, ..] = module.as_slice() else {
            continue;
        };
        if ["lib", "main"].contains(&room.as_str()) {
            continue;
        }
        let at = |room: &str| ROOMS.iter().position(|r| *r == room);
        let here = at(room).unwrap_or_else(|| panic!("`{room}` has no place among the rooms"));
        let text = fs::read_to_string(&file).unwrap();
        for other in rooms_named_in(&text, module.len()) {
            *seen.entry(other.clone()).or_insert(0) += 1;
            if let Some(there) = at(&other) {
                let file = inside.display();
                assert!(
                    there <= here,
                    "codegen/src/{file} is left of `{other}` and uses it"
                );
            }
        }
    }
    assert!(seen["model"] > 10 && seen["lint"] > 3, "{seen:?}");
}

#[test]
fn every_way_to_name_a_room_is_seen() {
    for text in [
        "use crate::emit::FileSet;",
        "use crate::{model::Tool, emit::{self, text}};",
        "use super::super::emit;",
        "fn f() { crate::emit::text::fill(\"\", &[]); }",
        "mod tests { use super::super::super::emit::FileSet; }",
        "fn f(x: &crate::emit::FileSet) {}",
    ] {
        assert!(
            rooms_named_in(text, 2).contains(&"emit".to_owned()),
            "{text}"
        );
    }
    assert!(rooms_named_in("use super::emit; use other::emit;", 2).is_empty());
}
