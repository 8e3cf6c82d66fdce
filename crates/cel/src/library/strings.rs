//! The extension `strings`: characters, searches, parts and formatting of strings.
//!
//! Source: ext/strings.go of cel-go. Indexes count characters, from 0. The table of functions is here; `text` has the
//! implementations, `format` the function of that name and `cost` the costs.

mod cost;
pub(crate) mod format;
mod text;

use crate::function::{Cost, Function, Implementation, Overload, Validator};
use crate::types::Type;

/// The version that brought `format` and `strings.quote`.
const WITH_FORMAT: u32 = 1;
/// The version from which on `join` looks at the elements one by one.
const WITH_ELEMENTWISE_JOIN: u32 = 2;
/// The version that brought `reverse`.
const WITH_REVERSE: u32 = 3;
/// The version from which on `format` writes values as the specification of CEL has it.
const WITH_SPECIFIED_FORMAT: u32 = 4;
/// The version from which on the functions have costs of their own, and `format` a limit for the precision.
const WITH_COSTS: u32 = 5;

/// The functions of a version of the library.
pub fn functions(version: u32) -> Vec<Function> {
    let table = Table { version };
    let mut functions = table.parts();
    if version >= WITH_FORMAT {
        functions.extend(table.formatting());
    }
    functions.push(table.join());
    if version >= WITH_REVERSE {
        functions.push(
            table.function(
                "reverse",
                "The characters from the last to the first.",
                [Overload::member("string_reverse", [Type::String], Type::String)
                    .unary(text::reverse)
                    .cost(cost::transform)
                    .example("'desserts'.reverse() // 'stressed'")],
            ),
        );
    }
    functions
}

struct Table {
    version: u32,
}

impl Table {
    /// A function with its overloads; without their costs in a version that has none.
    fn function<const N: usize>(
        &self,
        name: &str,
        summary: &'static str,
        overloads: [Overload; N],
    ) -> Function {
        let mut function = Function::new("strings", name, summary);
        for overload in overloads {
            let cost: Option<Cost> = overload.cost.filter(|_| self.version >= WITH_COSTS);
            function.overloads.push(Overload { cost, ..overload });
        }
        function
    }

    fn parts(&self) -> Vec<Function> {
        use Type::{Int, String};
        let strings = || Type::list(String);
        vec![
            self.function(
                "charAt",
                "The character at an index; the empty string at the end.",
                [Overload::member("string_char_at_int", [String, Int], String)
                    .binary(text::char_at)
                    .cost(cost::char_at)
                    .example("'convoy'.charAt(3) // 'v'")],
            ),
            self.function(
                "indexOf",
                "Where a text is found first, from an index on if one is given; -1 if it is not \
                    found.",
                [
                    Overload::member("string_index_of_string", [String, String], Int)
                        .binary(text::index_of)
                        .cost(cost::search)
                        .example("'banana'.indexOf('an') // 1"),
                    Overload::member("string_index_of_string_int", [String, String, Int], Int)
                        .function(text::index_of_from)
                        .cost(cost::search)
                        .example("'banana'.indexOf('an', 2) // 3"),
                ],
            ),
            self.function(
                "lastIndexOf",
                "Where a text is found last, beginning no later than at an index if one is given; \
                    -1 if it is not found.",
                [
                    Overload::member("string_last_index_of_string", [String, String], Int)
                        .binary(text::last_index_of)
                        .cost(cost::search)
                        .example("'banana'.lastIndexOf('an') // 3"),
                    Overload::member("string_last_index_of_string_int", [String, String, Int], Int)
                        .function(text::last_index_of_up_to)
                        .cost(cost::search)
                        .example("'banana'.lastIndexOf('an', 2) // 1"),
                ],
            ),
            self.transform(
                "lowerAscii",
                "The string with A to Z in lower case.",
                "string_lower_ascii",
                text::lower_ascii,
                "'Pod-Ä'.lowerAscii() // 'pod-Ä'",
            ),
            self.function(
                "replace",
                "The string with another text for each time that one is found, or for the first \
                    few times; a negative number is for all.",
                [
                    Overload::member("string_replace_string_string", [String, String, String], String)
                        .function(text::replace)
                        .cost(cost::replace)
                        .example("'a-b-c'.replace('-', '.') // 'a.b.c'"),
                    Overload::member(
                        "string_replace_string_string_int",
                        [String, String, String, Int],
                        String,
                    )
                    .function(text::replace_some)
                    .cost(cost::replace)
                    .example("'a-b-c'.replace('-', '.', 1) // 'a.b-c'"),
                ],
            ),
            self.function(
                "split",
                "The parts between separators, at most so many if a number is given; a negative \
                    number is for all. An empty separator splits into characters.",
                [
                    Overload::member("string_split_string", [String, String], strings())
                        .binary(text::split)
                        .cost(cost::split)
                        .example("'a/b/c'.split('/') // ['a', 'b', 'c']"),
                    Overload::member("string_split_string_int", [String, String, Int], strings())
                        .function(text::split_some)
                        .cost(cost::split)
                        .example("'a/b/c'.split('/', 2) // ['a', 'b/c']"),
                ],
            ),
            self.function(
                "substring",
                "The characters from an index on, and before another if it is given.",
                [
                    Overload::member("string_substring_int", [String, Int], String)
                        .binary(text::substring)
                        .cost(cost::transform)
                        .example("'convoy'.substring(3) // 'voy'"),
                    Overload::member("string_substring_int_int", [String, Int, Int], String)
                        .function(text::substring_range)
                        .cost(cost::transform)
                        .example("'convoy'.substring(0, 3) // 'con'"),
                ],
            ),
            self.transform(
                "trim",
                "The string without the white space of Unicode at both ends.",
                "string_trim",
                text::trim,
                "' a b\\n'.trim() // 'a b'",
            ),
            self.transform(
                "upperAscii",
                "The string with a to z in upper case.",
                "string_upper_ascii",
                text::upper_ascii,
                "'Pod-ä'.upperAscii() // 'POD-ä'",
            ),
        ]
    }

