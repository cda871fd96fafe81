//! The HTTP client behind a server elsewhere: certificates as the system judges them, a connection
//! that comes about soon, and redirects that stay within the host.

use std::{
    net::{Ipv4Addr, Ipv6Addr},
    sync::Arc,
    time::Duration,
};

use reqwest::{
    Client, StatusCode,
    header::HeaderMap,
    redirect::{Attempt, Policy},
};
use rustls_platform_verifier::BuilderVerifierExt as _;

use super::address::Address;

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(10);
/// How long a connection may idle; less than servers wait until they close one.
const IDLE: Duration = Duration::from_secs(3);
/// How often a request is sent on within its host.
const MAX_REDIRECTS: usize = 3;

/// Why no request can be made at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpClientError {
    /// The system's certificates cannot be used.
    #[error("certificates cannot be judged on this machine")]
    Tls(#[from] rustls::Error),
    /// The client cannot be made.
    #[error("no HTTP client can be made")]
    Client(#[from] reqwest::Error),
}

/// A client of `address`, with `headers` in each request.
pub(super) fn client(address: &Address, headers: HeaderMap) -> Result<Client, HttpClientError> {
    let mut client = Client::builder()
        .tls_backend_preconfigured(tls()?)
        .default_headers(headers)
        .redirect(Policy::custom(within_the_host))
        .referer(false)
        .connect_timeout(CONNECT)
        .pool_idle_timeout(IDLE);
    if address.is_here() {
        // What this machine is called is not for others to say.
        let here = [
            (Ipv4Addr::LOCALHOST, 0).into(),
            (Ipv6Addr::LOCALHOST, 0).into(),
        ];
        client = client.no_proxy().resolve_to_addrs("localhost", &here);
    }
    Ok(client.build()?)
}

/// Certificates as the system judges them, and `ring` for the rest.
fn tls() -> Result<rustls::ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?;
    Ok(config.with_no_client_auth())
}

/// Follows what stays at the host and keeps the message; the rest is an answer like any other.
fn within_the_host(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let keeps_message = matches!(
        attempt.status(),
        StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT
    );
    let first = attempt.previous().first();
    let stays = first.is_some_and(|first| first.origin() == attempt.url().origin());
    match keeps_message && stays && attempt.previous().len() <= MAX_REDIRECTS {
        true => attempt.follow(),
        false => attempt.stop(),
    }
}
