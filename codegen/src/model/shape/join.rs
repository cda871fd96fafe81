//! The shape of alternatives: what fits one of several shapes.

use super::{
    Object, Property, Ref, Shape, TypeSet, Union, UnionKind, Variant, read::Reader, types,
    widen::absorb,
};

/// How many members distributing an object over its alternatives may write down.
const MAX_DISTRIBUTED: usize = 256;

impl Reader<'_> {
    /// The shape of `base` and one of `variants`.
    pub(super) fn distribute(&mut self, base: Shape, mut variants: Vec<Variant>) -> Shape {
        if variants.is_empty() || variants.iter().any(|v| v.shape == Shape::Any) {
            return base;
        }
        if let Shape::Object(object) = &base
            && !object.says_nothing()
            && self.introduces(object, &variants)
        {
            for variant in &mut variants {
                let shape = std::mem::replace(&mut variant.shape, Shape::Any);
                variant.shape = self.meet(base.clone(), shape);
            }
            return self.join(variants);
        }
        let joined = self.join(variants);
        self.meet(base, joined)
    }

    /// Whether the alternatives, all of them objects, name members that `object` does not.
    fn introduces(&mut self, object: &Object, variants: &[Variant]) -> bool {
        let mut introduces = false;
        let mut written = 0;
        for variant in variants {
            let Shape::Object(alternative) = self.seen_through(&variant.shape) else {
                return false;
            };
            introduces |= alternative
                .properties
                .iter()
                .any(|p| object.property(&p.name).is_none());
            written += object.properties.len() + alternative.properties.len();
        }
        introduces && written <= MAX_DISTRIBUTED
    }

    /// `shape`, or what it refers to.
    fn seen_through(&mut self, shape: &Shape) -> Shape {
        match shape {
            Shape::Ref(reference) => self.behind(reference),
            shape => shape.clone(),
        }
    }

    /// The shape of one of `variants`.
    pub(super) fn join(&mut self, variants: Vec<Variant>) -> Shape {
        let mut flat = Vec::new();
        let mut null = false;
        for variant in variants {
            flatten(variant, &mut flat, &mut null);
        }
        let mut merged: Vec<Variant> = Vec::new();
        for variant in flat {
            absorb(&mut merged, variant);
        }
        if merged.iter().any(|v| v.shape == Shape::Any) {
            return Shape::Any;
        }
        let shape = match (merged.pop(), merged.is_empty()) {
            (None, _) if null => return Shape::Null,
            (None, _) => return Shape::Any,
            (Some(only), true) => only.shape,
            (Some(last), false) => {
                merged.push(last);
                self.union(merged)
            }
        };
        if null { shape.or_null() } else { shape }
    }

    fn union(&mut self, mut variants: Vec<Variant>) -> Shape {
        let kind = if let Some(tag) = self.tag(&mut variants) {
            UnionKind::Tagged(tag)
        } else if self.differ_by_type(&variants) {
            for variant in &mut variants {
                if matches!(variant.shape, Shape::Object(_)) {
                    "object".clone_into(&mut variant.name);
                }
            }
            UnionKind::ByType
        } else {
            UnionKind::Untagged
        };
        Shape::Union(Union {
            kind,
            variants,
            description: None,
        })
    }

    fn differ_by_type(&self, variants: &[Variant]) -> bool {
        let mut seen = TypeSet::NONE;
        variants.iter().all(|variant| {
            let types = self.types_of(&variant.shape);
            let differs = types.is_single() && !seen.meets(types);
            seen = seen | types;
            differs
        })
    }

    /// The JSON types of the values that the schema behind `shape` accepts, and perhaps more; a
    /// reference may be to what is being read just now.
    fn types_of(&self, shape: &Shape) -> TypeSet {
        match shape {
            Shape::Ref(reference) => match self.schema_of(reference) {
                Some(schema) => self.types(schema, &mut { types::MAX_STEPS }),
                None => TypeSet::ALL,
            },
            Shape::Nullable(inner) => TypeSet::NULL | self.types_of(inner),
            Shape::Union(union) => union
                .variants
                .iter()
                .fold(TypeSet::NONE, |all, v| all | self.types_of(&v.shape)),
            shape => types::of_shape(shape, &|_| &Shape::Any, &mut { types::MAX_STEPS }),
        }
    }

    /// The member that tells the variants apart, when there is one. Takes it out of the variants,
    /// which become objects of their own, named by it.
    fn tag(&mut self, variants: &mut [Variant]) -> Option<String> {
        if variants
            .iter()
            .any(|v| matches!(v.shape, Shape::Ref(Ref::Shared { .. })))
        {
            return None;
        }
        let mut objects = Vec::new();
        for variant in variants.iter() {
            match self.seen_through(&variant.shape) {
                Shape::Object(object) => objects.push(object),
                _ => return None,
            }
        }
        let tag = objects.first()?.properties.iter().find(|candidate| {
            let mut tags: Vec<Option<&str>> = objects
                .iter()
                .map(|object| tag_value(object.property(&candidate.name)?))
                .collect();
            tags.sort_unstable();
            tags.first().is_some_and(Option::is_some)
                && tags.windows(2).all(|pair| pair.first() != pair.last())
        })?;
        let tag = tag.name.clone();
        for (variant, mut object) in variants.iter_mut().zip(objects) {
            if let Some(value) = object.property(&tag).and_then(tag_value) {
                value.clone_into(&mut variant.name);
            }
            object.properties.retain(|p| p.name != tag);
            variant.description = variant.description.take().or(object.description.take());
            variant.shape = Shape::Object(object);
        }
        Some(tag)
    }
}

