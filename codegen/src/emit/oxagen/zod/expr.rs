//! zod expressions and how they are laid out: one line where it fits, else one call or member a line.

use std::fmt::Write as _;

use crate::emit::javascript::is_identifier;

/// The longest line where there is a choice.
const WIDTH: usize = 100;

/// A zod schema as code: what it starts from, and the methods called on it.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::emit::oxagen) struct Expr {
    pub(super) base: Base,
    pub(super) calls: Vec<Call>,
}

/// What an expression starts from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Base {
    /// A constant: `workspacePath`.
    Name(String),
    /// A function of `z` with finished arguments: `string()`, `literal("a")`.
    Plain(String),
    /// `z.object({ ... })`; keys are finished.
    Object(Vec<(String, Expr)>),
    /// A function of `z` with one schema: `array`, `record`.
    Of(&'static str, Box<Expr>),
    /// A function of `z` with a list: `union`, `tuple`.
    List(&'static str, Vec<Expr>),
    /// `z.enum([ ... ])` of finished strings.
    Enum(Vec<String>),
}

/// A method called on an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Call {
    /// Finished: `min(1)`.
    Plain(String),
    /// With a schema: `catchall(...)`, `rest(...)`.
    Of(&'static str, Box<Expr>),
    /// `refine((v) => check, message)`, both finished.
    Refine { check: String, message: String },
}

impl Expr {
    pub(super) fn new(base: Base) -> Self {
        Self {
            base,
            calls: Vec::new(),
        }
    }

    /// `z.<text>`, such as `z.string()`.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self::new(Base::Plain(text.into()))
    }

    pub(in crate::emit::oxagen) fn name(name: impl Into<String>) -> Self {
        Self::new(Base::Name(name.into()))
    }

    #[must_use]
    pub(super) fn call(mut self, text: impl Into<String>) -> Self {
        self.calls.push(Call::Plain(text.into()));
        self
    }

    #[must_use]
    pub(super) fn refine(mut self, check: impl Into<String>, message: impl Into<String>) -> Self {
        self.calls.push(Call::Refine {
            check: check.into(),
            message: message.into(),
        });
        self
    }

    /// Whether it is a `z.object` that nothing is refined on, so that `.shape` can be read.
    pub(super) fn is_plain_object(&self) -> bool {
        matches!(self.base, Base::Object(_))
            && !self
                .calls
                .iter()
                .any(|call| matches!(call, Call::Refine { .. }))
    }

    /// The code. Lines after the first stand at `indent`; `before` is what stands left of it.
    pub(in crate::emit::oxagen) fn print(&self, indent: usize, before: usize) -> String {
        if let Some(line) = self.flat()
            && indent + before + line.len() <= WIDTH
        {
            return line;
        }
        // What it starts from stays whole where it can; then only the calls are broken.
        match self.base.flat() {
            Some(base) if indent + 3 + base.len() <= WIDTH && !self.calls.is_empty() => {
                self.chain(base, indent)
            }
            _ => self.block(indent),
        }
    }

    /// On one line; none where it holds an object with members.
    fn flat(&self) -> Option<String> {
        let mut out = self.base.flat()?;
        for call in &self.calls {
            let _ = write!(out, ".{}", call.flat()?);
        }
        Some(out)
    }

    /// A base that opens a block; calls follow its end.
    fn block(&self, indent: usize) -> String {
        let mut out = match &self.base {
            Base::Object(members) if members.is_empty() => "z.object({})".to_owned(),
            Base::Object(members) => {
                let mut out = "z.object({\n".to_owned();
                for (key, value) in members {
                    let value = value.print(indent + 2, key.len() + 3);
                    let _ = writeln!(out, "{}{key}: {value},", pad(indent + 2));
                }
                let _ = write!(out, "{}}})", pad(indent));
                out
            }
            Base::Of(function, inner) => {
                format!("z.{function}({})", inner.print(indent, function.len() + 3))
            }
            Base::List(function, items) => {
                let items = items.iter().map(|item| item.print(indent + 2, 1));
                format!("z.{function}([\n{}{}])", lines(items, indent), pad(indent))
            }
            Base::Enum(values) => {
                format!(
                    "z.enum([\n{}{}])",
                    lines(values.iter().cloned(), indent),
                    pad(indent)
                )
            }
            Base::Name(_) | Base::Plain(_) => self.flat().unwrap_or_default(),
        };
        let last = out.rsplit('\n').next().map_or(0, str::len);
        let flat: Option<Vec<String>> = self.calls.iter().map(Call::flat).collect();
        match flat {
            Some(calls) if last + calls.iter().map(|c| c.len() + 1).sum::<usize>() < WIDTH => {
                for call in calls {
                    let _ = write!(out, ".{call}");
                }
            }
            _ => self.print_calls(&mut out, indent),
        }
        out
    }

    /// Each call on a line of its own, but for a single rule on a constant.
    fn chain(&self, base: String, indent: usize) -> String {
        if let (Base::Name(_), [call @ Call::Refine { .. }]) = (&self.base, self.calls.as_slice()) {
            return format!("{base}.{}", call.print(indent));
        }
        let mut out = match base.strip_prefix("z.") {
            Some(first) => format!("z\n{}.{first}", pad(indent + 2)),
            None => base,
        };
        self.print_calls(&mut out, indent);
        out
    }

    fn print_calls(&self, out: &mut String, indent: usize) {
        for call in &self.calls {
            let _ = write!(out, "\n{}.{}", pad(indent + 2), call.print(indent + 2));
        }
    }
}

