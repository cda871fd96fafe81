//! When a command is asked to end: what it started ends with it.

/// Ends when the process is asked to end: by a person, by whatever started it, or because its
/// terminal is gone. Any other signal that ends a process leaves no time for what it started.
pub(super) async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let terminate = signal(SignalKind::terminate());
        let hang_up = signal(SignalKind::hangup());
        let quit = signal(SignalKind::quit());
        if let (Ok(mut terminate), Ok(mut hang_up), Ok(mut quit)) = (terminate, hang_up, quit) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
                _ = hang_up.recv() => {}
                _ = quit.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
