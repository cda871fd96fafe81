//! Host names and the addresses that hold them, as every language here checks them: by their
//! letters. Whether a label in Punycode (`xn--...`) is a word asks for tables that few have, so
//! that is not checked.

use std::{borrow::Cow, sync::LazyLock};

use jsonschema::Validator;
use serde_json::{Value, json};

/// Whether a text is of a format.
type Check = fn(&str) -> bool;

/// The formats that are checked here.
pub(crate) const FORMATS: [(&str, Check); 2] = [("hostname", is_host), ("email", is_mail)];

fn is_host(text: &str) -> bool {
    static HOST: LazyLock<Option<Validator>> = LazyLock::new(|| standard("hostname"));
    accepts(&HOST, &without_punycode(text))
}

fn is_mail(text: &str) -> bool {
    static MAIL: LazyLock<Option<Validator>> = LazyLock::new(|| standard("email"));
    match text.rsplit_once('@') {
        Some((local, domain)) => accepts(&MAIL, &format!("{local}@{}", without_punycode(domain))),
        None => false,
    }
}

/// The check of the validator itself.
fn standard(format: &str) -> Option<Validator> {
    jsonschema::options()
        .offline()
        .should_validate_formats(true)
        .build(&json!({ "format": format }))
        .ok()
}

fn accepts(standard: &Option<Validator>, text: &str) -> bool {
    let text = Value::from(text);
    standard.as_ref().is_some_and(|it| it.is_valid(&text))
}

/// Labels in Punycode become plain ones of the same letters.
fn without_punycode(host: &str) -> Cow<'_, str> {
    let is_punycode = |label: &str| {
        let start = label.get(..4);
        start.is_some_and(|start| start.eq_ignore_ascii_case("xn--"))
    };
    if !host.split('.').any(is_punycode) {
        return Cow::Borrowed(host);
    }
    let labels = host.split('.').map(|label| {
        let rest = label.get(4..).filter(|_| is_punycode(label));
        rest.map_or(Cow::Borrowed(label), |rest| {
            Cow::Owned(format!("xn0-{rest}"))
        })
    });
    Cow::Owned(labels.collect::<Vec<_>>().join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_by_their_letters() {
        for (text, is) in [
            ("a.example", true),
            ("xn--4gbwdl.xn--wgbh1c", true),
            ("XN--AA-----o47jg78q", true),
            ("xn--", false),
            ("xn--a-", false),
            ("xn--\u{e9}", false),
            ("ab--cd.example", false),
            ("a..b", false),
            ("", false),
        ] {
            assert_eq!(is_host(text), is, "{text}");
            assert_eq!(is_mail(&format!("me@{text}")), is, "{text}");
        }
        assert!(!is_mail("a.example"));
    }
}
