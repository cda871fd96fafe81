//! Shapes to items: which types a module has, what they are called, what each member's type is.
//!
//! Names are allocated in reading order, the type before what it contains, so that what is
//! appended comes last. A nested type is named by the way to it: parent and member.

use std::collections::{BTreeMap, VecDeque};

use super::{
    describe, doc, ident,
    item::{Body, Content, Field, Item, Kind, Presence, Tagging, Ty, Union, Unit, Variant},
    recursion,
};
use crate::model::{
    names::{Scope, singular},
    shape::{self, Enum, Object, Property, Range, Ref, Shape, Shapes, Tuple, TypeSet, UnionKind},
};

/// The longest tuple that the standard library can compare and print.
const MAX_TUPLE: usize = 12;

/// Lowers the schemas of one module.
pub(super) struct Lower<'m> {
    /// The name in `types` of each shared type, by reference.
    shared: &'m BTreeMap<&'m str, &'m str>,
    scope: Scope,
    items: Vec<Item>,
    /// The schema that is being lowered, what its types begin with, and which of its named shapes
    /// are items already.
    shapes: Option<&'m Shapes>,
    prefix: &'static str,
    named: BTreeMap<Ref, usize>,
    /// Named shapes whose items are still empty. A queue, so that a long chain costs no stack.
    queue: VecDeque<(usize, Ref)>,
}

/// Where a type expression stands: what a new type there is called, and what was said of it already.
struct Place<'p> {
    prefix: &'p str,
    name: String,
    said: Option<&'p str>,
}

impl Place<'_> {
    /// One of many at this place.
    fn one(&self) -> Self {
        let own = self.name.as_str();
        let (prefix, name) = match (own, singular(own), singular(self.prefix)) {
            ("", _, Some(one)) => ("", one),
            ("", _, None) => (self.prefix, "item".to_owned()),
            (_, Some(one), _) => (self.prefix, one),
            (own, None, _) => (self.prefix, own.to_owned()),
        };
        Place {
            prefix,
            name,
            said: None,
        }
    }
}

impl<'m> Lower<'m> {
    pub(super) fn new(shared: &'m BTreeMap<&'m str, &'m str>) -> Self {
        Self {
            shared,
            scope: Scope::with_reserved(ident::RESERVED_TYPES),
            items: Vec::new(),
            shapes: None,
            prefix: "",
            named: BTreeMap::new(),
            queue: VecDeque::new(),
        }
    }

    /// Adds the types of a schema. Its root is called `name`, which must be free; every other type
    /// begins with `prefix`, so that what one schema gains renames nothing of another.
    pub(super) fn root(&mut self, shapes: &'m Shapes, name: &str, prefix: &'static str) {
        self.shapes = Some(shapes);
        self.prefix = prefix;
        self.named.clear();
        let at = self.reserve(name.to_owned());
        self.named.insert(Ref::Root, at);
        self.fill(at, &shapes.root, prefix, shapes.description.as_deref());
        while let Some((at, reference)) = self.queue.pop_front() {
            let prefix = self.name(at);
            let description = shapes.description(&reference);
            self.fill(at, shapes.get(&reference), &prefix, description);
        }
    }

    /// The items, in reading order.
    pub(super) fn finish(mut self) -> Vec<Item> {
        recursion::make_finite(&mut self.items);
        self.items
    }

    /// Makes the names of roots unavailable to nested types.
    pub(super) fn take(&mut self, name: &str) -> String {
        self.scope.allocate(name, "")
    }

    fn name(&self, at: usize) -> String {
        let item = self.items.get(at);
        item.map(|item| item.name.clone()).unwrap_or_default()
    }

    fn reserve(&mut self, name: String) -> usize {
        self.items.push(Item {
            name,
            doc: Vec::new(),
            kind: Kind::Alias(Ty::Value),
        });
        self.items.len() - 1
    }

    /// Says what the item at `at` is. Nested types are called `prefix` and the member's name.
    fn fill(&mut self, at: usize, shape: &Shape, prefix: &str, doc: Option<&str>) {
        let doc = doc.map(|doc| doc::lines(doc, 0)).unwrap_or_default();
        let name = self.name(at);
        let kind = self.kind(shape, &name, prefix);
        if let Some(item) = self.items.get_mut(at) {
            item.doc = doc;
            item.kind = kind;
        }
    }