    /// A function from a string to a string.
    fn transform(
        &self,
        name: &str,
        summary: &'static str,
        id: &str,
        call: Implementation,
        example: &'static str,
    ) -> Function {
        let overload = Overload::member(id, [Type::String], Type::String).unary(call).cost(cost::transform);
        self.function(name, summary, [overload.example(example)])
    }

    fn formatting(&self) -> [Function; 2] {
        let (call, validator): (Implementation, Validator) = match self.version {
            ..WITH_SPECIFIED_FORMAT => (format::with_locale, format::check_with_locale),
            WITH_SPECIFIED_FORMAT..WITH_COSTS => {
                (format::specified_without_limit, format::check_specified_without_limit)
            }
            WITH_COSTS.. => (format::specified, format::check_specified),
        };
        // Their costs are among those that cel-go has for every environment.
        let mut functions = [
            self.function(
                "format",
                "The string with the elements of the list in place of its clauses: `%s` for any \
                    value, `%d` for integers, `%f` and `%e` for doubles (`%.2f` for two digits), \
                    `%b`, `%o`, `%x` and `%X` for other bases, `%%` for a percent sign.",
                [Overload::member("string_format", [Type::String, Type::list(Type::Dyn)], Type::String)
                    .function(call)
                    .example("'%s has %d ports'.format(['web', 2]) // 'web has 2 ports'")],
            ),
            self.function(
                "strings.quote",
                "The string in double quotes, with escape sequences for quotes, backslashes and \
                    control characters that have one.",
                [Overload::global("strings_quote", [Type::String], Type::String)
                    .unary(text::quote)
                    .example("strings.quote('a \"b\"') // '\"a \\\\\"b\\\\\"\"'")],
            ),
        ];
        functions[0].validator = Some(validator);
        functions
    }

    fn join(&self) -> Function {
        let (join, join_with): (Implementation, Implementation) = if self.version >= WITH_ELEMENTWISE_JOIN {
            (text::join, text::join_with)
        } else {
            (text::join_converted, text::join_converted_with)
        };
        let strings = Type::list(Type::String);
        self.function(
            "join",
            "The strings of a list one after the other, with a separator between them if one \
                    is given.",
            [
                Overload::member("list_join", [strings.clone()], Type::String)
                    .unary(join)
                    .cost(cost::join)
                    .example("['a', 'b'].join() // 'ab'"),
                Overload::member("list_join_string", [strings, Type::String], Type::String)
                    .binary(join_with)
                    .cost(cost::join)
                    .example("['a', 'b'].join(', ') // 'a, b'"),
            ],
        )
    }
}
