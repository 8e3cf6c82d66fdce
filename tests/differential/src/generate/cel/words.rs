//! What expressions are made of, and what breaks them. The variables are those of `tests/conformance/cel/kube.json`.

#[rustfmt::skip]
pub(crate) const DICTIONARY: &[&str] = &[
    "object", "oldObject", "self", "cluster", "i", "u", "d", "s", "b", "by", "n", "ts", "du", "li", "ls", "ld", "m", "mi", "oi", "on",
    ".spec", ".metadata.name", ".metadata.labels", "[0]", "['a']", "[?0]", ".?spec", ".`a-b`", "`x`", ".size()", ".map(x, x)",
    ".all(x, true)", ".exists(x, x)", ".filter(x, true)", ".transformMap(k, v, v)", "has(", "cel.bind(x, 1, ", "optional.of(",
    "optional.none()", ".orValue(1)", ".optMap(x, x)", "size(", "int(", "dyn(", "type(", "math.greatest(", ".format([", "'%s'",
    "1", "-1", "0x1f", "1u", "1.5", "1e3", "9223372036854775807", "'a'", "\"b\"", "r'\\d'", "b'x'", "'''", "\"\"\"", "'", "\"", "\\",
    "true", "false", "null", "in", "as", "if", "import", " ", "\n", "\t", "// c\n", "//", "+", "-", "*", "/", "%", "!", "==", "!=",
    "<", "<=", ">", ">=", "&&", "||", "?", ":", "=", "&", "|", ".", ",", "(", ")", "[", "]", "{", "}", "[?", "{?", ".?", "é", "日", "😀",
    "@", "#", "$", "^", "~", ";", "_", "x", "\0", "\u{feff}", "Foo{a: 1}", "google.protobuf.Timestamp", "..", "\\u00e9", "\\ud800",
];

#[rustfmt::skip]
pub(super) const BOOLS: &[&str] = &["b", "true", "false", "b", "object.spec.paused", "self.ready"];
#[rustfmt::skip]
pub(super) const INTS: &[&str] = &[
    "i", "i", "1", "0", "2", "3", "-1", "7", "9223372036854775807", "-9223372036854775808", "0x1f", "63", "64", "-2", "10", "100",
];
pub(super) const UINTS: &[&str] = &["u", "u", "1u", "0u", "2u", "18446744073709551615u", "0xFu", "64u"];
pub(super) const DOUBLES: &[&str] =
    &["d", "d", "1.0", "0.5", "-2.5", "1e3", "1e300", "-0.0", "0.1", "9007199254740993.0", "2.5", "1e19"];
#[rustfmt::skip]
pub(super) const STRINGS: &[&str] = &[
    "s", "s", "'a'", "''", "'abc'", "'b'", "\"x y\"", "'é😀'", "'a,b,c'", "' pad '", "'Abc'", "'ghcr.io/a/b:1.0'", "r'\\d'", "'%s'",
    "'10'", "'true'", "'line\\nbreak'", "\"quote\\\"d\"", "cluster.name", "cluster.region", "'\\u00e9'", "','", "'UTC'",
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'",
];
pub(super) const BYTES: &[&str] = &["by", "b'a'", "b''", "b'\\xff'", "b'abc'", "bytes('é')"];
#[rustfmt::skip]
pub(super) const TIMES: &[&str] = &[
    "ts", "ts", "timestamp(0)", "timestamp('2024-12-31T23:59:59.999Z')", "timestamp('1969-12-31T23:59:59+01:00')",
];
pub(super) const SPANS: &[&str] =
    &["du", "du", "duration('1h')", "duration('-1.5s')", "duration('1ns')", "duration('0s')"];
#[rustfmt::skip]
pub(super) const DYNS: &[&str] = &[
    "object", "object", "oldObject", "object.spec", "object.metadata", "object.metadata.name", "object.metadata.labels",
    "object.metadata.annotations", "object.metadata.finalizers", "object.spec.replicas", "object.spec.ratio", "object.spec.paused",
    "object.spec.nothing", "object.spec.template.spec.containers", "object.spec.template.spec.containers[0]",
    "object.spec.template.spec.containers[1].resources", "object.spec.template.spec.containers[0].image", "object.missing",
    "object.metadata.labels.app", "object.metadata.labels['app.kubernetes.io/name']", "object.metadata.labels.`app.kubernetes.io/name`",
    "self.name", "self.weight", "self.tags", "self.missing", "self.ratio", "ld[0]", "ld[1]", "ld[2]", "dyn(1)", "dyn('a')", "dyn(null)",
    "dyn([1])", "dyn({'a': 1})", "dyn(1u)", "dyn(1.0)", "oldObject.spec.replicas",
];
pub(super) const TYPES: &[&str] =
    &["int", "string", "type", "list", "type(1)", "google.protobuf.Timestamp", "null_type", "bool"];