    fn kind(&mut self, shape: &Shape, name: &str, prefix: &str) -> Kind {
        match shape {
            Shape::Object(object) if object.as_map().is_none() => {
                Kind::Struct(self.body(object, prefix))
            }
            Shape::Enum(listed) if listed.base() == Shape::String => strings(listed),
            Shape::Union(union) => Kind::Union(self.union(union, prefix)),
            shape => {
                let place = Place {
                    prefix: name,
                    name: String::new(),
                    said: None,
                };
                Kind::Alias(self.ty(shape, &place))
            }
        }
    }

    /// A new item for a shape that has no name.
    fn inline(&mut self, shape: &Shape, place: &Place<'_>) -> Ty {
        let own = if place.name.is_empty() {
            "value"
        } else {
            &place.name
        };
        let name = ident::type_name(&mut self.scope, place.prefix, own);
        let at = self.reserve(name.clone());
        let doc = describe::of_shape(shape).filter(|doc| Some(*doc) != place.said);
        self.fill(at, shape, &name, doc);
        Ty::Named(at)
    }

    fn ty(&mut self, shape: &Shape, place: &Place<'_>) -> Ty {
        match shape {
            Shape::Any => Ty::Value,
            Shape::Null => Ty::Unit,
            Shape::Bool => Ty::Bool,
            Shape::Integer(range) => integer(*range),
            Shape::Number { wide: true } => Ty::Number,
            Shape::Number { wide: false } => Ty::F64,
            Shape::String => Ty::String,
            Shape::Enum(listed) => match listed.base() {
                Shape::String => self.inline(shape, place),
                base => self.ty(&base, place),
            },
            Shape::Array(item) => Ty::Vec(Box::new(self.ty(item, &place.one()))),
            Shape::Tuple(tuple) => self.tuple(tuple, place),
            Shape::Object(object) => match object.as_map() {
                Some(Shape::Any) => Ty::JsonMap,
                Some(value) => Ty::Map(Box::new(self.ty(value, &place.one()))),
                None if object.properties.is_empty() => Ty::JsonMap,
                None => self.inline(shape, place),
            },
            Shape::Union(_) => self.inline(shape, place),
            Shape::Nullable(inner) => Ty::Option(Box::new(self.ty(inner, place))),
            Shape::Ref(reference) => self.reference(reference),
        }
    }

    fn tuple(&mut self, tuple: &Tuple, place: &Place<'_>) -> Ty {
        let Tuple {
            items,
            required,
            rest,
        } = tuple;
        if *required == items.len() && rest.is_none() && items.len() <= MAX_TUPLE {
            let mut types = Vec::new();
            for (at, item) in items.iter().enumerate() {
                let place = Place {
                    prefix: place.prefix,
                    name: format!("{}_{}", place.name, at + 1),
                    said: None,
                };
                types.push(self.ty(item, &place));
            }
            return Ty::Tuple(types);
        }
        let mut all = items.iter().chain(rest.as_deref());
        let first = all.next().unwrap_or(&Shape::Any);
        let item = if all.all(|item| item == first) {
            first
        } else {
            &Shape::Any
        };
        Ty::Vec(Box::new(self.ty(item, &place.one())))
    }

    fn reference(&mut self, reference: &Ref) -> Ty {
        if let Ref::Shared { reference, .. } = reference
            && let Some(name) = self.shared.get(reference.as_str())
        {
            return Ty::Shared((*name).to_owned());
        }
        if let Some(at) = self.named.get(reference) {
            return Ty::Named(*at);
        }
        let Some(key) = reference.key() else {
            return Ty::Value;
        };
        let name = ident::type_name(&mut self.scope, self.prefix, key);
        let at = self.reserve(name);
        self.named.insert(reference.clone(), at);
        self.queue.push_back((at, reference.clone()));
        Ty::Named(at)
    }

    fn body(&mut self, object: &Object, prefix: &str) -> Body {
        let mut scope = Scope::default();
        let rest = object.rest.as_deref().map(|shape| {
            let ident = ident::field(&mut scope, "rest");
            let place = Place {
                prefix,
                name: "rest".to_owned(),
                said: None,
            };
            (ident, shape, place)
        });
        let fields = object
            .properties
            .iter()
            .map(|property| {
                let ident = ident::field(&mut scope, &property.name);
                self.field(ident, property, prefix)
            })
            .collect();
        let rest = rest.map(|(ident, shape, place)| {
            let ty = match self.ty(shape, &place) {
                Ty::Value => Ty::JsonMap,
                ty => Ty::Map(Box::new(ty)),
            };
            (ident, ty)
        });
        Body { fields, rest }
    }

