//! News of a server of the later era, which tells that its list has changed only to who has asked
//! for it. A stream of news that breaks is asked for again; what the server lists then is held
//! against what is known, since nobody has heard what happened in between, and calls wait for it.

use std::{collections::HashMap, sync::Arc, time::Duration};

use rmcp::{
    Peer, RoleClient,
    model::{ErrorCode, SubscriptionFilter},
    service::{ServiceError, Subscription},
};
use tokio::{
    sync::oneshot,
    task::JoinSet,
    time::{Instant, timeout, timeout_at},
};

use super::{list, state::State};

/// How long it is waited at the beginning for a server to say that it will tell.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long a list that is held against what is known may take.
const LIST: Duration = Duration::from_secs(10);
/// How long it takes until a stream is asked for again that broke soon: the first time, and at most.
const AGAIN: Duration = Duration::from_millis(250);
const AGAIN_AT_MOST: Duration = Duration::from_secs(300);
/// How long a stream lasts that did not break soon.
const CALM: Duration = Duration::from_secs(10);

/// Listens to the news of the server `name`, where it is of the later era and has some, until what
/// is given back goes. Waits a little, and until `deadline` at most, for the server to say that it
/// will tell: what changed before that is in the list that is read next.
pub(super) async fn listen(
    name: &str,
    peer: &Peer<RoleClient>,
    state: &Arc<State>,
    deadline: Instant,
) -> JoinSet<()> {
    let mut listening = JoinSet::new();
    if has_news(peer) {
        let (begun, heard) = oneshot::channel();
        let news = News {
            server: name.to_owned(),
            peer: peer.clone(),
            state: Arc::clone(state),
            begun: Some(begun),
        };
        listening.spawn(news.follow());
        // Without an answer it goes on; one that comes later is a change.
        let _ = timeout_at(deadline.min(Instant::now() + PATIENCE), heard).await;
    }
    listening
}

/// Whether the server is of the later era, and says that it tells of changes of its list.
fn has_news(peer: &Peer<RoleClient>) -> bool {
    let Some(info) = peer.peer_info() else {
        return false;
    };
    let tools = info.capabilities.tools.as_ref();
    !info.protocol_version.has_initialize()
        && tools.is_some_and(|tools| tools.list_changed == Some(true))
}

struct News {
    server: String,
    peer: Peer<RoleClient>,
    state: Arc<State>,
    /// Who waits for the first stream.
    begun: Option<oneshot::Sender<()>>,
}

impl News {
    /// Listens for as long as there is a connection and the server offers news.
    async fn follow(mut self) {
        let mut wait = Duration::ZERO;
        loop {
            let since = Instant::now();
            match self.stream().await {
                Ok(stream) if stream.acknowledged().tools_list_changed != Some(true) => break,
                Ok(stream) => self.hear(stream).await,
                Err(ServiceError::McpError(error)) if error.code == ErrorCode::METHOD_NOT_FOUND => {
                    break;
                }
                Err(_) => self.missed(),
            }
            if self.peer.is_transport_closed() {
                break;
            }
            if since.elapsed() >= CALM {
                wait = Duration::ZERO;
            }
            if !wait.is_zero() {
                self.missed();
                tokio::time::sleep(wait).await;
            }
            wait = (wait * 2).clamp(AGAIN, AGAIN_AT_MOST);
        }
        self.missed();
    }

    /// A stream of news. Where calls wait for it, it is not waited for long.
    async fn stream(&self) -> Result<Subscription, ServiceError> {
        let listen = self.peer.listen(filter());
        match self.state.is_in_doubt() {
            true => timeout(PATIENCE, listen)
                .await
                .unwrap_or_else(|_| Err(ServiceError::Timeout { timeout: PATIENCE })),
            false => listen.await,
        }
    }

    /// Takes what is told, until the stream breaks. Each change was noted where it came in.
    async fn hear(&mut self, mut stream: Subscription) {
        let is_first = self
            .begun
            .take()
            .is_some_and(|begun| begun.send(()).is_ok());
        if !is_first {
            self.compare().await;
        }
        while let Ok(Some(_)) = stream.next().await {}
        self.state.doubt();
    }

    /// Holds what is listed now against what is known.
    async fn compare(&self) {
        let listed = timeout(LIST, list::pages(&self.peer)).await;
        let listed = listed.ok().and_then(Result::ok);
        let listed = listed.and_then(|pages| list::imported(&self.server, &pages).ok());
        let same = listed.is_some_and(|imported| {
            let tools = imported.tools.into_iter();
            let listed: HashMap<String, String> = tools
                .map(|tool| (tool.manifest.wire_name.unwrap_or_default(), tool.digest))
                .collect();
            self.state.is_known(&listed)
        });
        if !same {
            self.state.forget_all();
        }
        self.state.settle();
    }

    /// Nobody tells what happens: what is known counts no more, until somebody reads the list.
    fn missed(&mut self) {
        let is_first = self.begun.take().is_some();
        if !is_first && self.state.is_in_doubt() {
            self.state.forget_all();
        }
        self.state.settle();
    }
}

fn filter() -> SubscriptionFilter {
    SubscriptionFilter::builder().tools_list_changed().build()
}
