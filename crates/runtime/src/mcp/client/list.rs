//! Every page of what a server lists, as text. Refuses a list that does not end: a cursor that
//! comes back, too many pages, too many bytes.

use std::{collections::HashSet, time::Duration};

use rmcp::{
    Peer, RoleClient,
    model::{ClientRequest, ListToolsRequest, PaginatedRequestParams},
    service::ServiceError,
};
use toolcontract_manifest::{
    import::{self, ImportError, Imported, Origin},
    members::Members,
};

use super::{raw, told};

/// The most pages of one list.
const MAX_PAGES: usize = 1_000;
/// The most bytes of all of them.
const MAX_BYTES: usize = 32 << 20;

/// Why a server's list is of no use.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListError {
    /// The server did not answer, or with an error.
    #[error("the server did not list its tools: {0}")]
    Refused(String),
    /// It took too long.
    #[error("the server had {} s to list its tools; give it more if it is only slow", time.as_secs())]
    Slow {
        /// How long it had, where it is the first list together with its start.
        time: Duration,
    },
    /// The result is not one of `tools/list`.
    #[error("what the server answered is no list of tools")]
    NoList,
    /// The same cursor came back.
    #[error("the list does not end: the cursor of page {page} was there before")]
    Circular {
        /// From 1.
        page: usize,
    },
    /// More pages than are read.
    #[error("the list has more than {MAX_PAGES} pages")]
    TooManyPages,
    /// More bytes than are read.
    #[error("the list has more than {} MiB, or a page of it more than {}", MAX_BYTES >> 20, raw::MAX_MESSAGE >> 20)]
    TooLarge,
    /// The whole cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ImportError),
}

impl From<ServiceError> for ListError {
    fn from(error: ServiceError) -> Self {
        Self::Refused(told::of_request(&error))
    }
}

/// The result of each page, in order.
pub(super) async fn pages(peer: &Peer<RoleClient>) -> Result<Vec<String>, ListError> {
    let mut pages = Vec::new();
    let mut seen = HashSet::new();
    let mut bytes = 0;
    let mut cursor = None;
    loop {
        let page = page(peer, cursor).await?;
        bytes += page.len();
        if bytes > MAX_BYTES {
            return Err(ListError::TooLarge);
        }
        let next = next_cursor(&page)?;
        pages.push(page);
        // An empty cursor is one too.
        let Some(next) = next else { return Ok(pages) };
        if !seen.insert(next.clone()) {
            return Err(ListError::Circular { page: pages.len() });
        }
        if pages.len() >= MAX_PAGES {
            return Err(ListError::TooManyPages);
        }
        cursor = Some(next);
    }
}

async fn page(peer: &Peer<RoleClient>, cursor: Option<String>) -> Result<String, ListError> {
    let mut request = ListToolsRequest::default();
    if let Some(cursor) = cursor {
        request.params = Some(PaginatedRequestParams::default().with_cursor(Some(cursor)));
    }
    let result = peer
        .send_request(ClientRequest::ListToolsRequest(request))
        .await?;
    raw::text(result).ok_or(ListError::TooLarge)
}

fn next_cursor(page: &str) -> Result<Option<String>, ListError> {
    let members: Members<'_> = serde_json::from_str(page).map_err(|_| ListError::NoList)?;
    // A server of the later era says of which kind a result is.
    if !matches!(members.get("resultType"), None | Some(r#""complete""#)) {
        return Err(ListError::NoList);
    }
    match members.get("nextCursor") {
        None | Some("null") => Ok(None),
        Some(text) => serde_json::from_str(text)
            .map(Some)
            .map_err(|_| ListError::NoList),
    }
}

/// What is to be made of the pages of `server`: manifests, what is quarantined, what is odd.
pub(super) fn imported(server: &str, pages: &[String]) -> Result<Imported, ListError> {
    let origin = Origin {
        file: "tools/list",
        server: Some(server),
    };
    Ok(import::mcp(pages.join("\n").as_bytes(), &origin)?)
}
