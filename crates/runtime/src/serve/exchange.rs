//! What a turn asked its host and waits for. An id is used once: whoever answers it a second time,
//! too late, or without having been asked is told so, and nothing else happens.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

/// How many ids are remembered that nobody waits for any more.
const MAX_SPENT: usize = 4_096;

/// Questions of one kind.
#[derive(Debug)]
pub(super) struct Exchange<T> {
    state: Mutex<State<T>>,
}

#[derive(Debug)]
struct State<T> {
    waiting: HashMap<String, oneshot::Sender<T>>,
    spent: VecDeque<(String, Spent)>,
    is_closed: bool,
}

/// What became of an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spent {
    Answered,
    GivenUp,
}

/// Why an answer was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotTaken {
    /// It was answered already.
    Duplicate,
    /// Nobody waits for it any more.
    Late,
    /// It was never asked, or so long ago that nobody remembers.
    Foreign,
}

/// An answer that is waited for. Dropping it gives it up.
#[derive(Debug)]
pub(super) struct Waiting<T> {
    id: String,
    exchange: Arc<Exchange<T>>,
    receiver: oneshot::Receiver<T>,
}

impl<T> Exchange<T> {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                waiting: HashMap::new(),
                spent: VecDeque::new(),
                is_closed: false,
            }),
        })
    }

    /// Begins to wait for an answer to `id`; none when nobody will answer any more.
    pub(super) fn open(self: &Arc<Self>, id: String) -> Option<Waiting<T>> {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.state();
        if state.is_closed || state.waiting.contains_key(&id) {
            return None;
        }
        state.waiting.insert(id.clone(), sender);
        Some(Waiting {
            id,
            exchange: Arc::clone(self),
            receiver,
        })
    }

    /// Takes an answer.
    pub(super) fn answer(&self, id: &str, answer: T) -> Result<(), NotTaken> {
        let mut state = self.state();
        let Some(sender) = state.waiting.remove(id) else {
            let spent = state.spent.iter().find(|(spent, _)| spent == id);
            return Err(match spent {
                Some((_, Spent::Answered)) => NotTaken::Duplicate,
                Some((_, Spent::GivenUp)) => NotTaken::Late,
                None => NotTaken::Foreign,
            });
        };
        match sender.send(answer) {
            Ok(()) => {
                state.spend(id, Spent::Answered);
                Ok(())
            }
            Err(_) => {
                state.spend(id, Spent::GivenUp);
                Err(NotTaken::Late)
            }
        }
    }

    /// Nobody will answer any more: whoever waits learns it.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let ids: Vec<String> = state.waiting.drain().map(|(id, _)| id).collect();
        for id in ids {
            state.spend(&id, Spent::GivenUp);
        }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    fn spend(&mut self, id: &str, how: Spent) {
        if self.spent.len() >= MAX_SPENT {
            self.spent.pop_front();
        }
        self.spent.push_back((id.to_owned(), how));
    }
}

impl<T> Waiting<T> {
    /// The answer; none when nobody will give one.
    pub(super) async fn answer(&mut self) -> Option<T> {
        (&mut self.receiver).await.ok()
    }
}

impl<T> Drop for Waiting<T> {
    fn drop(&mut self) {
        let mut state = self.exchange.state();
        if state.waiting.remove(&self.id).is_some() {
            state.spend(&self.id, Spent::GivenUp);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_id_is_used_once() {
        let exchange = Exchange::new();
        let waiting = exchange.open("a".to_owned());
        assert_eq!(exchange.answer("b", 1), Err(NotTaken::Foreign));
        assert_eq!(exchange.answer("a", 2), Ok(()));
        assert_eq!(exchange.answer("a", 3), Err(NotTaken::Duplicate));
        let got = match waiting {
            Some(mut waiting) => waiting.answer().await,
            None => None,
        };
        assert_eq!(got, Some(2));
        assert_eq!(exchange.answer("a", 4), Err(NotTaken::Duplicate));
    }

    #[tokio::test]
    async fn what_was_given_up_is_late() {
        let exchange = Exchange::<u8>::new();
        drop(exchange.open("a".to_owned()));
        assert_eq!(exchange.answer("a", 1), Err(NotTaken::Late));
        let waiting = exchange.open("b".to_owned());
        exchange.close();
        let got = match waiting {
            Some(mut waiting) => waiting.answer().await,
            None => Some(9),
        };
        assert_eq!(got, None);
        assert_eq!(exchange.answer("b", 1), Err(NotTaken::Late));
        assert!(exchange.open("c".to_owned()).is_none());
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let exchange = Exchange::<u8>::new();
        for id in 0..2 * MAX_SPENT {
            drop(exchange.open(id.to_string()));
        }
        assert_eq!(exchange.answer("0", 1), Err(NotTaken::Foreign));
        let last = (2 * MAX_SPENT - 1).to_string();
        assert_eq!(exchange.answer(&last, 1), Err(NotTaken::Late));
    }
}
