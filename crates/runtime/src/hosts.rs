//! For whom a request is. A browser that was talked into sending one (DNS rebinding) names another
//! host; so a server on the loopback address answers only to loopback names, and to those that
//! were allowed.

use axum::http::{HeaderMap, Uri, header, uri::Authority};

/// The names that a server answers to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct AllowedHosts {
    /// None: every name.
    names: Option<Vec<Name>>,
}

/// A name, in lower case and without the brackets of an address, and the port where only one counts.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Name {
    host: String,
    port: Option<u16>,
}

/// How every machine calls itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl Name {
    fn of(authority: &Authority) -> Self {
        let host = authority.host().trim_matches(['[', ']']);
        Self {
            host: host.to_ascii_lowercase(),
            port: authority.port_u16(),
        }
    }

    /// A name as somebody wrote it: a host, or a host and a port.
    fn written(text: &str) -> Self {
        match text.parse() {
            Ok(authority) if text.parse::<std::net::Ipv6Addr>().is_err() => Self::of(&authority),
            _ => Self {
                host: text.trim_matches(['[', ']']).to_ascii_lowercase(),
                port: None,
            },
        }
    }
}

impl AllowedHosts {
    /// The names of a server at `address`: of a loopback one the loopback names and `further`; of
    /// another one `further`, or every name where there is none.
    #[cfg(feature = "serve")]
    pub(crate) fn at(address: std::net::SocketAddr, further: &[String]) -> Self {
        match (address.ip().is_loopback(), further.is_empty()) {
            (true, _) => Self::loopback_and(further),
            (false, true) => Self { names: None },
            (false, false) => Self {
                names: Some(further.iter().map(|name| Name::written(name)).collect()),
            },
        }
    }

    /// The loopback names and `further`.
    pub(crate) fn loopback_and(further: &[String]) -> Self {
        let further = further.iter().map(String::as_str);
        let names = LOOPBACK.into_iter().chain(further).map(Name::written);
        Self {
            names: Some(names.collect()),
        }
    }

    fn allows(&self, authority: &Authority) -> bool {
        let has_user = authority.as_str().contains('@');
        let asked = Name::of(authority);
        let fits = |name: &Name| {
            name.host == asked.host && name.port.is_none_or(|port| Some(port) == asked.port)
        };
        !has_user
            && self
                .names
                .as_ref()
                .is_none_or(|names| names.iter().any(fits))
    }

    /// Whether a request is for this server. One that does not say for whom it is, or says it in
    /// two ways, is not.
    pub(crate) fn admit(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let named = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.as_bytes().try_into().ok(),
            (None | Some(_), _) => None,
        };
        named.is_some_and(|host: Authority| self.allows(&host))
            && uri.authority().is_none_or(|host| self.allows(host))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[cfg(feature = "serve")]
    fn allows(address: &str, further: &[&str], host: &str) -> bool {
        let (Ok(address), Ok(host)) = (address.parse(), host.parse()) else {
            return false;
        };
        AllowedHosts::at(address, &owned(further)).allows(&host)
    }

    #[test]
    fn a_port_counts_where_one_was_written() {
        let hosts = owned(&["tools.example", "one.example:8080", "::2", "[::3]:1"]);
        let hosts = AllowedHosts::loopback_and(&hosts);
        let allows = |host: &str| hosts.allows(&host.parse().expect(host));
        for host in [
            "tools.example:1",
            "ONE.example:8080",
            "[::2]:7",
            "[::3]:1",
            "[::1]",
        ] {
            assert!(allows(host), "{host}");
        }
        for host in ["one.example", "one.example:80", "[::3]", "[::3]:2", "[::4]"] {
            assert!(!allows(host), "{host}");
        }
    }

    #[test]
    fn a_request_says_once_for_whom_it_is() {
        let hosts = AllowedHosts::loopback_and(&[]);
        let admits = |uri: &'static str, named: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for host in named {
                headers.append(header::HOST, HeaderValue::from_static(host));
            }
            hosts.admit(&Uri::from_static(uri), &headers)
        };
        assert!(admits("/mcp", &["localhost:1"]));
        assert!(admits("http://127.0.0.1:1/mcp", &["localhost:1"]));
        assert!(!admits("/mcp", &[]));
        assert!(!admits("/mcp", &["localhost", "evil.example"]));
        assert!(!admits("/mcp", &["evil.example", "localhost"]));
        assert!(!admits("http://evil.example/mcp", &["localhost"]));
        assert!(!admits("http://localhost/mcp", &["evil.example"]));
    }

    #[cfg(feature = "serve")]
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

    #[cfg(feature = "serve")]
    #[test]
    fn another_server_answers_to_what_it_was_told() {
        assert!(allows("0.0.0.0:0", &[], "any.example"));
        assert!(!allows("0.0.0.0:0", &["tools.example"], "localhost"));
    }
}
