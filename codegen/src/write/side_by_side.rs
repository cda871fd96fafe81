//! Work on many files at once that ends soon after the first failure, and tells how far it came.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::error::WriteError;

/// Does all of `work`, or stops soon after the first that fails. Gives what was done, what was
/// not begun, and the failure, each in order.
pub(super) fn side_by_side<T: Send, R: Send>(
    work: Vec<T>,
    one: impl Fn(T) -> Result<R, WriteError> + Sync,
) -> (Vec<R>, Vec<T>, Option<WriteError>) {
    enum End<T, R> {
        Done(R),
        Left(T),
        Failed(WriteError),
    }
    let has_failed = AtomicBool::new(false);
    let ends: Vec<End<T, R>> = work
        .into_par_iter()
        .map(|item| {
            if has_failed.load(Ordering::Relaxed) {
                return End::Left(item);
            }
            match one(item) {
                Ok(done) => End::Done(done),
                Err(error) => {
                    has_failed.store(true, Ordering::Relaxed);
                    End::Failed(error)
                }
            }
        })
        .collect();
    let (mut done, mut left, mut failed) = (Vec::new(), Vec::new(), None);
    for end in ends {
        match end {
            End::Done(one) => done.push(one),
            End::Left(item) => left.push(item),
            End::Failed(error) => failed = failed.or(Some(error)),
        }
    }
    (done, left, failed)
}
