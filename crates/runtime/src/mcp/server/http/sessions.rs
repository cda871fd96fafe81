//! The sessions of clients before 2026-07-28, of which there are only so many. One that nobody uses
//! ends, and makes room.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::http::HeaderMap;
use futures_util::stream::Stream;
use rmcp::{
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::{
        WorkerTransport,
        streamable_http_server::session::{
            ServerSseMessage, SessionId, SessionManager,
            local::{LocalSessionManager, LocalSessionManagerError, LocalSessionWorker},
        },
    },
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::HttpLimits;

/// The place of a session that may begin.
pub(super) type Place = OwnedSemaphorePermit;

/// The header that names a session.
pub(super) const SESSION: &str = "mcp-session-id";

tokio::task_local! {
    /// Of the request that is being answered.
    static PLACE: Mutex<Option<Place>>;
}

/// Sessions, up to a limit.
pub(super) struct Sessions {
    local: LocalSessionManager,
    places: Arc<Semaphore>,
    taken: Mutex<HashMap<SessionId, Place>>,
}

/// Why a session does not go on.
#[derive(Debug, thiserror::Error)]
pub(super) enum SessionError {
    #[error("there is no place for a further session")]
    NoPlace,
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
}

impl Sessions {
    pub(super) fn new(limits: &HttpLimits) -> Self {
        let mut local = LocalSessionManager::default();
        local.session_config.keep_alive = Some(limits.session_idle);
        let places = limits.sessions.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            local,
            places: Arc::new(Semaphore::new(places)),
            taken: Mutex::default(),
        }
    }

    /// The place of a further session. None when all are taken.
    pub(super) fn place(&self) -> Option<Place> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// Whether a request names a session that there is, or none at all.
    pub(super) fn has(&self, headers: &HeaderMap) -> bool {
        headers.get(SESSION).is_none_or(|id| {
            let id = id.to_str().ok();
            id.is_some_and(|id| self.taken().contains_key(id))
        })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<SessionId, Place>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers a request, which may begin a session at `place`.
pub(super) async fn beginning_at<T>(place: Option<Place>, answer: impl Future<Output = T>) -> T {
    PLACE.scope(Mutex::new(place), answer).await
}

impl SessionManager for Sessions {
    type Error = SessionError;
    type Transport = WorkerTransport<LocalSessionWorker>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), SessionError> {
        let place = PLACE.try_with(|place| {
            let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
            place.take()
        });
        let Ok(Some(place)) = place else {
            return Err(SessionError::NoPlace);
        };
        let (id, transport) = self.local.create_session().await?;
        self.taken().insert(id.clone(), place);
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, SessionError> {
        Ok(self.local.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, SessionError> {
        Ok(self.local.has_session(id).await?)
    }

    /// Comes also when a session ends by itself.
    async fn close_session(&self, id: &SessionId) -> Result<(), SessionError> {
        let closed = self.local.close_session(id).await;
        self.taken().remove(id);
        Ok(closed?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionError> {
        Ok(self.local.create_stream(id, message).await?)
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), SessionError> {
        Ok(self.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionError> {
        Ok(self.local.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionError> {
        Ok(self.local.resume(id, last_event_id).await?)
    }
}
