//! The frames of one turn: numbered when they are put in, kept for a host that resumes, and
//! bounded. An event that finds too many unread frames is dropped and counted before it has a
//! number, so the numbers have no gaps; every other frame is kept until it was read, and a request
//! until it was answered.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::{Notify, watch};
use toolcontract_protocol::frame::{Frame, KnownFrame, ServerFrame};

use super::limits::ServeLimits;
use crate::clock::Clock;

/// One frame as it is sent: its number, and its JSON on one line.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    /// None for what is said about the stream itself.
    pub(super) seq: Option<u64>,
    pub(super) text: Arc<str>,
}

/// Whether somebody reads, on the monotonic clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// Somebody is connected.
    Attached,
    /// Nobody is, since then.
    Detached(Duration),
}

/// The frames of one turn.
pub(super) struct History {
    limits: ServeLimits,
    clock: Arc<dyn Clock>,
    frames: Mutex<Frames>,
    changed: Notify,
    presence: watch::Sender<Presence>,
}

impl std::fmt::Debug for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("History")
            .field("frames", &self.frames())
            .finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct Kept {
    text: Arc<str>,
    /// A request that nobody has answered.
    is_open: bool,
}

#[derive(Debug, Default)]
struct Frames {
    kept: BTreeMap<u64, Kept>,
    kept_bytes: usize,
    last: u64,
    /// All up to here were handed to a connection.
    read: u64,
    unread_bytes: usize,
    /// All after here are kept; before it only requests that nobody has answered.
    whole_after: u64,
    /// Requests that nobody has answered: id to number.
    open: HashMap<String, u64>,
    is_over: bool,
    /// When a connection last took a frame, or there first was one that it could take.
    moved: Duration,
}

/// What a host finds that asks for frames.
#[derive(Debug)]
pub(super) enum Attach {
    /// The frames from there on.
    Reader(Reader),
    /// Somebody else reads.
    Taken,
    /// There is no frame of that number yet; the last one has this.
    Ahead(u64),
}

/// Hands out the frames of a turn. One at a time; dropping it parks the turn.
#[derive(Debug)]
pub(super) struct Reader {
    history: Arc<History>,
    after: u64,
    /// To be said first.
    truncated: Option<Sent>,
}

impl History {
    pub(super) fn new(limits: ServeLimits, clock: &Arc<dyn Clock>) -> Arc<Self> {
        let now = clock.monotonic();
        Arc::new(Self {
            limits,
            clock: Arc::clone(clock),
            frames: Mutex::default(),
            changed: Notify::new(),
            presence: watch::Sender::new(Presence::Detached(now)),
        })
    }

    /// An event; false when it was dropped.
    pub(super) fn event(&self, frame: KnownFrame) -> bool {
        let mut frames = self.frames();
        let unread = usize::try_from(frames.last - frames.read).unwrap_or(usize::MAX);
        let is_full = unread >= self.limits.queue || frames.unread_bytes >= self.limits.queue_bytes;
        if is_full || frames.is_over {
            return false;
        }
        self.put(&mut frames, frame, false);
        true
    }

    /// A request with the id `id`; kept until [`Self::settle`] is told of it. False when the turn
    /// is over.
    pub(super) fn request(&self, id: &str, frame: KnownFrame) -> bool {
        let mut frames = self.frames();
        if frames.is_over {
            return false;
        }
        let seq = self.put(&mut frames, frame, true);
        frames.open.insert(id.to_owned(), seq);
        true
    }

    /// Nobody waits for an answer to the request `id` any more.
    pub(super) fn settle(&self, id: &str) {
        let mut frames = self.frames();
        let Some(seq) = frames.open.remove(id) else {
            return;
        };
        if seq <= frames.whole_after {
            frames.forget(seq);
        } else if let Some(kept) = frames.kept.get_mut(&seq) {
            kept.is_open = false;
        }
    }

    /// The last frame.
    pub(super) fn end(&self, frame: KnownFrame) {
        let mut frames = self.frames();
        if !frames.is_over {
            self.put(&mut frames, frame, false);
            frames.is_over = true;
        }
    }

