//! The shape of a conjunction: what fits two shapes at once.
//!
//! Either shape alone would do, since each is complete for its part. So a pair that has no better
//! answer is answered with one of the two.

use super::{Object, Property, Range, Ref, Shape, TypeSet, Union, read::Reader, types};

impl Reader<'_> {
    /// The shape of what fits `a` and `b`.
    pub(super) fn meet(&mut self, a: Shape, b: Shape) -> Shape {
        let Some(left) = self.depth.checked_sub(1) else {
            return a;
        };
        self.depth = left;
        let shape = self.meet_known(a, b);
        self.depth = left + 1;
        shape
    }

    fn meet_known(&mut self, a: Shape, b: Shape) -> Shape {
        match (a, b) {
            (Shape::Any, other) | (other, Shape::Any) => other,
            (Shape::Ref(a), Shape::Ref(b)) => self.meet_refs(a, b),
            (Shape::Ref(reference), other) => self.meet_ref(reference, other, false),
            (other, Shape::Ref(reference)) => self.meet_ref(reference, other, true),
            (Shape::Nullable(a), Shape::Nullable(b)) => self.meet(*a, *b).or_null(),
            (Shape::Nullable(a), b) if !may_take_null(&b) => self.meet(*a, b),
            (a, Shape::Nullable(b)) if !may_take_null(&a) => self.meet(a, *b),
            (Shape::Object(a), Shape::Object(b)) => Shape::Object(self.meet_objects(a, b)),
            (Shape::Object(object), Shape::Union(union))
            | (Shape::Union(union), Shape::Object(object)) => narrow(union, object),
            (Shape::Array(a), Shape::Array(b)) => Shape::Array(Box::new(self.meet(*a, *b))),
            (Shape::Integer(a), Shape::Integer(b)) => Shape::Integer(Range {
                min: a.min.into_iter().chain(b.min).max(),
                max: a.max.into_iter().chain(b.max).min(),
            }),
            (Shape::Number { wide: a }, Shape::Number { wide: b }) => {
                Shape::Number { wide: a && b }
            }
            (a, b) if precision(&b) > precision(&a) => b,
            (a, _) => a,
        }
    }

    fn meet_refs(&mut self, a: Ref, b: Ref) -> Shape {
        let pair = (a.clone(), b.clone());
        if a == b || self.meeting.contains(&pair) {
            return Shape::Ref(a);
        }
        self.meeting.push(pair);
        let shape = match (self.behind(&a), self.behind(&b)) {
            (Shape::Object(x), Shape::Object(y)) if x.says_nothing() || y.says_nothing() => {
                Shape::Ref(if x.says_nothing() { b } else { a })
            }
            (Shape::Object(x), Shape::Object(y)) => Shape::Object(self.meet_objects(x, y)),
            (Shape::Any, _) => Shape::Ref(b),
            _ => Shape::Ref(a),
        };
        self.meeting.pop();
        shape
    }

    /// `other` stands before the reference when `first`.
    fn meet_ref(&mut self, reference: Ref, other: Shape, first: bool) -> Shape {
        match other {
            Shape::Object(object) if !object.says_nothing() => match self.behind(&reference) {
                Shape::Any => Shape::Object(object),
                Shape::Object(target) if first => Shape::Object(self.meet_objects(object, target)),
                Shape::Object(target) => Shape::Object(self.meet_objects(target, object)),
                _ => Shape::Ref(reference),
            },
            Shape::Enum(listed) => Shape::Enum(listed),
            _ => Shape::Ref(reference),
        }
    }

    pub(super) fn meet_objects(&mut self, a: Object, b: Object) -> Object {
        let mut properties = Vec::new();
        let mut theirs = b.properties;
        for mut property in a.properties {
            if let Some(at) = theirs.iter().position(|p| p.name == property.name) {
                let same = theirs.remove(at);
                property.shape = self.meet(property.shape, same.shape);
                property.required |= same.required;
                property.description = property.description.or(same.description);
                property.default = property.default.or(same.default);
                property.deprecated |= same.deprecated;
                properties.push(property);
            } else {
                properties.extend(self.meet_rest(property, b.rest.as_deref()));
            }
        }
        for property in theirs {
            properties.extend(self.meet_rest(property, a.rest.as_deref()));
        }
        let rest = match (a.rest, b.rest) {
            (Some(a), Some(b)) => Some(Box::new(self.meet(*a, *b))),
            _ => None,
        };
        Object {
            properties,
            rest,
            description: a.description.or(b.description),
        }
    }

    /// A member that only one side names; `rest` is what the other side says of members that it does not name.
    fn meet_rest(&mut self, mut property: Property, rest: Option<&Shape>) -> Option<Property> {
        property.shape = self.meet(property.shape, rest?.clone());
        Some(property)
    }
}

impl Object {
    /// The member of that name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|p| p.name == name)
    }

    /// Whether any object fits.
    #[must_use]
    pub fn says_nothing(&self) -> bool {
        self.as_map() == Some(&Shape::Any)
    }
}

/// The better of an object and a union of which one holds.
fn narrow(union: Union, object: Object) -> Shape {
    if object.says_nothing() {
        Shape::Union(union)
    } else {
        Shape::Object(object)
    }
}

/// Whether `null` may fit `shape`; a reference may name anything.
fn may_take_null(shape: &Shape) -> bool {
    let mut steps = types::MAX_STEPS;
    types::of_shape(shape, &|_| &Shape::Any, &mut steps).contains(TypeSet::NULL)
}

/// How much a shape says, compared with another that values fit at the same time.
fn precision(shape: &Shape) -> u8 {
    match shape {
        Shape::Any => 0,
        Shape::Union(_) => 1,
        Shape::Nullable(_) => 2,
        Shape::String | Shape::Number { .. } | Shape::Bool | Shape::Array(_) => 3,
        Shape::Integer(_) | Shape::Object(_) => 4,
        Shape::Tuple(_) | Shape::Ref(_) => 5,
        Shape::Enum(_) => 6,
        Shape::Null => 7,
    }
}
