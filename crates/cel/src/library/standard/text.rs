//! Sizes and what is asked about strings.

use super::{function, list_of_a, map_of_a_b};
use crate::function::{Context, Function, Implementation, Overload, Shape};
use crate::types::Type;
use crate::value::{EvalError, Outcome, Val};

pub(super) fn functions() -> Vec<Function> {
    vec![
        size_function(),
        about_part(
            "contains",
            "Whether a text stands anywhere in the string.",
            "contains_string",
            "'nginx:1.27'.contains(':1') // true",
            contains,
        ),
        about_part(
            "endsWith",
            "Whether the string ends with a text.",
            "ends_with_string",
            "'app.yaml'.endsWith('.yaml') // true",
            ends_with,
        ),
        about_part(
            "startsWith",
            "Whether the string begins with a text.",
            "starts_with_string",
            "'kube-system'.startsWith('kube-') // true",
            starts_with,
        ),
        function("matches", "Whether a regular expression of RE2 matches somewhere in the string.")
            .overload(
                Overload::global("matches", [Type::String, Type::String], Type::Bool)
                    .example("matches('web-12', '^web-[0-9]+$') // true"),
            )
            .overload(
                Overload::member("matches_string", [Type::String, Type::String], Type::Bool)
                    .example("'v1beta2'.matches('beta[0-9]') // true"),
            )
            .singleton(Shape::Binary, matches, Some(is_text)),
    ]
}

fn size_function() -> Function {
    let sizes = [
        ("size_bytes", "bytes_size", Type::Bytes, "size(b'\\x00\\xff') // 2", "b'abc'.size() // 3"),
        ("size_list", "list_size", list_of_a(), "size(['a', 'b']) // 2", "[].size() // 0"),
        ("size_map", "map_size", map_of_a_b(), "size({'a': 1}) // 1", "{1: 'a', 2: 'b'}.size() // 2"),
        ("size_string", "string_size", Type::String, "size('caf\u{e9}') // 4", "'pod'.size() // 3"),
    ];
    let mut function = function(
        "size",
        "The number of elements of a list, of entries of a map, of characters of a string or of bytes.",
    )
    .singleton(Shape::Unary, size, Some(has_size));
    for (global, member, ty, global_example, member_example) in sizes {
        function.overloads.push(Overload::global(global, [ty.clone()], Type::Int).example(global_example));
        function.overloads.push(Overload::member(member, [ty], Type::Int).example(member_example));
    }
    function
}

/// A function of a string and a part of it. cel-go lets the implementation itself look at the types.
fn about_part(
    name: &str,
    summary: &'static str,
    id: &str,
    example: &'static str,
    call: Implementation,
) -> Function {
    let overload =
        Overload::member(id, [Type::String, Type::String], Type::Bool).example(example).binary(call);
    let mut function = function(name, summary).overload(overload);
    function.unguarded = true;
    function
}

fn is_text(value: &Val) -> bool {
    matches!(value, Val::String(_))
}

fn has_size(value: &Val) -> bool {
    match value {
        Val::String(_) | Val::Bytes(_) | Val::List(_) | Val::Map(_) => true,
        Val::Object(object) => object.size().is_some(),
        _ => false,
    }
}

fn size(_: &Context<'_>, args: &[Val]) -> Outcome {
    let size = match args {
        [Val::String(text)] => text.chars().count(),
        [Val::Bytes(bytes)] => bytes.len(),
        [Val::List(list)] => list.len(),
        [Val::Map(map)] => map.len(),
        [Val::Object(object)] => return object.size().map(Val::Int).ok_or_else(EvalError::no_such_overload),
        _ => return Err(EvalError::no_such_overload()),
    };
    Ok(Val::Int(size as i64))
}

fn about(args: &[Val], holds: fn(&str, &str) -> bool) -> Outcome {
    match args {
        [Val::String(text), Val::String(part)] => Ok(Val::Bool(holds(text, part))),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn contains(_: &Context<'_>, args: &[Val]) -> Outcome {
    about(args, |text, part| text.contains(part))
}

fn ends_with(_: &Context<'_>, args: &[Val]) -> Outcome {
    about(args, |text, part| text.ends_with(part))
}

fn starts_with(_: &Context<'_>, args: &[Val]) -> Outcome {
    about(args, |text, part| text.starts_with(part))
}

fn matches(context: &Context<'_>, args: &[Val]) -> Outcome {
    let [Val::String(text), Val::String(pattern)] = args else {
        return Err(EvalError::no_such_overload());
    };
    let regex = context.regex(pattern)?;
    Ok(Val::Bool(regex.is_match_within(text, &mut context.search())?))
}
