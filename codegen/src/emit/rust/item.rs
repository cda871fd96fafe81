//! What a generated module holds, between shapes and tokens: named types with every type
//! expression resolved. Rendering makes no choice any more.

use std::collections::BTreeMap;

use serde_json::Value;

/// The items that a type expression may name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Items<'i> {
    /// Those of the module itself.
    pub(super) own: &'i [Item],
    /// Those of each shared type, its root first, by its name in `types`.
    pub(super) shared: &'i BTreeMap<String, Vec<Item>>,
}

impl<'i> Items<'i> {
    pub(super) fn get(self, at: usize) -> Option<&'i Item> {
        self.own.get(at)
    }

    /// The shared type of that name.
    pub(super) fn shared(self, name: &str) -> Option<&'i Item> {
        self.shared.get(name)?.first()
    }

    /// Whether values of the type are copied, not cloned.
    pub(super) fn is_copy(self, ty: &Ty) -> bool {
        match ty {
            Ty::Unit | Ty::Bool | Ty::I64 | Ty::U64 | Ty::F64 => true,
            Ty::Option(inner) => self.is_copy(inner),
            Ty::Tuple(items) => items.iter().all(|item| self.is_copy(item)),
            Ty::Named(at) => self.get(*at).is_some_and(|item| self.is_copied(item)),
            Ty::Shared(name) => self.shared(name).is_some_and(|item| self.is_copied(item)),
            Ty::Value
            | Ty::Number
            | Ty::String
            | Ty::Vec(_)
            | Ty::JsonMap
            | Ty::Map(_)
            | Ty::Boxed(_) => false,
        }
    }

    fn is_copied(self, item: &Item) -> bool {
        match &item.kind {
            Kind::Alias(ty) => self.is_copy(ty),
            _ => item.is_plain(),
        }
    }
}

/// A type expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ty {
    /// `serde_json::Value`.
    Value,
    Unit,
    Bool,
    /// Whole numbers of which some are negative.
    I64,
    /// Whole numbers from 0.
    U64,
    F64,
    /// `serde_json::Number`, where integers beyond 2^53 must survive.
    Number,
    String,
    Vec(Box<Ty>),
    Tuple(Vec<Ty>),
    /// A map to anything: `serde_json::Map`.
    JsonMap,
    /// A map to values of one type.
    Map(Box<Ty>),
    Option(Box<Ty>),
    Boxed(Box<Ty>),
    /// An item of this module, by its place.
    Named(usize),
    /// A shared type, by its name in `types`.
    Shared(String),
}

/// A named type.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) name: String,
    /// The lines of its doc comment, as they stand there.
    pub(super) doc: Vec<String>,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Struct(Body),
    /// `pub struct X(pub T)`: an alias that would be recursive.
    Newtype(Ty),
    Alias(Ty),
    /// Strings; with `other`, the name of the variant that takes any other string.
    Strings {
        variants: Vec<Unit>,
        other: Option<String>,
    },
    Union(Union),
}

/// The members of a struct or of a struct variant.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) fields: Vec<Field>,
    /// The field that keeps all other members; none when there can be none.
    pub(super) rest: Option<(String, Ty)>,
}

#[derive(Debug)]
pub(super) struct Field {
    /// Without `r#`.
    pub(super) ident: String,
    pub(super) wire: String,
    pub(super) doc: Option<String>,
    /// With the `Option` that absence needs.
    pub(super) ty: Ty,
    pub(super) presence: Presence,
    /// The annotation, kept only for optional fields.
    pub(super) default: Option<Value>,
}

/// Whether a member is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Required,
    /// It may be absent, and is not null when it is there.
    Optional,
    /// It may be absent, and it may be null, and the two are told apart.
    OptionalNullable,
}

/// A variant that stands for a string.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) ident: String,
    pub(super) wire: String,
    pub(super) doc: Option<String>,
}

#[derive(Debug)]
pub(super) struct Union {
    pub(super) tagging: Tagging,
    pub(super) variants: Vec<Variant>,
}

/// How serde finds the variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tagging {
    /// By the string in this member.
    Tag(String),
    /// By trying; each value fits one variant only.
    Distinct,
    /// By trying; a variant that would lose something of the value is passed over.
    Overlapping,
}

#[derive(Debug)]
pub(super) struct Variant {
    pub(super) ident: String,
    /// The tag's value; the hint elsewhere.
    pub(super) wire: String,
    pub(super) doc: Option<String>,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    Unit,
    Newtype(Ty),
    Struct(Body),
}

impl Item {
    /// Whether the type is a closed list of words.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.kind, Kind::Strings { other: None, .. })
    }

    /// The type expressions in which another item may stand by value, in order. What `rest` holds
    /// is behind a map.
    pub(super) fn slots(&mut self) -> Vec<&mut Ty> {
        match &mut self.kind {
            Kind::Struct(body) => body.fields.iter_mut().map(|f| &mut f.ty).collect(),
            Kind::Newtype(ty) | Kind::Alias(ty) => vec![ty],
            Kind::Strings { .. } => Vec::new(),
            Kind::Union(union) => union
                .variants
                .iter_mut()
                .flat_map(|variant| match &mut variant.content {
                    Content::Unit => Vec::new(),
                    Content::Newtype(ty) => vec![ty],
                    Content::Struct(body) => body.fields.iter_mut().map(|f| &mut f.ty).collect(),
                })
                .collect(),
        }
    }
}

/// Whether some identifier is not ASCII, about which rustc has lints of its own.
pub(super) fn has_foreign_names(items: &[Item]) -> bool {
    let foreign = |name: &str| !name.is_ascii();
    let in_body = |body: &Body| body.fields.iter().any(|field| foreign(&field.ident));
    items.iter().any(|item| {
        foreign(&item.name)
            || match &item.kind {
                Kind::Struct(body) => in_body(body),
                Kind::Newtype(_) | Kind::Alias(_) => false,
                Kind::Strings { variants, .. } => variants.iter().any(|v| foreign(&v.ident)),
                Kind::Union(union) => union.variants.iter().any(|variant| {
                    foreign(&variant.ident)
                        || match &variant.content {
                            Content::Struct(body) => in_body(body),
                            Content::Unit | Content::Newtype(_) => false,
                        }
                }),
            }
    })
}
