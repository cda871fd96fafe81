//! A future whose panic is a value.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
};

use crate::tool::BoxFuture;

/// The future panicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Panicked;

/// Gives `Err` where the future would panic, also where dropping it would.
pub(super) struct CatchPanic<'a, T>(Option<BoxFuture<'a, T>>);

impl<'a, T> CatchPanic<'a, T> {
    pub(super) fn new(future: BoxFuture<'a, T>) -> Self {
        Self(Some(future))
    }
}

impl<T> Future for CatchPanic<'_, T> {
    type Output = Result<T, Panicked>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(future) = &mut self.0 else {
            return Poll::Ready(Err(Panicked));
        };
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
            Err(_) => Poll::Ready(Err(Panicked)),
        }
    }
}

impl<T> Drop for CatchPanic<'_, T> {
    fn drop(&mut self) {
        let future = self.0.take();
        let _ = catch_unwind(AssertUnwindSafe(|| drop(future)));
    }
}