    fn put(&self, frames: &mut Frames, frame: KnownFrame, is_open: bool) -> u64 {
        if frames.read == frames.last {
            frames.moved = self.clock.monotonic();
        }
        let seq = frames.last + 1;
        frames.last = seq;
        let text = written(Some(seq), frame);
        frames.kept_bytes += text.len();
        frames.unread_bytes += text.len();
        frames.kept.insert(seq, Kept { text, is_open });
        frames.evict(&self.limits);
        self.changed.notify_waiters();
        seq
    }

    /// A reader of everything after the number `after`.
    pub(super) fn attach(self: &Arc<Self>, after: u64) -> Attach {
        // Whoever has frames that there never were has those of something else; the requests among
        // ours would wait for an answer in vain.
        let last = self.frames().last;
        if after > last {
            return Attach::Ahead(last);
        }
        let is_free = self.presence.send_if_modified(|presence| {
            let is_free = matches!(presence, Presence::Detached(_));
            *presence = Presence::Attached;
            is_free
        });
        if !is_free {
            return Attach::Taken;
        }
        let mut frames = self.frames();
        frames.moved = self.clock.monotonic();
        let truncated = (after < frames.whole_after).then(|| Sent {
            seq: None,
            text: written(
                None,
                KnownFrame::ReplayTruncated {
                    requested_after: after,
                    oldest_retained: frames.whole_after + 1,
                },
            ),
        });
        Attach::Reader(Reader {
            history: Arc::clone(self),
            after,
            truncated,
        })
    }

    /// Whether somebody reads.
    pub(super) fn presence(&self) -> watch::Receiver<Presence> {
        self.presence.subscribe()
    }

    /// Since when a connection has left frames unread that it could have; none when it has not.
    pub(super) fn stuck_since(&self) -> Option<Duration> {
        let frames = self.frames();
        (frames.read < frames.last).then_some(frames.moved)
    }

    /// How many frames are kept, and how many bytes they have.
    pub(super) fn kept(&self) -> (usize, usize) {
        let frames = self.frames();
        (frames.kept.len(), frames.kept_bytes)
    }

    fn frames(&self) -> MutexGuard<'_, Frames> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Frames {
    /// Forgets the oldest frames that were read, but for requests that nobody has answered.
    fn evict(&mut self, limits: &ServeLimits) {
        while self.whole_after < self.read
            && (self.kept.len() > limits.history || self.kept_bytes > limits.history_bytes)
        {
            self.whole_after += 1;
            let seq = self.whole_after;
            if self.kept.get(&seq).is_some_and(|kept| !kept.is_open) {
                self.forget(seq);
            }
        }
    }

    fn forget(&mut self, seq: u64) {
        if let Some(kept) = self.kept.remove(&seq) {
            self.kept_bytes = self.kept_bytes.saturating_sub(kept.text.len());
        }
    }
}

impl Reader {
    /// The next frame; waits for it. None when the turn is over and all was read.
    pub(super) async fn next(&mut self) -> Option<Sent> {
        if let Some(truncated) = self.truncated.take() {
            return Some(truncated);
        }
        let history = Arc::clone(&self.history);
        loop {
            let changed = history.changed.notified();
            tokio::pin!(changed);
            // Before looking, so that nothing is missed in between.
            changed.as_mut().enable();
            {
                let mut frames = history.frames();
                frames.moved = history.clock.monotonic();
                let next = frames
                    .kept
                    .range(self.after + 1..)
                    .next()
                    .map(|(seq, kept)| (*seq, Arc::clone(&kept.text)));
                if let Some((seq, text)) = next {
                    self.after = seq;
                    if seq > frames.read {
                        frames.read = seq;
                        frames.unread_bytes = frames.unread_bytes.saturating_sub(text.len());
                        frames.evict(&history.limits);
                    }
                    return Some(Sent {
                        seq: Some(seq),
                        text,
                    });
                }
                if frames.is_over {
                    return None;
                }
            }
            changed.await;
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let now = self.history.clock.monotonic();
        self.history.presence.send_replace(Presence::Detached(now));
    }
}

/// A frame as JSON on one line.
fn written(seq: Option<u64>, frame: KnownFrame) -> Arc<str> {
    let frame = ServerFrame {
        seq,
        frame: Frame::Known(Box::new(frame)),
    };
    serde_json::to_string(&frame).unwrap_or_default().into()
}
