//! What the official clients see of servers behind `toolgate proxy`, scene by scene.

use std::path::Path;

use crate::mcp_server::node;

#[test]
fn the_scenes_go_as_they_are_written() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/mcp_client/scenes");
    node(
        "scenes.mjs",
        &[
            (
                "TOOLCONTRACT_TOOLGATE",
                env!("CARGO_BIN_EXE_toolgate-under-test"),
            ),
            ("TOOLCONTRACT_ROOT", root.to_str().unwrap()),
            ("TOOLCONTRACT_SCENES", scenes.to_str().unwrap()),
        ],
    );
}