/// The one string that `property` can be, when it is always there.
fn tag_value(property: &Property) -> Option<&str> {
    let Shape::Enum(listed) = &property.shape else {
        return None;
    };
    let [only] = listed.values.as_slice() else {
        return None;
    };
    only.value
        .as_str()
        .filter(|_| property.required && !listed.open)
}

/// Unnests what is only another way to write alternatives.
fn flatten(variant: Variant, flat: &mut Vec<Variant>, null: &mut bool) {
    match variant.shape {
        Shape::Null => *null = true,
        Shape::Nullable(inner) => {
            *null = true;
            let name = hint(&inner);
            flatten(
                Variant {
                    name,
                    shape: *inner,
                    description: variant.description,
                },
                flat,
                null,
            );
        }
        Shape::Union(union) if !matches!(union.kind, UnionKind::Tagged(_)) => {
            flat.extend(union.variants);
        }
        _ => flat.push(variant),
    }
}

/// What to call a variant, from its shape alone.
pub(super) fn hint(shape: &Shape) -> String {
    match shape {
        Shape::Any => "any",
        Shape::Null => "null",
        Shape::Bool => "bool",
        Shape::Integer(_) => "integer",
        Shape::Number { .. } => "number",
        Shape::String => "string",
        Shape::Enum(listed) => return hint(&listed.base()),
        Shape::Array(_) | Shape::Tuple(_) => "array",
        Shape::Object(object) => return object_hint(object),
        Shape::Union(_) => "union",
        Shape::Nullable(inner) => return hint(inner),
        Shape::Ref(Ref::Root) => "root",
        Shape::Ref(Ref::Def(key) | Ref::Shared { key, .. }) => key,
    }
    .to_owned()
}

/// The one string of a constant member, else the first member that must be there.
fn object_hint(object: &Object) -> String {
    let properties = &object.properties;
    let constant = properties.iter().find_map(tag_value);
    let required = || properties.iter().find(|p| p.required);
    constant
        .or_else(|| {
            let first = required().or(properties.first())?;
            Some(first.name.as_str())
        })
        .unwrap_or("object")
        .to_owned()
}
