//! What a connection knows of its server now: the definitions that it lists, who waits for
//! progress, and how often the list has changed.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard},
};

use rmcp::{
    ClientHandler, RoleClient,
    model::{
        ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam, ProgressToken,
        ProtocolVersion, RequestId,
    },
    service::NotificationContext,
};
use tokio::sync::{mpsc, watch};

use super::remote::Heard;
use crate::ctx::Progress;

/// How many signs of life of one call wait.
const WAITING: usize = 16;
/// The longest message of one, in characters.
const MESSAGE: usize = 400;

/// What a connection knows of its server.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Digests of the definitions as served, by their names as served.
    definitions: RwLock<HashMap<String, String>>,
    listeners: Mutex<HashMap<ProgressToken, mpsc::Sender<Progress>>>,
    changes: watch::Sender<u64>,
    /// Whether nobody knows just now if the list is still what it was.
    in_doubt: watch::Sender<bool>,
    /// Requests whose results stay text.
    awaited: Mutex<HashSet<RequestId>>,
    /// Calls that were answered without going out.
    held_back: Mutex<HashSet<RequestId>>,
}

impl State {
    /// Digest of what is listed as `tool` now.
    pub(super) fn digest(&self, tool: &str) -> Option<String> {
        let known = self
            .definitions
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        known.get(tool).cloned()
    }

    /// Takes a new list for what is served now. One that was asked for before the `changes` that
    /// there are is none: what it says may be from before and after.
    pub(super) fn learn(&self, definitions: HashMap<String, String>, changes: u64) {
        let mut known = self.known();
        if self.count() == changes {
            *known = definitions;
        }
    }

    /// Until the new list is known, no call is of what was listed.
    pub(super) fn forget_all(&self) {
        let mut known = self.known();
        known.clear();
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// How often the server said that its list has changed.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The same, now.
    pub(super) fn count(&self) -> u64 {
        *self.changes.borrow()
    }

    /// Whether `definitions` are what is known.
    pub(super) fn is_known(&self, definitions: &HashMap<String, String>) -> bool {
        *self.known() == *definitions
    }

    /// Says that the list may have changed unheard: calls wait until [`Self::settle`].
    pub(super) fn doubt(&self) {
        self.in_doubt.send_replace(true);
    }

    /// Whether there is a doubt.
    pub(super) fn is_in_doubt(&self) -> bool {
        *self.in_doubt.borrow()
    }

    /// Ends a doubt.
    pub(super) fn settle(&self) {
        self.in_doubt.send_replace(false);
    }

    /// Ends when there is no doubt.
    pub(super) async fn settled(&self) {
        // The sender is here as long as this is.
        let _ = self.in_doubt.subscribe().wait_for(|doubt| !doubt).await;
    }

    fn known(&self) -> RwLockWriteGuard<'_, HashMap<String, String>> {
        self.definitions
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The requests whose results stay text.
    pub(super) fn awaited(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.awaited.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the call `id` was answered without going out.
    #[cfg(feature = "mcp-http")]
    pub(super) fn hold_back(&self, id: &RequestId) {
        self.held().insert(id.clone());
    }

    /// Whether the call `id` was answered without going out; asked once.
    pub(super) fn was_held_back(&self, id: &RequestId) -> bool {
        self.held().remove(id)
    }

    fn held(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.held_back
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Listens to the progress of one call.
    pub(super) fn listen(self: &Arc<Self>, token: &ProgressToken) -> Heard {
        let (sender, progress) = mpsc::channel(WAITING);
        self.listeners().insert(token.clone(), sender);
        Heard {
            progress,
            token: token.clone(),
            state: Arc::clone(self),
        }
    }

    pub(super) fn forget(&self, token: &ProgressToken) {
        self.listeners().remove(token);
    }

    fn listeners(&self) -> MutexGuard<'_, HashMap<ProgressToken, mpsc::Sender<Progress>>> {
        self.listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a server may say on its own. It may ask for nothing.
pub(super) struct Ear(pub(super) Arc<State>);

impl ClientHandler for Ear {
    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new("toolcontract", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), us)
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let listener = self.0.listeners().get(&params.progress_token).cloned();
        if let Some(listener) = listener {
            // One too many is dropped.
            let _ = listener.try_send(step(&params));
        }
    }
}

fn step(params: &ProgressNotificationParam) -> Progress {
    let count = |number: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "only what is whole and within range is taken"
        )]
        (number.fract() == 0.0 && (0.0..9e15).contains(&number)).then_some(number as u64)
    };
    let done = count(params.progress);
    Progress {
        message: params
            .message
            .as_deref()
            .map(|message| crate::text::one_line(message, MESSAGE)),
        done,
        total: params.total.and_then(count).filter(|_| done.is_some()),
        ..Progress::stage("running")
    }
}