impl Base {
    /// On one line; none where it holds an object with members.
    fn flat(&self) -> Option<String> {
        Some(match self {
            Self::Name(name) => name.clone(),
            Self::Plain(text) => format!("z.{text}"),
            Self::Object(members) if members.is_empty() => "z.object({})".to_owned(),
            Self::Object(_) => return None,
            Self::Of(function, inner) => format!("z.{function}({})", inner.flat()?),
            Self::List(function, items) => {
                let items: Option<Vec<String>> = items.iter().map(Expr::flat).collect();
                format!("z.{function}([{}])", items?.join(", "))
            }
            Self::Enum(values) => format!("z.enum([{}])", values.join(", ")),
        })
    }
}

impl Call {
    fn flat(&self) -> Option<String> {
        Some(match self {
            Self::Plain(text) => text.clone(),
            Self::Of(function, inner) => format!("{function}({})", inner.flat()?),
            Self::Refine { check, message } => format!("refine({}, {message})", function(check)),
        })
    }

    fn print(&self, indent: usize) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Of(function, inner) => {
                format!("{function}({})", inner.print(indent, function.len() + 2))
            }
            Self::Refine { check, message } => {
                let check = function(check);
                let flat = format!("refine({check}, {message})");
                if indent + flat.len() < WIDTH {
                    return flat;
                }
                format!(
                    "refine(\n{0}{check},\n{0}{message},\n{1})",
                    pad(indent + 2),
                    pad(indent)
                )
            }
        }
    }
}

/// A check of `v` as a function; a function of `v` alone is that function.
fn function(check: &str) -> String {
    match check.strip_suffix("(v)") {
        Some(name) if is_identifier(name) => name.to_owned(),
        _ => format!("(v) => {check}"),
    }
}

fn lines(items: impl Iterator<Item = String>, indent: usize) -> String {
    items.fold(String::new(), |mut out, item| {
        let _ = writeln!(out, "{}{item},", pad(indent + 2));
        out
    })
}

fn pad(indent: usize) -> String {
    " ".repeat(indent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_is_one_line_and_long_is_a_chain() {
        let short = Expr::plain("string()").call("min(1)");
        assert_eq!(short.print(2, 0), "z.string().min(1)");
        let long = short.call(format!("describe(\"{}\")", "x".repeat(90)));
        let lines: Vec<String> = long.print(2, 6).lines().map(str::to_owned).collect();
        assert_eq!(lines.first().map(String::as_str), Some("z"));
        assert_eq!(lines.get(1).map(String::as_str), Some("    .string()"));
    }

    #[test]
    fn objects_have_a_member_a_line() {
        let object = Expr::new(Base::Object(vec![(
            "a".to_owned(),
            Expr::plain("string()"),
        )]));
        let object = object.call("strict()").refine("v.a !== \"\"", "\"no\"");
        assert_eq!(
            object.print(0, 0),
            "z.object({\n  a: z.string(),\n}).strict().refine((v) => v.a !== \"\", \"no\")"
        );
        assert!(!object.is_plain_object());
    }
}
