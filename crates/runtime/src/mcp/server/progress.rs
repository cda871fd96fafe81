//! `tool.call.progress` as notifications of the call that asked for them: numbers only go up, and
//! nothing follows the answer.

use std::sync::Arc;

use rmcp::{
    Peer, RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::event::{TOOL_CALL_PROGRESS, ToolCallProgress};

use crate::ctx::{Event, EventSink};

/// How many wait for a slow client before more are dropped.
const WAITING: usize = 64;

/// Takes the signs of life out of the events of a call.
struct Ear(mpsc::Sender<ToolCallProgress>);

impl EventSink for Ear {
    fn accept(&self, event: Event) -> bool {
        event.envelope.name == TOOL_CALL_PROGRESS
            && serde_json::from_value(event.envelope.payload.into())
                .is_ok_and(|progress| self.0.try_send(progress).is_ok())
    }
}

/// Sends the progress of one call to its client.
pub(super) struct Relay {
    peer: Peer<RoleServer>,
    token: ProgressToken,
    heard: mpsc::Receiver<ToolCallProgress>,
    last: Option<Last>,
}

/// What was sent last.
#[derive(Clone, Copy)]
enum Last {
    /// How much the tool said is finished.
    Done(u64),
    /// Which sign of life it was; the tool does not count.
    Sign(u64),
}

impl Relay {
    /// A relay, and the ear that a caller gives the call.
    pub(super) fn new(peer: Peer<RoleServer>, token: ProgressToken) -> (Self, Arc<dyn EventSink>) {
        let (sender, heard) = mpsc::channel(WAITING);
        let relay = Self {
            peer,
            token,
            heard,
            last: None,
        };
        (relay, Arc::new(Ear(sender)))
    }

    /// Makes `call`, and sends its progress while it runs. What it said last goes out before this
    /// returns.
    pub(super) async fn during<T>(mut self, call: impl Future<Output = T>) -> T {
        let over = CancellationToken::new();
        let call = async {
            let result = call.await;
            over.cancel();
            result
        };
        tokio::join!(call, self.send_until(&over)).0
    }

    async fn send_until(&mut self, over: &CancellationToken) {
        loop {
            let progress = tokio::select! {
                biased;
                progress = self.heard.recv() => progress,
                () = over.cancelled() => self.heard.try_recv().ok(),
            };
            let Some(progress) = progress else { return };
            self.send(&progress).await;
        }
    }

    async fn send(&mut self, progress: &ToolCallProgress) {
        let (next, value) = match (self.last, progress.done) {
            (None | Some(Last::Sign(_)), Some(done)) if self.above_signs(done) => {
                (Last::Done(done), done)
            }
            (Some(Last::Done(last)), Some(done)) if done > last => (Last::Done(done), done),
            (None | Some(Last::Sign(_)), None) => (Last::Sign(progress.seq), progress.seq),
            // It would not go up.
            _ => return,
        };
        #[expect(clippy::cast_precision_loss, reason = "the protocol counts in doubles")]
        let mut param = ProgressNotificationParam::new(self.token.clone(), value as f64);
        if let (Last::Done(_), Some(total)) = (next, progress.total) {
            #[expect(clippy::cast_precision_loss, reason = "the protocol counts in doubles")]
            let total = total as f64;
            param = param.with_total(total);
        }
        param = param.with_message(match &progress.message {
            Some(message) => format!("{}: {message}", progress.stage),
            None => progress.stage.clone(),
        });
        self.last = Some(next);
        // A client that is gone is noticed by the call itself.
        let _ = self.peer.notify_progress(param).await;
    }

    fn above_signs(&self, done: u64) -> bool {
        match self.last {
            Some(Last::Sign(last)) => done > last,
            Some(Last::Done(_)) | None => true,
        }
    }
}
