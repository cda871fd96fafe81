//! What a check and a run say, for each state that a folder can be in.

use toolcontract_codegen::{
    cli::{Screen, check_screen, write_screen},
    write::{LocalDisk, Plan, Surface},
};

use super::{before, generated, look, surface, wanted, write};
use crate::{expect_folder::ExpectFolder, project::Project};

type Case = (&'static str, fn(&Project) -> Vec<Surface>);

const CASES: &[Case] = &[
    ("clean", |_| before().surfaces),
    ("stale", |_| with_index("# All tools\n")),
    ("missing", |p| {
        p.remove("generated/docs/tools/a.md");
        p.remove("manifests/contracts.lock");
        before().surfaces
    }),
    ("orphan", |_| {
        vec![
            surface("docs", &[("index.md", "# Tools\n")]),
            before().surfaces[1].clone(),
        ]
    }),
    ("foreign", |p| {
        p.put("generated/docs/notes.txt", "mine\n");
        p.put("generated/docs/\u{202e}\u{1b}[2J.txt", "mine\n");
        before().surfaces
    }),
    ("hand-edited", |p| {
        p.edit("generated/docs/index.md", "# Tools", "# My tools");
        before().surfaces
    }),
    ("hand-edited in a clone", |p| {
        p.git("init --quiet");
        p.git("add .");
        p.git("commit --quiet --message all");
        p.remove(".toolcontract/written");
        p.edit("generated/docs/index.md", "# Tools", "# My tools");
        with_index("# All tools\n")
    }),
    ("stale in a clone", |p| {
        p.git("init --quiet");
        p.git("add .");
        p.git("commit --quiet --message all");
        p.remove(".toolcontract/written");
        with_index("# All tools\n")
    }),
    ("stale after another branch was checked out", |p| {
        p.edit("generated/docs/index.md", "# Tools", "# Their tools");
        p.git("init --quiet");
        p.git("add .");
        p.git("commit --quiet --message all");
        with_index("# All tools\n")
    }),
    ("stale twice", |p| {
        write(p, &wanted(with_index("# Some tools\n")));
        with_index("# All tools\n")
    }),
    ("conflict markers", |p| {
        p.put(
            "generated/docs/index.md",
            "<<<<<<< ours\n# Tools\n=======\n# Their tools\n>>>>>>> theirs\n",
        );
        p.edit(
            "generated/docs/.generated",
            "tools/b.md\n",
            "<<<<<<< ours\ntools/b.md\n=======\ntools/c.md\n>>>>>>> theirs\n",
        );
        p.put("generated/docs/tools/c.md", "theirs\n");
        before().surfaces
    }),
    ("many", |_| {
        let paths: Vec<String> = (0..30).map(|n| format!("tools/{n:02}.md")).collect();
        let files: Vec<(&str, &str)> = paths.iter().map(|p| (p.as_str(), "x\n")).collect();
        vec![surface("docs", &files), before().surfaces[1].clone()]
    }),
];

fn with_index(index: &str) -> Vec<Surface> {
    let docs = [
        ("index.md", index),
        ("tools/a.md", "a\n"),
        ("tools/b.md", "b\n"),
    ];
    vec![surface("docs", &docs), before().surfaces[1].clone()]
}

#[test]
fn each_state_has_its_screen() {
    let mut expected = ExpectFolder::of("write/screens");
    for (name, case) in CASES {
        let project = generated();
        let wanted = wanted(case(&project));
        let as_before = project.tree();
        let plan = look(&project, &wanted).unwrap();
        let check = shown(&plan, |plan, screen| {
            check_screen(plan, true, "run `toolcontract gen`", screen).unwrap();
        });
        assert_eq!(project.tree(), as_before, "{name}: a check wrote");
        plan.apply(&LocalDisk).unwrap();
        let write = shown(&plan, |plan, screen| {
            write_screen(plan, false, screen).unwrap()
        });
        let again = look(&project, &wanted).unwrap();
        assert!(again.is_clean(), "{name}: not healed");
        expected.text(name, format!("gen --check --diff\n{check}\ngen\n{write}"));
    }
    expected.finish();
}

fn shown(plan: &Plan, show: impl Fn(&Plan, &mut Screen<'_>)) -> String {
    let mut out = Vec::new();
    show(plan, &mut Screen::new(&mut out, false));
    String::from_utf8(out).unwrap()
}
