//! What YAML is made of, and what breaks it.

/// What YAML is made of.
#[rustfmt::skip]
pub(crate) const DICTIONARY: &[&str] = &[
    "- ", "-", "? ", "?", ": ", ":", "a: ", "b: 1\n", "a", "b", "c d", "\n", "\n", "\n", " ", "  ", "   ",
    "\t", "[", "]", "{", "}", ", ", ",", "|", ">", "|-\n", ">+\n", "|2\n", ">1-\n", "|0\n", "|10\n", "'",
    "''", "\"", "\\", "\\x41", "\\u263a", "\\U0001F600", "\\UFFFFFFFF", "\\uD800", "\\\n", "\\z", "&a ",
    "&b ", "*a", "*b", "&", "*", "&a-1 ", "*a : ", "<<: *a\n", "<<", "!", "!!", "!!str ", "!!int ",
    "!!float ", "!!bool ", "!!null ", "!!map ", "!!seq ", "!!binary ", "!!set ", "!!timestamp ", "!!merge ",
    "!local ", "!<tag:yaml.org,2002:str> ", "!<x", "!e!t ", "!%41 ", "---\n", "--- ", "---", "...\n", "...",
    "%YAML 1.1\n", "%YAML 1.2\n", "%YAML 2.0\n", "%TAG ! !x\n", "%TAG !e! tag:e,1:\n", "%X y\n", "# c\n",
    " # c\n", "#", "%", "@", "`", "\r\n", "\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{feff}", "\u{1}",
    "\u{7f}", "\u{9f}", "\u{a0}", "\u{fffe}", "é", "日本", "😀", "~", "null", "yes", "No", "ON", "y", "true",
    "TRUE", "0", "-0", "012", "0o17", "0x1F", "0b101", "1_000", "+1", "1.5", "1.", ".5", "1e3", "1e400",
    ".inf", "-.Inf", ".NaN", "1:30", "190:20:30", "190:20:30.15", "2001-01-01",
    "2001-12-14t21:59:43.10-05:00", "9223372036854775807", "9223372036854775808", "18446744073709551616",
    "=", "AAEC", "e1", "0x", "0.0", "1__0", "- - - x\n", "? [a]\n: b\n", "{a: b}\n", "[a, [b]]\n", "'x'\n",
    "\"y\\n\"\n",
];

#[rustfmt::skip]
pub(super) const WORDS: &[&str] = &[
    "a", "b", "name", "spec", "replicas", "image", "app.kubernetes.io/name", "x-y", "a b", "k1",
    "true", "yes", "n", "on", "null", "~", "1", "1.0", "0x1", "01", "é", "key with spaces", "=", "-1",
    "2001-01-01", ".inf",
];

/// Plain scalars that mean something, or that only just are plain.
#[rustfmt::skip]
pub(super) const PLAIN: &[&str] = &[
    "web", "nginx:1.25", "http://x/y?z#w", "a#b", "a:b", "-x", "a b  c", "true", "True", "tRUE", "no",
    "Yes", "YES", "off", "y", "N", "~", "null", "Null", "NULL", "nULL", "1", "0", "-0", "+1", "-12", "007",
    "08", "0o14", "0O14", "0x1f", "0X1F", "-0x1", "0b11", "0b2", "1_000", "_1", "1__2", "1e3", "1E+3", "1e",
    "1.5", "-1.5e-3", ".5", "5.", ".", "1.2.3", "1e400", "-1e400", "1e-400", ".inf", "+.inf", "-.INF",
    ".Inf", ".iNf", ".nan", ".NaN", ".NAN", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
    "123456789012345678901234567890", "1:30", "20:30:15", "1:60", "2001-01-01", "2001-1-1",
    "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5", "0x", "0b", "=", "<<", "<", "100m",
    "128Mi", "0.1", "0.10", "1e21", "100000000000000000000000", "1.0", "1.7976931348623157e308", "v1", "x'",
    "x\"", "é", "日本", "😀", "a\u{a0}b", "\u{feff}x", "0777", "0_7", "+0x1", "-0b1", "1e+", "e3", "infinity",
    "0x1p-2", "NaN", "Inf", "-inf", "0.", "-.5", "+.5", "1_0.5", "1.5_0", "__", "190:20:30.15",
];

/// Plain scalars that are none in some places, or nowhere.
#[rustfmt::skip]
pub(super) const BROKEN: &[&str] = &[
    "{{.x}}", "x:", "a]b", "a}b", "[", "]", "{", "}", "@x", "`x", "%x", "!x", "&x", "*x", "|x", ">x", "'x",
    "\"x", ",x", ":x", "?x", "a,b", "1,000",
];

#[rustfmt::skip]
pub(super) const TAGS: &[&str] = &[
    "!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq", "!!binary", "!!timestamp", "!!set",
    "!!omap", "!!merge", "!", "!local", "!<tag:yaml.org,2002:str>", "!<tag:yaml.org,2002:int>", "!<!x>",
    "!%21x", "!!%73tr",
];

#[rustfmt::skip]
pub(super) const BROKEN_TAGS: &[&str] = &[
    "!!", "!<>", "!<x", "!x!", "!é", "!a,b", "!!strx", "!a{b", "!e!x", "!%zz",
];

#[rustfmt::skip]
pub(super) const ESCAPES: &[&str] = &[
    "\\n", "\\t", "\\\"", "\\\\", "\\/", "\\0", "\\a", "\\b", "\\e", "\\f", "\\v", "\\r", "\\ ", "\\_",
    "\\N", "\\L", "\\P", "\\x41", "\\xff", "\\u00e9", "\\uFFFE", "\\U0001F600", "\\\t",
];

#[rustfmt::skip]
pub(super) const BROKEN_ESCAPES: &[&str] = &[
    "\\x4", "\\u12", "\\ud800", "\\udc00", "\\U00110000", "\\UFFFFFFFF", "\\'", "\\z", "\\", "\\xg0",
    "\\ud83d\\ude00",
];

#[rustfmt::skip]
pub(super) const EMBEDDED: &[&str] = &[
    "text", "two words", " lead", "trail ", "", " ", "\t", "# no comment", "a: b", "- x", "'", "\"", "\\n",
    "é", "日", "---", "...", "--- x", "%x", "{{ .a }}", "a\tb", "  more", "\tt", "\u{a0}", "\u{85}",
    "\u{2028}",
];

#[rustfmt::skip]
pub(super) const ANCHORS: &[&str] = &[
    "a", "b", "a1", "a-b", "1",
];
#[rustfmt::skip]
pub(super) const BROKEN_ANCHORS: &[&str] = &[
    "é", "a.b", "", "a:", "x,", "*a",
];
