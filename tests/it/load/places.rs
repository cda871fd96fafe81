//! Where values and keys stand, for every way in which TOML and JSON write them.

use toolcontract_manifest::parse::{Syntax, parse};

/// The text at the value of each pointer, and at its key.
#[track_caller]
fn check(syntax: Syntax, text: &str, expected: &[(&str, &str, &str)]) {
    let parsed = parse("any", syntax, text.as_bytes());
    assert!(parsed.is_clean(), "{:?}", parsed.findings);
    for (pointer, value, key) in expected {
        assert_eq!(
            &text[parsed.document.span(pointer)],
            *value,
            "value of {pointer}"
        );
        assert_eq!(
            &text[parsed.document.key_span(pointer)],
            *key,
            "key of {pointer}"
        );
    }
}

#[test]
fn toml() {
    let text = "\
# \u{e9}
name = \"a\\u00e9\" # comment
dotted.inner = 1
\"qu oted\".\"x/y~z\" = '''
long'''
list = [ 1, { a = true } ]

[table] # comment
key = 0x1F
[implied.by.header]
key = 1.5
[[tables]]
first = 1
[[tables]]
second = 2
[tables.sub]
third = 3
";
    check(
        Syntax::Toml,
        text,
        &[
            ("", text, text),
            ("/name", "\"a\\u00e9\"", "name"),
            ("/dotted", "dotted", "dotted"),
            ("/dotted/inner", "1", "inner"),
            ("/qu oted/x~1y~0z", "'''\nlong'''", "\"x/y~z\""),
            ("/list", "[ 1, { a = true } ]", "list"),
            ("/list/0", "1", "1"),
            ("/list/1", "{ a = true }", "{ a = true }"),
            ("/list/1/a", "true", "a"),
            ("/table", "[table]", "table"),
            ("/table/key", "0x1F", "key"),
            ("/implied", "implied", "implied"),
            ("/implied/by", "by", "by"),
            ("/implied/by/header", "[implied.by.header]", "header"),
            ("/tables", "tables", "tables"),
            ("/tables/1", "[[tables]]", "[[tables]]"),
            ("/tables/1/second", "2", "second"),
            ("/tables/1/sub", "[tables.sub]", "sub"),
            ("/tables/1/sub/third", "3", "third"),
        ],
    );
}

#[test]
fn json() {
    let text = "{ \"a\\u002fb\": [null, {\"\u{e9}\": -1.5e3}],\r\n\t\"\": \"\u{1f600}\" }\r\n";
    let whole = text.trim_end();
    check(
        Syntax::Json,
        text,
        &[
            ("", whole, whole),
            ("/a~1b", "[null, {\"\u{e9}\": -1.5e3}]", "\"a\\u002fb\""),
            ("/a~1b/0", "null", "null"),
            ("/a~1b/1/\u{e9}", "-1.5e3", "\"\u{e9}\""),
            ("/", "\"\u{1f600}\"", "\"\""),
        ],
    );
}

#[test]
fn what_is_not_there_has_the_place_of_what_holds_it() {
    let text = "[a.b]\nc = [1]\n";
    check(
        Syntax::Toml,
        text,
        &[
            ("/nowhere", text, text),
            ("/a/b/d/e", "[a.b]", "b"),
            ("/a/b/c/7", "[1]", "c"),
            ("/a/b/c/00", "[1]", "c"),
            ("/a/b/c/-", "[1]", "c"),
            ("/a/b/c/0/x", "1", "1"),
            ("no pointer", text, text),
        ],
    );
}
