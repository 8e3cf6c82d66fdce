//! What templates are made of, and what breaks them.

/// What templates are made of.
#[rustfmt::skip]
pub(crate) const DICTIONARY: &[&str] = &[
    "{{", "}}", "{{- ", " -}}", "{{-", "-}}", "{{end}}", "{{else}}", "{{if .t}}", "{{else if .fa}}",
    "{{range .nums}}", "{{range $i, $e := .l}}", "{{with .m}}", "{{else with .l}}", "{{define \"a\"}}",
    "{{template \"a\"}}", "{{template \"a\" .}}", "{{block \"b\" .}}", "{{break}}", "{{continue}}",
    "{{/* c */}}", "{{- /* c */ -}}", "{{/*", "*/}}", "/*", "*/", "|", " | ", "(", ")", "$", "$x",
    "$x := 1", "$x = 2", ":=", "=", ",", ".", ".i", ".l", ".m.a", ".missing", ".nil", ".nil.x",
    ".params.env", ".object.metadata.name", "..", ".5", "1", "-1", "0x1F", "0b11", "0o7", "07", "08",
    "1_000", "1e3", "1i", "1+2i", "'a'", "'\\n'", "'ab'", "''", "\"x\"", "\"\\n\"", "\"\\z\"", "`r`", "`",
    "\"", "nil", "true", "false", "and", "or", "not", "len", "index", "slice", "print", "printf", "println",
    "html", "js", "urlquery", "call", "eq", "ne", "lt", "le", "gt", "ge", " ", "\n", "\t", "text", "é",
    "\\", "{", "}", "printf \"%d\" ", "if", "else", "end", "range", "with", "define", "template", "block",
    "break", "continue", "x", "\r\n", "\0", "@", "#",
];

#[rustfmt::skip]
pub(super) const FIELDS: &[&str] = &[
    ".", ".", "$", ".i", ".n", ".z", ".f", ".f1", ".s", ".e", ".t", ".fa", ".nil", ".l", ".el", ".em", ".m",
    ".nums", ".ll", ".mm", ".strs", ".nulls", ".params", ".params.env", ".params.missing", ".none",
    ".none.x", ".missing", ".missing.x", ".nil.x", ".m.a", ".m.c", ".m.zz", ".s.x", ".i.x", ".l.x",
    ".deep.x.y.z", ".deep.x.q.z", ".object.metadata.name", ".object.metadata.labels",
    ".object.metadata.annotations", ".object.metadata.annotations.x", ".object.spec.replicas",
    ".object.spec.containers", ".object.spec.ratio", ".object", ".big", ".huge", ".small", ".maxi", ".mini",
    ".u", ".u1", ".negz", ".floats", ".bools", ".q", ".wide", ".long", ".odd", ".odd.Upper", ".odd._x",
    ".odd.ключ", "$.i", "$.m.b", "$.params.tier", "$.missing", "$.nil",
];

#[rustfmt::skip]
pub(super) const LISTS: &[&str] = &[
    ".l", ".el", ".nums", ".ll", ".strs", ".nulls", ".bools", ".floats", ".object.spec.containers", ".m",
    ".mm", ".em", ".params", ".none", ".odd", ".i", ".n", ".z", ".s", ".nil", ".missing", ".f", ".t", "3",
    "0", "-1", "2.5", "\"abc\"", "(index .ll 0)", "$.nums", "'c'", "1e1",
];

#[rustfmt::skip]
pub(super) const CONSTANTS: &[&str] = &[
    "0", "1", "2", "3", "-1", "+1", "-0", "10", "007", "0x1f", "0XFF", "0b101", "0o17", "1_000", "0x_1f",
    "1e3", "1E-3", "1.5", "-2.5", ".5", "1.0", "0.0", "-0.0", "1e-400", "0x1p4", "0x1p-2", "0x1",
    "9223372036854775807", "-9223372036854775808", "1e18", "1i", "2.5i", "-1i", "1+2i", "1-2i", "1e3+1e-2i",
    "0i", "07i", "1+0i", "4294967296", "1.7976931348623157e308", "'a'", "'\\n'", "'\\''", "'\\\\'",
    "'\\x41'", "'\\377'", "'\\u00e9'", "'\\U0001F600'", "'é'", "'日'", "'\\a'", "'\\000'", "\"\"", "\"a\"",
    "\"abc\"", "\"\\n\\t\\\\\"", "\"\\\"\"", "\"\\x41\\101\"", "\"\\xff\"", "\"\\u00e9\"",
    "\"\\U0001F600\"", "\"é日\"", "\"<a href='x'>&\"", "\"a\\u0000b\"", "\"\\u2028</script>=\"",
    "\"a b+c/?%é\"", "`raw`", "`a\\n\"b`", "`a\nb`", "``", "\"%d\"", "\"a\"", "\"k\"", "\"env\"", "true",
    "false", "nil", "0.1",
];

/// Constants that are none, or whose value does not fit.
#[rustfmt::skip]
pub(super) const BROKEN: &[&str] = &[
    "08", "0b2", "0o8", "0x", "1__0", "_1", "1_", "1e", "1e+", "5.", "1e400", "0x1.8p1", "1p3",
    "9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1e19",
    "1+i", "i", "0x1i", "'\\400'", "'\\ud800'", "'\\U00110000'", "''", "'ab'", "'\\\"'", "'\\z'", "'",
    "'\\0'", "\"\\ud800\"", "\"\\z\"", "\"\\'\"", "\"\\400\"", "\"\\x4\"", "true1", "9.", "1.", "1..2",
    "1.2.3", "12abc", "1é", "-", "+", "--1", "1+", "0b", "0o", "1e309", "0x1p99999",
];

#[rustfmt::skip]
pub(super) const NUMBERS: &[&str] = &[
    ".i", ".n", ".z", ".maxi", ".mini", ".u", ".u1", "0", "1", "-1", "3", "'a'", ".object.spec.replicas",
    "(len .l)", ".f", "1.5", ".big", "9223372036854775807",
];

#[rustfmt::skip]
pub(super) const STRINGS: &[&str] = &[
    ".s", ".e", "\"\"", "\"a\"", ".params.env", "`dev`", ".m.c", ".wide", "\"\\xff\"", ".q",
];

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[&str] = &[
    "and", "or", "not", "len", "index", "slice", "print", "printf", "println", "html", "js", "urlquery",
    "eq", "ne", "lt", "le", "gt", "ge",
];

#[rustfmt::skip]
pub(super) const TEXTS: &[&str] = &[
    "x", " ", "\n", "  text\n", "a: b\n", "é", "{", "}", "{ {", "\t", " \n\t ", "\"", "-", "{{\"{{\"}}",
    "\r\n", "}}", "", "日本", "\u{a0}",
];

#[rustfmt::skip]
pub(super) const NAMES: &[&str] = &[
    "a", "b", "c", "t", "d", "e", "f",
];
#[rustfmt::skip]
pub(super) const VARIABLES: &[&str] = &[
    "$x", "$y", "$i", "$e", "$long_name", "$é",
];
