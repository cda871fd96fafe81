//! For whom a request is. A browser that was talked into sending one (DNS rebinding) names another
//! host; so a server on the loopback address answers only to loopback names, and to those that
//! were allowed.

use std::net::SocketAddr;

use axum::http::{StatusCode, header, request::Parts, uri::Authority};

use super::refusal::Refusal;

/// The names that a server answers to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct AllowedHosts {
    /// Lower case, without a port. None: every name.
    names: Option<Vec<String>>,
}

/// How every machine calls itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl AllowedHosts {
    /// The names of a server at `address`: of a loopback one the loopback names and `further`; of
    /// another one `further`, or every name where there is none.
    pub(super) fn at(address: SocketAddr, further: &[String]) -> Self {
        let further = further.iter().map(|name| name.to_ascii_lowercase());
        let names: Vec<String> = if address.ip().is_loopback() {
            LOOPBACK
                .into_iter()
                .map(str::to_owned)
                .chain(further)
                .collect()
        } else {
            further.collect()
        };
        Self {
            names: (!names.is_empty()).then_some(names),
        }
    }

    fn allows(&self, authority: &Authority) -> bool {
        let host = authority.host().to_ascii_lowercase();
        let has_user = authority.as_str().contains('@');
        !has_user
            && self
                .names
                .as_ref()
                .is_none_or(|names| names.contains(&host))
    }

    /// Refuses a request for another host, and one that does not say for whom it is.
    pub(super) fn check(&self, head: &Parts) -> Result<(), Refusal> {
        let mut hosts = head.headers.get_all(header::HOST).iter();
        let named = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.as_bytes().try_into().ok(),
            (None | Some(_), _) => None,
        };
        let allowed = named.is_some_and(|host: Authority| self.allows(&host))
            && head.uri.authority().is_none_or(|host| self.allows(host));
        if allowed {
            return Ok(());
        }
        Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "wrong_host",
            "the server does not answer to this host name; allow it where the server is started",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(address: &str, further: &[&str], host: &str) -> bool {
        let further: Vec<String> = further.iter().map(|&name| name.to_owned()).collect();
        let (Ok(address), Ok(host)) = (address.parse(), host.parse()) else {
            return false;
        };
        AllowedHosts::at(address, &further).allows(&host)
    }

    #[test]
    fn a_loopback_server_answers_to_loopback_names() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1:8080", "[::1]:1"] {
            assert!(allows("127.0.0.1:0", &[], host), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "localhost@evil.example",
            "127.0.0.2",
        ] {
            assert!(!allows("127.0.0.1:0", &[], host), "{host}");
        }
        assert!(allows(
            "127.0.0.1:0",
            &["Tools.Example"],
            "tools.example:443"
        ));
    }

    #[test]
    fn another_server_answers_to_what_it_was_told() {
        assert!(allows("0.0.0.0:0", &[], "any.example"));
        assert!(!allows("0.0.0.0:0", &["tools.example"], "localhost"));
    }
}
