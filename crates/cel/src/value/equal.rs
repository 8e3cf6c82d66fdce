//! Equality and order of values.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::Arc;

use super::{EvalError, Key, List, Map, Val};
use crate::types::Type;

/// Whether two values are equal for `==`: numbers by value across types, NaN never, types by name.
///
/// Values may be nested to any depth, and parts that are shared are compared once.
pub fn equal(left: &Val, right: &Val) -> bool {
    matches!(equal_within(left, right, &mut |_| Ok::<(), Infallible>(())), Ok(true))
}

/// Whether two values are [equal]. `spend` is told how many values are compared before they are (a long text counts as
/// several), and ends the comparison with an error.
///
/// # Errors
///
/// That of `spend`.
pub fn equal_within<E>(
    left: &Val,
    right: &Val,
    spend: &mut impl FnMut(usize) -> Result<(), E>,
) -> Result<bool, E> {
    let mut comparison = Comparison { spend, seen: HashSet::new(), pending: Vec::new() };
    if !comparison.inside(left.clone(), right.clone())? {
        return Ok(false);
    }
    while let Some((left, right)) = comparison.pending.pop() {
        if !comparison.containers(&left, &right)? {
            return Ok(false);
        }
    }
    Ok(true)
}

struct Comparison<'s, S> {
    spend: &'s mut S,
    /// Two values are equal if all pairs inside are; so a pair of containers that has been seen needs no second look.
    seen: HashSet<(usize, usize)>,
    /// The containers that are still to be compared.
    pending: Vec<(Val, Val)>,
}

