//! For whom a request is. A browser that was talked into sending one (DNS rebinding) names another
//! host; so a server on the loopback address answers only to loopback names, and to those that
//! were allowed.

use std::{net::Ipv6Addr, str::FromStr};

use axum::http::{HeaderMap, Uri, header, uri::Authority};

use crate::text::one_line;

/// The names that a server answers to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct AllowedHosts {
    /// None: every name.
    names: Option<Vec<HostName>>,
}

/// A name under which clients know a server: a host, and the port where only one counts. Read from
/// text such as `tools.example`, `tools.example:8080`, `192.0.2.7`, `::1` or `[::1]:8080`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostName {
    /// In lower case and without the brackets of an address.
    host: String,
    port: Option<u16>,
}

/// Text is no name of a host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` names no host; write a host such as `tools.example` or `[2001:db8::1]`, with one port where only that counts, such as `tools.example:8080`"
)]
pub struct HostNameError(String);

/// Characters of a text that is shown back.
const SHOWN: usize = 128;
/// The longest name of a host.
const LONGEST: usize = 253;

/// How every machine calls itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

impl HostName {
    fn of(authority: &Authority) -> Self {
        let host = authority.host();
        let port = authority.port_u16();
        match address(host) {
            Some(address) => Self::at(address, port),
            None => Self {
                host: host.to_ascii_lowercase(),
                port,
            },
        }
    }

    fn at(address: Ipv6Addr, port: Option<u16>) -> Self {
        Self {
            host: address.to_string(),
            port,
        }
    }

    /// What every machine calls itself, on any port.
    fn loopback() -> [Self; 3] {
        LOOPBACK.map(|host| Self {
            host: host.to_owned(),
            port: None,
        })
    }
}

/// An address in brackets, as a request names it.
fn address(text: &str) -> Option<Ipv6Addr> {
    text.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// Whether `host` is a name of letters, digits, `-` and `_`, with dots between its parts, or an
/// address of four numbers. Other letters reach no server: a client sends them as `xn--...`.
fn is_name(host: &str) -> bool {
    let part = |part: &str| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        !part.is_empty() && part.bytes().all(fits)
    };
    host.len() <= LONGEST && host.split('.').all(part)
}

impl FromStr for HostName {
    type Err = HostNameError;

    fn from_str(text: &str) -> Result<Self, HostNameError> {
        if let Ok(address) = text.parse() {
            return Ok(Self::at(address, None));
        }
        let refused = || HostNameError(one_line(text, SHOWN));
        let authority: Authority = text.parse().map_err(|_| refused())?;
        let host = authority.host();
        // What is left after the host is `:` and a port, or nothing.
        let rest = text.strip_prefix(host).ok_or_else(refused)?;
        let port = rest.strip_prefix(':').unwrap_or_default();
        let is_port = port.bytes().all(|byte| byte.is_ascii_digit())
            && authority.port_u16().is_some_and(|port| port > 0);
        match (rest.is_empty() || is_port) && (is_name(host) || address(host).is_some()) {
            true => Ok(Self::of(&authority)),
            false => Err(refused()),
        }
    }
}

impl AllowedHosts {
    /// The names of a server at `address`: of a loopback one the loopback names and `further`; of
    /// another one `further`, or every name where there is none.
    #[cfg(feature = "serve")]
    pub(crate) fn at(address: std::net::SocketAddr, further: &[HostName]) -> Self {
        match (address.ip().is_loopback(), further.is_empty()) {
            (true, _) => Self::loopback_and(further),
            (false, true) => Self { names: None },
            (false, false) => Self {
                names: Some(further.to_vec()),
            },
        }
    }

    /// The loopback names and `further`.
    pub(crate) fn loopback_and(further: &[HostName]) -> Self {
        let further = further.iter().cloned();
        Self {
            names: Some(HostName::loopback().into_iter().chain(further).collect()),
        }
    }

    fn allows(&self, authority: &Authority) -> bool {
        let has_user = authority.as_str().contains('@');
        let asked = HostName::of(authority);
        let fits = |name: &HostName| {
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

    fn written(names: &[&str]) -> Vec<HostName> {
        names.iter().map(|name| name.parse().expect(name)).collect()
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for text in [
            "",
            "*",
            "*.example",
            "u@h.example",
            "http://x.example",
            "x.example/",
            "x.example:",
            "x.example:99999",
            "x.example:+80",
            "x.example:0",
            "x.example:http",
            "x..example",
            ".example",
            "a b",
            "b\u{fc}cher.example",
            "[::1",
            "::1]",
            "[x.example]",
            "[::1]x",
            "::g",
            "[::1]:99999",
            "x.example:1:2",
            "?",
            "x\n",
        ] {
            let refused = text.parse::<HostName>().expect_err(text).to_string();
            assert!(
                refused.contains("names no host; write a host such as"),
                "{refused}"
            );
        }
        for text in [
            "x",
            "x.example",
            "X.example:8080",
            "xn--bcher-kva.example",
            "a_b.example",
            "192.0.2.7:1",
            "::1",
            "[::1]",
            "[2001:DB8:0::1]:65535",
        ] {
            text.parse::<HostName>().expect(text);
        }
    }

    #[cfg(feature = "serve")]
    fn allows(address: &str, further: &[&str], host: &str) -> bool {
        let (Ok(address), Ok(host)) = (address.parse(), host.parse()) else {
            return false;
        };
        AllowedHosts::at(address, &written(further)).allows(&host)
    }

    #[test]
    fn a_port_counts_where_one_was_written() {
        let hosts = written(&["tools.example", "one.example:8080", "::2", "[0:0::3]:1"]);
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
