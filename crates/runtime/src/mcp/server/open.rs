//! The requests of one connection that wait for an answer: how many there may be, that no two share
//! an id, and which page of the list an answer is, so that a page is encoded once and not for each
//! request.

use std::{
    collections::{HashMap, hash_map::Entry},
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rmcp::model::{
    ErrorData, JsonRpcMessage, JsonRpcResponse, RequestId, ServerJsonRpcMessage, ServerResult,
};
use serde_json::value::to_raw_value;

use super::catalog::Page;
use crate::mcp::{frame::Refusal, line::line};

/// How many requests of one client may be open.
const MAX_OPEN: usize = 1024;

/// The requests that wait, each with the page that it will be answered with.
#[derive(Debug, Default)]
pub(super) struct Open(Mutex<HashMap<RequestId, Option<Arc<Page>>>>);

impl Open {
    /// A request came.
    pub(super) fn open(&self, id: &RequestId) -> Result<(), Box<Refusal>> {
        let mut all = self.all();
        let full = all.len() >= MAX_OPEN;
        let what = match all.entry(id.clone()) {
            Entry::Occupied(_) => "a request of this id is still open",
            Entry::Vacant(_) if full => "too many requests are open; wait for answers",
            Entry::Vacant(place) => {
                place.insert(None);
                return Ok(());
            }
        };
        Err(Refusal::of(id, ErrorData::invalid_request(what, None)))
    }

    /// The client does not wait any more.
    pub(super) fn close(&self, id: &RequestId) {
        self.all().remove(id);
    }

    /// The answer to the request `id` will be `page`; what the answer then says does not matter
    /// once the page was sent.
    pub(super) fn answer_with(&self, id: &RequestId, page: Arc<Page>) {
        if let Some(place) = self.all().get_mut(id) {
            *place = Some(page);
        }
    }

    /// `message` as a line. The request that it answers is open no longer.
    ///
    /// # Errors
    /// When the message has no form as JSON.
    pub(super) fn line(&self, message: &ServerJsonRpcMessage) -> io::Result<Vec<u8>> {
        let response = match message {
            JsonRpcMessage::Response(response) => response,
            JsonRpcMessage::Error(error) => {
                if let Some(id) = &error.id {
                    self.close(id);
                }
                return line(message);
            }
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => return line(message),
        };
        let page = self.all().remove(&response.id).flatten();
        let (Some(page), ServerResult::ListToolsResult(result)) = (page, &response.result) else {
            return line(message);
        };
        let sent = match page.sent.get() {
            Some(sent) => sent,
            None => {
                let sent = to_raw_value(result)?;
                page.sent.get_or_init(|| sent)
            }
        };
        line(&JsonRpcResponse {
            jsonrpc: response.jsonrpc,
            id: response.id.clone(),
            result: sent,
        })
    }

    fn all(&self) -> MutexGuard<'_, HashMap<RequestId, Option<Arc<Page>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
