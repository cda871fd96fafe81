//! `get_state`: a page of an entry, whole characters only.

use std::sync::Arc;

use stella_contracts::get_state::{Contract, Input, Output};
use toolcontract_protocol::ErrorClass;
use toolcontract_runtime::{
    ctx::ToolCtx,
    tool::{Tool, ToolError},
};

use super::Store;

/// `get_state` from a store.
#[derive(Debug)]
pub struct GetState(pub Arc<Store>);

impl Tool for GetState {
    type Contract = Contract;

    async fn call(&self, input: Input, ctx: &ToolCtx) -> Result<Output, ToolError> {
        let Some(text) = self.0.get(ctx.session_id(), &input.key) else {
            let message = format!("nothing is stored under `{}`; see `list_state`", input.key);
            return Err(ToolError::new(ErrorClass::NotFound, message));
        };
        let start = usize::try_from(input.offset_or_default()).unwrap_or(usize::MAX);
        let limit = usize::try_from(input.limit_or_default()).unwrap_or(usize::MAX);
        let page = page(&text, start, limit)
            .map_err(|message| ToolError::new(ErrorClass::InvalidInput, message))?;
        let end = start + page.len();
        Ok(Output {
            key: input.key,
            content: page.to_owned(),
            offset: start as u64,
            next_offset: (end < text.len()).then_some(end as u64),
            total_bytes: text.len() as u64,
        })
    }

    fn render(&self, output: &Output) -> Option<String> {
        let mut text = output.content.clone();
        if let Some(next) = output.next_offset {
            text.push_str(&format!(
                "\n[{} bytes in all; go on with offset {next}]",
                output.total_bytes
            ));
        }
        Some(text)
    }
}

/// At most `limit` bytes of `text` from byte `start` on.
fn page(text: &str, start: usize, limit: usize) -> Result<&str, String> {
    let Some(rest) = text.get(start..) else {
        return Err(if start > text.len() {
            format!(
                "the entry has {} bytes; ask for an `offset` up to that",
                text.len()
            )
        } else {
            "`offset` is inside a character; use the `next_offset` of the page before".to_owned()
        });
    };
    let page = rest.split_at(rest.floor_char_boundary(limit)).0;
    match rest.chars().next() {
        Some(first) if page.is_empty() => Err(format!(
            "the character at `offset` has {} bytes; ask for a `limit` of at least that",
            first.len_utf8()
        )),
        _ => Ok(page),
    }
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn pages_end_on_characters_and_make_progress() {
        assert_eq!(page("aéb", 0, 2), Ok("a"));
        assert_eq!(page("aéb", 1, 2), Ok("é"));
        assert_eq!(page("aéb", 3, 9), Ok("b"));
        assert_eq!(page("aéb", 4, 9), Ok(""));
        assert_eq!(page("", 0, 1), Ok(""));
        assert!(
            page("aéb", 2, 9)
                .unwrap_err()
                .contains("inside a character")
        );
        assert!(page("aéb", 5, 9).unwrap_err().contains("has 4 bytes"));
        assert!(page("é", 0, 1).unwrap_err().contains("at least"));
    }
}
