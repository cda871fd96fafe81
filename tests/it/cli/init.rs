//! `init`: a project elsewhere, without anything of this repository but the crates that the
//! generated one needs.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use toolcontract_codegen::{check, cli::Exit};

use crate::project::Project;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

#[test]
fn a_new_project_is_generated_at_once_and_compiles() {
    let project = Project::empty();
    let crates = repository().join("crates");
    let said = project.run(&format!("init --toolcontract-path {}", crates.display()));
    assert_eq!(said.exit, Exit::Clean, "{}", said.screen());
    let run = |line| {
        let said = project.run(line);
        assert_eq!(said.exit, Exit::Clean, "{line}: {}", said.screen());
        said.out
    };
    run("lint --deny warnings");
    let written = run("gen");
    let fresh = run("gen --check --deny warnings");
    let count = fresh.trim().trim_start_matches("Fresh ");
    let sum = format!(
        "Finished {count}: {} written\n",
        count.trim_end_matches(" files")
    );
    assert!(written.ends_with(&sum), "{written}{fresh}");
    check(project.root()).unwrap();
    for path in [
        "docs/tools/analyze_text.md",
        "typescript/src/tools/analyze_text.ts",
    ] {
        assert!(project.has(&format!("generated/{path}")), "{path}");
    }
    no_table_is_empty(&project);
    compiles(&project);
}

#[test]
fn a_path_without_the_crates_is_told() {
    let project = Project::empty();
    let crates = repository().join("crates");
    project.run(&format!("init --toolcontract-path {}", crates.display()));
    let said = project.run("gen");
    assert!(
        !said.screen().contains("missing-crates"),
        "{}",
        said.screen()
    );
    let choices = project.text("manifests/toolcontract.toml");
    let line = choices.lines().find(|l| l.starts_with("toolcontract = "));
    let nowhere = choices.replace(line.unwrap(), "toolcontract = { path = \"../nowhere\" }");
    project.put("manifests/toolcontract.toml", &nowhere);
    let said = project.run("gen");
    let screen = said.screen();
    assert_eq!(said.exit, Exit::Clean, "{screen}");
    assert!(
        screen.contains("warning[missing-crates]: `../nowhere`")
            && screen.contains("`protocol` and `schema`"),
        "{screen}"
    );
}

/// A catalog of one tool has no event and no shared type; its pages say so in words.
fn no_table_is_empty(project: &Project) {
    let docs = |path: &str| path.starts_with("generated/docs/") && path.ends_with(".md");
    for (path, bytes) in project.tree().into_iter().filter(|(path, _)| docs(path)) {
        let text = String::from_utf8(bytes.unwrap()).unwrap();
        assert!(
            !text.contains("--- |\n\n") && !text.ends_with("--- |\n"),
            "{path}: {text}"
        );
    }
    let index = project.text("generated/docs/README.md");
    assert!(index.contains("\n1 tool. "), "{index}");
}

/// Compiles the generated crate as it stands, with the packages that are on this machine.
fn compiles(project: &Project) {
    cargo_check(project, &mut |cargo| {
        cargo.arg("--offline");
    });
}

fn cargo_check(project: &Project, with: &mut dyn FnMut(&mut Command)) {
    let lock = std::fs::read_to_string(repository().join("Cargo.lock")).unwrap();
    project.put("generated/rust/Cargo.lock", &lock);
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["check", "--quiet"])
        .current_dir(project.root().join("generated/rust"))
        .env(
            "CARGO_TARGET_DIR",
            concat!(env!("CARGO_TARGET_TMPDIR"), "/init"),
        )
        .env("RUSTFLAGS", "-D warnings");
    with(&mut cargo);
    let output = cargo.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

/// A project that was made with `init ARGUMENT`, and generated.
fn generated(argument: &str) -> Project {
    let project = Project::empty();
    for line in [format!("init --name Notes {argument}"), "gen".to_owned()] {
        let said = project.run(&line);
        assert_eq!(said.exit, Exit::Clean, "{line}: {}", said.screen());
    }
    project
}

/// As if the crates were released: the registry does not have them, so cargo is told where they are.
#[test]
fn what_is_generated_for_a_release_compiles() {
    let project = generated(concat!(
        "--toolcontract-version ",
        env!("CARGO_PKG_VERSION")
    ));
    cargo_check(&project, &mut |cargo| {
        cargo.arg("--offline");
        for name in ["protocol", "schema"] {
            let path = repository().join("crates").join(name);
            let patch = format!(
                "patch.crates-io.toolcontract-{name}.path = {:?}",
                path.display().to_string()
            );
            cargo.args(["--config", &patch]);
        }
    });
}