    fn field(&mut self, ident: String, property: &Property, prefix: &str) -> Field {
        let place = Place {
            prefix,
            name: property.name.clone(),
            said: property.description.as_deref(),
        };
        let ty = self.ty(&property.shape, &place);
        let presence = if property.required {
            Presence::Required
        } else if self.accepts_null(&property.shape) {
            Presence::OptionalNullable
        } else {
            Presence::Optional
        };
        Field {
            ident,
            wire: property.name.clone(),
            doc: describe::of_field(property),
            ty: match presence {
                Presence::Required => ty,
                Presence::Optional | Presence::OptionalNullable => Ty::Option(Box::new(ty)),
            },
            presence,
            default: property.default.clone().filter(|_| !property.required),
        }
    }

    fn accepts_null(&self, shape: &Shape) -> bool {
        self.shapes.is_none_or(|shapes| shapes.accepts_null(shape))
    }

    fn union(&mut self, union: &shape::Union, prefix: &str) -> Union {
        let tagging = match &union.kind {
            UnionKind::Tagged(tag) => Tagging::Tag(tag.clone()),
            UnionKind::ByType => Tagging::Distinct,
            UnionKind::Untagged => Tagging::Overlapping,
        };
        let mut scope = Scope::default();
        let mut variants = Vec::new();
        for variant in &union.variants {
            let ident = ident::variant(&mut scope, &variant.name);
            let content = match (&variant.shape, &tagging) {
                (Shape::Object(object), Tagging::Tag(_)) => {
                    self.tagged(object, prefix, &variant.name)
                }
                (shape, _) => {
                    let place = Place {
                        prefix,
                        name: variant.name.clone(),
                        said: variant.description.as_deref(),
                    };
                    Content::Newtype(self.ty(shape, &place))
                }
            };
            let order = self.order(&variant.shape);
            let variant = Variant {
                ident,
                wire: variant.name.clone(),
                doc: variant.description.clone(),
                content,
            };
            variants.push((order, variant));
        }
        if tagging == Tagging::Distinct {
            variants.sort_by_key(|(order, _)| *order);
        }
        Union {
            tagging,
            variants: variants.into_iter().map(|(_, variant)| variant).collect(),
        }
    }

    /// The place of a variant among those that serde tries: it reads a sequence as a struct, and a
    /// map with one member as a string enum.
    fn order(&self, shape: &Shape) -> u8 {
        let types = self.shapes.map_or(TypeSet::ALL, |s| s.types(shape));
        if types == TypeSet::ARRAY {
            0
        } else if types == TypeSet::OBJECT {
            1
        } else {
            2
        }
    }

    /// A variant whose tag stands beside its members. Members with defaults get a struct, which can
    /// have accessors.
    fn tagged(&mut self, object: &Object, prefix: &str, name: &str) -> Content {
        if object.properties.is_empty() && object.rest.is_none() {
            return Content::Unit;
        }
        let accessors = |p: &Property| p.default.is_some() && !p.required;
        if object.properties.iter().any(accessors) {
            let name = ident::type_name(&mut self.scope, prefix, name);
            let at = self.reserve(name.clone());
            let body = self.body(object, &name);
            if let Some(item) = self.items.get_mut(at) {
                item.kind = Kind::Struct(body);
            }
            return Content::Newtype(Ty::Named(at));
        }
        let prefix = ident::type_name(&mut Scope::default(), prefix, name);
        Content::Struct(self.body(object, &prefix))
    }
}

/// `u64` when no number is negative, else `i64`; where neither holds all of them, any number.
fn integer(range: Range) -> Ty {
    let Range {
        min: Some(min),
        max: Some(max),
    } = range
    else {
        return Ty::Number;
    };
    if u64::try_from(min).is_ok() && u64::try_from(max).is_ok() {
        Ty::U64
    } else if i64::try_from(min).is_ok() && i64::try_from(max).is_ok() {
        Ty::I64
    } else {
        Ty::Number
    }
}

fn strings(listed: &Enum) -> Kind {
    let mut scope = Scope::default();
    let other = listed.open.then(|| ident::variant(&mut scope, "other"));
    let variants = listed
        .values
        .iter()
        .filter_map(|value| {
            let wire = value.value.as_str()?;
            Some(Unit {
                ident: ident::variant(&mut scope, wire),
                wire: wire.to_owned(),
                doc: value.description.clone(),
            })
        })
        .collect();
    Kind::Strings { variants, other }
}