impl<E, S: FnMut(usize) -> Result<(), E>> Comparison<'_, S> {
    /// Whether two values are equal as far as that is known without what containers hold.
    fn inside(&mut self, left: Val, right: Val) -> Result<bool, E> {
        (self.spend)(weight(&left, &right))?;
        let answer = shallow(&left, &right);
        if answer.is_none() && self.seen.insert((address(&left), address(&right))) {
            self.pending.push((left, right));
        }
        Ok(answer.unwrap_or(true))
    }

    fn containers(&mut self, left: &Val, right: &Val) -> Result<bool, E> {
        match (left, right) {
            (Val::List(left), Val::List(right)) => {
                if left.len() != right.len() {
                    return Ok(false);
                }
                for (left, right) in left.iter().zip(right.iter()) {
                    if !self.inside(left, right)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Val::Map(left), Val::Map(right)) => {
                if left.len() != right.len() {
                    return Ok(false);
                }
                for (key, value) in left.iter() {
                    (self.spend)(search_weight(right, &key))?;
                    let Some(other) = find(right, &key) else { return Ok(false) };
                    if !self.inside(value, other)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Val::Optional(Some(left)), Val::Optional(Some(right))) => {
                self.inside((**left).clone(), (**right).clone())
            }
            _ => Ok(false),
        }
    }
}

/// How many bytes of text are compared in the time of one value.
const TEXT: usize = 64;

/// How many plain values take as long to compare as these two, without what containers hold.
fn weight(left: &Val, right: &Val) -> usize {
    match (left, right) {
        (Val::String(left), Val::String(right)) if left.len() == right.len() => 1 + left.len() / TEXT,
        (Val::Bytes(left), Val::Bytes(right)) if left.len() == right.len() => 1 + left.len() / TEXT,
        (Val::Object(left), Val::Object(_)) => left.weight(),
        _ => 1,
    }
}

/// How many plain values take as long to compare as [`find`] takes.
pub(crate) fn search_weight(map: &Map, key: &Val) -> usize {
    match key {
        Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::Double(_) => 4,
        Val::String(text) => 4 + text.len() / TEXT,
        _ => map.len(),
    }
}

/// The answer for two values of which at least one has no values inside; none for two containers of one kind.
fn shallow(left: &Val, right: &Val) -> Option<bool> {
    Some(match (left, right) {
        (Val::List(_), Val::List(_)) | (Val::Map(_), Val::Map(_)) => return None,
        (Val::Optional(Some(_)), Val::Optional(Some(_))) => return None,
        (Val::Optional(left), Val::Optional(right)) => left.is_none() && right.is_none(),
        (Val::Null, Val::Null) => true,
        (Val::Bool(left), Val::Bool(right)) => left == right,
        (Val::String(left), Val::String(right)) => left == right,
        (Val::Bytes(left), Val::Bytes(right)) => left == right,
        (Val::Duration(left), Val::Duration(right)) => left == right,
        (Val::Timestamp(left), Val::Timestamp(right)) => left == right,
        (Val::Type(left), Val::Type(right)) => left.name() == right.name(),
        (Val::Object(left), right) => left.equals(right),
        _ => numbers(left, right) == Ok(Ordering::Equal),
    })
}

/// Where the values inside of a container stand in memory, as long as the container lives.
fn address(value: &Val) -> usize {
    match value {
        Val::List(List::Vals(items)) => Arc::as_ptr(items).addr(),
        Val::List(List::Native(items)) => Arc::as_ptr(items).addr(),
        Val::Map(Map::Vals(map)) => Arc::as_ptr(map).addr(),
        Val::Map(Map::Native(map)) => Arc::as_ptr(map).addr(),
        Val::Optional(Some(value)) => Arc::as_ptr(value).addr(),
        _ => 0,
    }
}

/// The value of a map under a key, as `in` and `==` find it: like [`Map::get`], and also under a key that is no number,
/// string or bool where Go finds it by `==` of its interface values.
pub fn find(map: &Map, key: &Val) -> Option<Val> {
    match (map, key) {
        (_, Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::Double(_) | Val::String(_)) => map.get(key),
        (Map::Native(_), _) => None,
        (Map::Vals(map), _) => map
            .iter()
            .find(|(other, _)| matches!(other, Key::Other(other) if identical(&other.0, key)))
            .map(|(_, value)| value.clone()),
    }
}

/// Whether Go's `==` holds for two values of cel-go: by value for plain types, else by identity.
fn identical(left: &Val, right: &Val) -> bool {
    match (left, right) {
        (Val::Null, Val::Null) | (Val::Optional(None), Val::Optional(None)) => true,
        (Val::Duration(left), Val::Duration(right)) => left == right,
        // Each offset is a time zone of its own in memory.
        (Val::Timestamp(left), Val::Timestamp(right)) => {
            left == right && left.offset == 0 && right.offset == 0
        }
        (Val::Type(left), Val::Type(right)) => left.name() == right.name(),
        (Val::List(List::Vals(left)), Val::List(List::Vals(right))) => Arc::ptr_eq(left, right),
        (Val::Map(Map::Vals(left)), Val::Map(Map::Vals(right))) => Arc::ptr_eq(left, right),
        (Val::Optional(Some(left)), Val::Optional(Some(right))) => Arc::ptr_eq(left, right),
        (Val::Object(object), right) if matches!(object.ty(), Type::Opaque(..)) => object.equals(right),
        (Val::Object(left), Val::Object(right)) => {
            Arc::as_ptr(left).cast::<()>() == Arc::as_ptr(right).cast::<()>()
        }
        _ => false,
    }
}

/// The order of two values for `<` and its like.
///
/// # Errors
///
/// cel-go's error where one is NaN and where the types have no order.
pub fn compare(left: &Val, right: &Val) -> Result<Ordering, EvalError> {
    let unordered = match (left, right) {
        (Val::Bool(left), Val::Bool(right)) => return Ok(left.cmp(right)),
        (Val::String(left), Val::String(right)) => return Ok(left.cmp(right)),
        (Val::Bytes(left), Val::Bytes(right)) => return Ok(left.cmp(right)),
        (Val::Duration(left), Val::Duration(right)) => return Ok(left.cmp(right)),
        (Val::Timestamp(left), Val::Timestamp(right)) => return Ok(left.cmp(right)),
        // NaN on the left is looked at before the type of the right side.
        (Val::Double(left), _) if left.is_nan() => Unordered::NotANumber,
        _ => match numbers(left, right) {
            Ok(order) => return Ok(order),
            Err(unordered) => unordered,
        },
    };
    Err(match unordered {
        Unordered::NotANumber => EvalError::new("NaN values cannot be ordered"),
        Unordered::Types => EvalError::no_such_overload(),
    })
}

/// Why two values have no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unordered {
    /// One of two numbers is NaN.
    NotANumber,
    /// They are not two numbers.
    Types,
}

fn numbers(left: &Val, right: &Val) -> Result<Ordering, Unordered> {
    let order = match (left, right) {
        (Val::Int(left), Val::Int(right)) => Some(left.cmp(right)),
        (Val::Uint(left), Val::Uint(right)) => Some(left.cmp(right)),
        (Val::Int(left), Val::Uint(right)) => Some(i128::from(*left).cmp(&i128::from(*right))),
        (Val::Uint(left), Val::Int(right)) => Some(i128::from(*left).cmp(&i128::from(*right))),
        (Val::Double(left), Val::Double(right)) => left.partial_cmp(right),
        // cel-go rounds integers to doubles here: 9223372036854775807 is 2^63.
        (Val::Double(left), Val::Int(right)) => left.partial_cmp(&(*right as f64)),
        (Val::Int(left), Val::Double(right)) => (*left as f64).partial_cmp(right),
        (Val::Double(left), Val::Uint(right)) => left.partial_cmp(&(*right as f64)),
        (Val::Uint(left), Val::Double(right)) => (*left as f64).partial_cmp(right),
        _ => return Err(Unordered::Types),
    };
    order.ok_or(Unordered::NotANumber)
}

#[cfg(test)]
mod tests {
    use super::super::Timestamp;
    use super::*;

    fn int(value: i64) -> Val {
        Val::Int(value)
    }