/// From what is committed here. Cargo does not even read a repository on this disk when it is told
/// to stay offline, so the way out is barred by a proxy that does not exist. Folders that stay the
/// same from run to run spare it to compile everything again.
#[test]
fn what_is_generated_for_a_git_repository_compiles() {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("init-git");
    let clone = home.join("toolcontract.git");
    std::fs::create_dir_all(&clone).unwrap();
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(&clone)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "--quiet", "--bare"]);
    let here = repository().to_str().unwrap();
    git(&["fetch", "--quiet", here, "+HEAD:refs/heads/main"]);
    let head = git(&["rev-parse", "main"]);
    let url = format!("file://{}#{head}", clone.display());
    let project = generated(&format!("--toolcontract-git {url}"));

    let cache = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let registry = home.join("registry");
    if !registry.is_symlink() {
        std::os::unix::fs::symlink(cache.unwrap().join("registry"), registry).unwrap();
    }
    cargo_check(&project, &mut |cargo| {
        cargo.env("CARGO_HOME", &home);
        cargo.env("CARGO_TARGET_DIR", home.join("target"));
        cargo.env("CARGO_HTTP_PROXY", "http://127.0.0.1:1");
    });
}

#[test]
fn what_builds_leave_in_the_packages_is_ignored() {
    let project = Project::empty();
    assert_eq!(project.run("init").exit, Exit::Clean);
    project.git("init --quiet");
    let is_ignored = |path: &str| {
        project.put(path, "x");
        let mut git = Command::new("git");
        git.args(["check-ignore", "--quiet", path]);
        git.current_dir(project.root()).status().unwrap().success()
    };
    assert!(is_ignored("generated/rust/target/debug/x"));
    assert!(is_ignored("generated/typescript/node_modules/zod/x.js"));
    assert!(is_ignored("generated/typescript/dist/x.js"));
    assert!(!is_ignored("generated/rust/src/lib.rs"));
    assert!(!is_ignored("target/x"));

    let own = Project::with(&[(".gitignore", "mine\n")]);
    assert_eq!(own.run("init").exit, Exit::Clean);
    assert_eq!(own.text(".gitignore"), "mine\n");
}

#[test]
fn a_project_is_made_only_where_there_is_none() {
    let project = Project::empty();
    assert_eq!(project.run("init").exit, Exit::Clean);
    let as_before = project.tree();
    let said = project.run("init");
    assert_eq!(said.exit, Exit::Failed);
    assert!(said.err.contains("is there already"), "{}", said.err);
    assert_eq!(project.tree(), as_before);
}

#[test]
fn the_crates_are_found_where_the_author_says() {
    for (argument, written) in [
        (
            "",
            concat!("{ version = \"", env!("CARGO_PKG_VERSION"), "\" }"),
        ),
        (" --toolcontract-version 7.1", "{ version = \"7.1\" }"),
        (
            " --toolcontract-git https://example.com/x#main",
            "{ git = \"https://example.com/x#main\" }",
        ),
    ] {
        let project = Project::empty();
        assert_eq!(
            project.run(&format!("init --name Notes{argument}")).exit,
            Exit::Clean
        );
        let choices = project.text("manifests/toolcontract.toml");
        assert!(
            choices.contains(&format!("toolcontract = {written}\n")),
            "{choices}"
        );
        assert!(
            choices.contains("crate = \"notes-contracts\"\n"),
            "{choices}"
        );
        assert_eq!(project.run("lint --deny warnings").exit, Exit::Clean);
    }
    let project = Project::empty();
    let said = project.run("init --toolcontract-path nowhere");
    assert_eq!(said.exit, Exit::Failed);
    assert!(said.err.contains("cannot use `nowhere`"), "{}", said.err);
    assert!(!project.has("manifests"));
}

#[test]
fn a_name_cannot_break_out_of_its_place() {
    let project = Project::empty();
    let name = "A\"\nevil = \"1";
    let (global, mut command) = project.command("init");
    if let toolcontract_codegen::cli::Command::Init(args) = &mut command {
        args.name = Some(name.to_owned());
    }
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut io = toolcontract_codegen::cli::Io {
        out: &mut out,
        err: &mut err,
        colour: false,
        progress: false,
    };
    let program = toolcontract_codegen::cli::Program::Toolcontract;
    let exit = toolcontract_codegen::cli::run(program, &global, &command, &mut io);
    assert_eq!(exit, Exit::Clean);
    assert_eq!(project.run("lint --deny warnings").exit, Exit::Clean);
}