pub(super) const IPS: &[&str] =
    &["ip('10.0.0.1')", "ip('::1')", "ip('127.0.0.1')", "ip('fe80::1')", "ip('224.0.0.1')"];
pub(super) const CIDRS: &[&str] =
    &["cidr('10.0.0.0/8')", "cidr('10.1.2.3/16')", "cidr('::/0')", "cidr('2001:db8::/32')"];

#[rustfmt::skip]
pub(super) const REGEXES: &[&str] = &[
    "'a'", "'^a.*c$'", "r'\\d+'", "'(a)(b)?'", "'[a-z]+'", "'('", "'a**'", "'[b-a]'", "r'\\p{L}+'", "'(?i)ABC'", "'(?P<n>b)'", "''", "'.'",
    "'a{2,}'", "'a{2,1}'", "r'\\b'", "'x|b'", "r'^(.+):(.+)$'", "'(?:b)'", "r'\\8'", "'[[:alpha:]]'", "s",
];
#[rustfmt::skip]
pub(super) const ZONES: &[&str] = &[
    "'UTC'", "'Europe/Berlin'", "'America/New_York'", "'+05:30'", "'-03:30'", "'Asia/Kolkata'", "'Nowhere'", "''", "'+5'", "'Local'",
    "'Australia/Lord_Howe'", "'+14:00'", "'a:b'", "s",
];
#[rustfmt::skip]
pub(super) const TIME_TEXTS: &[&str] = &[
    "'2024-02-29T12:30:45Z'", "'2024-02-29T12:30:45.5+05:30'", "'0001-01-01T00:00:00Z'", "'9999-12-31T23:59:59.999999999Z'",
    "'2023-02-29T00:00:00Z'", "'2024-02-29'", "object.metadata.creationTimestamp", "'1970-01-01T00:00:00Z'", "'2024-03-31T02:30:00+01:00'",
];
pub(super) const SPAN_TEXTS: &[&str] = &[
    "'1h'",
    "'1h2m3s'",
    "'-1.5s'",
    "'1ms'",
    "'1d'",
    "'0'",
    "'.5m'",
    "'9223372036s'",
    "'9223372037s'",
    "'1'",
];
#[rustfmt::skip]
pub(super) const ADDRESSES: &[&str] = &[
    "'10.0.0.1'", "'::1'", "'2001:DB8::1'", "'::ffff:1.2.3.4'", "'1.2.3'", "'fe80::1%a'", "'256.1.1.1'", "'01.2.3.4'", "'255.255.255.255'",
    "'169.254.1.1'", "'ff02::1'", "'::'",
];
#[rustfmt::skip]
pub(super) const NETS: &[&str] = &[
    "'10.0.0.0/8'", "'10.1.2.3/16'", "'::/0'", "'2001:db8::/32'", "'10.0.0.0/33'", "'10.0.0.0'", "'x/8'", "'10.0.0.0/08'", "'0.0.0.0/0'",
];
#[rustfmt::skip]
pub(super) const NUMBERS: &[&str] = &[
    "'1'", "'-1'", "'0'", "'1.5'", "'x'", "''", "'9223372036854775808'", "'+1'", "'1e3'", "'NaN'", "'0x10'", "'00'", "string(i)",
];
pub(super) const BASE64: &[&str] = &["'YWJj'", "'YQ=='", "'YQ'", "'!'", "''", "'_w=='", "base64.encode(by)"];
pub(super) const INDICES: &[&str] =
    &["0", "0", "0", "0", "0", "0", "i - 3", "1", "1", "2", "i - 2", "dyn(0u)", "-1", "dyn(0.0)"];
#[rustfmt::skip]
pub(super) const KEYS: &[&str] = &["'a'", "'spec'", "'metadata'", "'labels'", "'app'", "'name'", "'none'", "s", "'image'", "'replicas'"];
/// Clauses of `format`, and the types that they take.
#[rustfmt::skip]
pub(super) const CLAUSES: &[(&str, &str)] = &[
    ("%s", "*"), ("%s", "*"), ("%d", "i"), ("%d", "u"), ("%d", "d"), ("%f", "d"), ("%.2f", "d"), ("%e", "d"), ("%.3e", "d"), ("%x", "i"),
    ("%X", "s"), ("%x", "by"), ("%o", "i"), ("%b", "b"), ("%b", "i"), ("%%", ""), ("%z", "i"), ("%5d", "i"), ("%.1f", "i"), ("%d", "s"), ("é", ""),
];
/// Names that macros bind.
pub(super) const NAMES: &[&str] = &["x", "y", "e", "k", "v", "c", "i", "s", "object", "size", "cel"];
