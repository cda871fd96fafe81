//! The host kit: what a host of the serve wire needs beside the types. Fixed text; knows no tool.

use crate::emit::{FileSet, text::banner};

macro_rules! template {
    ($name:literal) => {
        (
            concat!("src/host/", $name),
            include_str!(concat!("../../../../templates/typescript/src/host/", $name)),
        )
    };
}

const SOURCES: [(&str, &str); 10] = [
    template!("answer.ts"),
    template!("approved.ts"),
    template!("authorize.ts"),
    template!("client.ts"),
    template!("frames.ts"),
    template!("index.ts"),
    template!("output.ts"),
    template!("platform.ts"),
    template!("run.ts"),
    template!("tool.ts"),
];

/// Adds the modules of the kit.
pub(super) fn add(out: &mut FileSet) {
    for (path, text) in SOURCES {
        let banner = banner("the generator's templates");
        out.add(path, format!("// {banner}\n\n{text}"));
    }
}