    #[test]
    fn numbers_across_types() {
        assert!(equal(&int(1), &Val::Uint(1)));
        assert!(equal(&int(1), &Val::Double(1.0)));
        assert!(equal(&Val::Uint(1), &Val::Double(1.0)));
        assert!(!equal(&int(-1), &Val::Uint(u64::MAX)));
        assert!(equal(&int(i64::MAX), &Val::Double(9_223_372_036_854_775_808.0)));
        assert!(equal(&Val::Double(0.0), &Val::Double(-0.0)));
        assert!(!equal(&Val::Double(f64::NAN), &Val::Double(f64::NAN)));
        assert!(!equal(&int(0), &Val::Double(f64::NAN)));
        assert!(!equal(&int(1), &Val::Bool(true)));
        assert!(!equal(&Val::Null, &int(0)));
        assert!(equal(&Val::Null, &Val::Null));
    }

    #[test]
    fn containers() {
        let list = |items: &[i64]| Val::list(items.iter().map(|&item| int(item)).collect());
        assert!(equal(&list(&[1, 2]), &Val::list(vec![Val::Double(1.0), Val::Uint(2)])));
        assert!(!equal(&list(&[1, 2]), &list(&[2, 1])));
        assert!(!equal(&list(&[1]), &list(&[1, 1])));
        assert!(!equal(&list(&[]), &Val::Map(Map::from_entries([]))));
        let map = |entries: Vec<(Val, Val)>| Val::Map(Map::from_entries(entries));
        assert!(equal(&map(vec![(int(1), int(2))]), &map(vec![(Val::Uint(1), Val::Double(2.0))])));
        let both = map(vec![(int(1), int(2)), (int(2), int(3))]);
        assert!(equal(&both, &map(vec![(Val::Uint(2), int(3)), (Val::Uint(1), int(2))])));
        // A double is not found by an int.
        assert!(!equal(&both, &map(vec![(Val::Uint(1), int(2)), (Val::Double(2.0), int(3))])));
        let nan = map(vec![(Val::Double(f64::NAN), int(1))]);
        assert!(!equal(&nan, &nan));
        let optional = |value: Val| Val::Optional(Some(Arc::new(value)));
        assert!(equal(&optional(int(1)), &optional(Val::Uint(1))));
        assert!(!equal(&optional(Val::Null), &Val::Optional(None)));
        assert!(!equal(&optional(int(1)), &int(1)));
        assert!(equal(&Val::Optional(None), &Val::Optional(None)));
        assert!(equal(&Val::Type(Type::list(Type::Dyn)), &Val::Type(Type::list(Type::Int))));
    }

    #[test]
    fn keys_of_other_types() {
        let map = |key: Val| Map::from_entries([(key, int(1))]);
        assert!(find(&map(Val::Duration(1)), &Val::Duration(1)).is_some());
        assert!(find(&map(int(i64::MIN)), &Val::Double(-9_223_372_036_854_775_808.0)).is_none());
        assert!(find(&map(int(-(1 << 62))), &Val::Double(-4_611_686_018_427_387_904.0)).is_some());
        assert!(equal(&Val::Map(map(Val::Null)), &Val::Map(map(Val::Null))));
        let at = |offset| Val::Timestamp(Timestamp { seconds: 0, nanos: 0, offset });
        assert!(equal(&Val::Map(map(at(0))), &Val::Map(map(at(0)))));
        assert!(!equal(&Val::Map(map(at(60))), &Val::Map(map(at(60)))));
        let list = Val::list(vec![int(1)]);
        assert!(find(&map(list.clone()), &list).is_some());
        assert!(find(&map(list), &Val::list(vec![int(1)])).is_none());
    }

    #[test]
    fn shared_parts_are_compared_once() {
        let doubled = |levels: usize| {
            (0..levels).fold(Val::list(vec![]), |inner, _| Val::list(vec![inner.clone(), inner]))
        };
        assert!(equal(&doubled(60), &doubled(60)));
        assert!(!equal(&doubled(60), &doubled(59)));
    }

    #[test]
    fn order() {
        let message =
            |left: Val, right: Val| compare(&left, &right).map_err(|error| error.message().to_owned());
        assert_eq!(message(int(-1), Val::Uint(0)), Ok(Ordering::Less));
        assert_eq!(message(Val::Double(-1.0), Val::Uint(0)), Ok(Ordering::Less));
        assert_eq!(message(Val::string("b"), Val::string("aa")), Ok(Ordering::Greater));
        let nan = Err("NaN values cannot be ordered".to_owned());
        assert_eq!(message(Val::Double(f64::NAN), int(1)), nan);
        assert_eq!(message(int(1), Val::Double(f64::NAN)), nan);
        assert_eq!(message(Val::Double(f64::NAN), Val::Null), nan);
        let none = Err("no such overload".to_owned());
        assert_eq!(message(int(1), Val::string("a")), none);
        assert_eq!(message(Val::Null, Val::Null), none);
        assert_eq!(message(Val::string("a"), Val::Double(f64::NAN)), none);
    }
}
