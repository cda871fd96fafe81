//! What the writer refuses, and what the disk refused it. Paths are relative to the project root.

use std::io;

/// Why nothing, or not everything, was written or compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A surface makes two files at one path.
    #[error("the surface `{surface}` makes `{path}` twice; this is a fault of the generator")]
    Twice {
        /// Id of the surface.
        surface: String,
        /// The path inside it.
        path: String,
    },
    /// Two paths that are one where case does not count, or a file where a folder must be.
    #[error(
        "the surface `{surface}` makes both `{first}` and `{second}`, which cannot stand side by side on every file system"
    )]
    Collide {
        /// Id of the surface.
        surface: String,
        /// One path.
        first: String,
        /// The other.
        second: String,
    },
    /// A path that no file of a surface may have.
    #[error("the surface `{surface}` makes `{path}`, but {reason}")]
    Path {
        /// Id of the surface.
        surface: String,
        /// The path.
        path: String,
        /// Why not.
        reason: &'static str,
    },
    /// A folder that no surface may own.
    #[error("`out` of the surface `{surface}` is `{out}`, but {reason}")]
    Out {
        /// Id of the surface.
        surface: String,
        /// The folder as written.
        out: String,
        /// Why not.
        reason: &'static str,
    },
    /// Two surfaces in one folder, or one inside the other.
    #[error(
        "the surfaces `{first}` and `{second}` would share the folder `{out}`; give one of them another `out`"
    )]
    Shared {
        /// One surface.
        first: String,
        /// The other.
        second: String,
        /// The folder of the second.
        out: String,
    },
    /// A link where generated files belong.
    #[error(
        "`{path}` is a symbolic link; generated files are neither read nor written through one, remove it"
    )]
    Link {
        /// Where.
        path: String,
    },
    /// Something that we did not make stands where a generated file belongs.
    #[error("{} in the way of generated files, and `gen` did not make {}; move {} away or choose another `out`", named(paths), if paths.len() == 1 { "it" } else { "them" }, if paths.len() == 1 { "it" } else { "them" })]
    InTheWay {
        /// Where.
        paths: Vec<String>,
    },
    /// A check that would compare nothing.
    #[error(
        "there is nothing to compare: no surface makes a file; switch surfaces on in `manifests/toolcontract.toml`"
    )]
    Nothing,
    /// The disk refused. What had been changed by then is named.
    #[error("cannot {what} `{path}`{}", changed_so_far(changed))]
    Io {
        /// What was tried.
        what: &'static str,
        /// On which path.
        path: String,
        /// Files that already are as they should be; everything else is as it was.
        changed: Vec<String>,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl WriteError {
    pub(super) fn io(what: &'static str, path: &str, source: io::Error) -> Self {
        Self::Io {
            what,
            path: path.to_owned(),
            changed: Vec::new(),
            source,
        }
    }

    /// The same error when `done` had been changed before.
    pub(super) fn after(mut self, done: &[String]) -> Self {
        if let Self::Io { changed, .. } = &mut self {
            done.clone_into(changed);
        }
        self
    }
}

fn named(paths: &[String]) -> String {
    match paths {
        [one] => format!("`{one}` is"),
        [first, rest @ ..] => format!("`{first}` and {} more are", rest.len()),
        [] => "something is".to_owned(),
    }
}

fn changed_so_far(changed: &[String]) -> String {
    match changed {
        [] => "; every file is as it was".to_owned(),
        some => format!(
            "; already changed: {}; run it again to finish",
            some.iter()
                .map(|path| format!("`{path}`"))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}
