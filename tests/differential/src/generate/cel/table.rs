//! What functions, operators and macros there are: how each is written, the types that it takes, and its own.

/// A type, or a text of one kind that only some functions read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum T {
    Bool,
    Int,
    Uint,
    Double,
    Str,
    Bytes,
    Ts,
    Du,
    Null,
    Dyn,
    Type,
    Ip,
    Cidr,
    /// Type parameters, each the same within one call.
    A,
    B,
    List(&'static T),
    Map(&'static T, &'static T),
    Opt(&'static T),
    /// Texts that mean something.
    Regex,
    Zone,
    Time,
    Span,
    Address,
    Net,
    Number,
    Base64,
    /// Indices and keys that are often there.
    Index,
    Key,
    /// The body of a macro over a list of `A` or a map of `A` and `B`: what it gives.
    Body(&'static T),
    Body2(&'static T),
}

use T::{
    A, Address, B, Base64, Body, Body2, Bool, Bytes, Cidr, Double, Du, Dyn, Index, Int, Ip, Key, Net, Null,
    Number,
};
use T::{Regex, Span, Str, Time, Ts, Type, Uint, Zone};

const LA: T = T::List(&A);
const LB: T = T::List(&B);
const LLA: T = T::List(&LA);
const LI: T = T::List(&Int);
const LS: T = T::List(&Str);
const LD: T = T::List(&Double);
const LU: T = T::List(&Uint);
const MAB: T = T::Map(&A, &B);
const MIB: T = T::Map(&Int, &B);
const OA: T = T::Opt(&A);
const OB: T = T::Opt(&B);
const LOA: T = T::List(&OA);
const OLA: T = T::Opt(&LA);
const OMAB: T = T::Opt(&MAB);
const OS: T = T::Opt(&Str);

/// How a row is written: `$` is an operand with the precedence of a member, `~` one of an argument, `#` the variable of a
/// macro and `%` its second one, whose body comes last.
pub(super) struct Row {
    pub(super) text: &'static str,
    pub(super) params: &'static [T],
    pub(super) result: T,
}

const fn row(text: &'static str, params: &'static [T], result: T) -> Row {
    Row { text, params, result }
}

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // Logic.
    row("!$", &[Bool], Bool), row("$ && $", &[Bool, Bool], Bool), row("$ || $", &[Bool, Bool], Bool),
    row("$ && $ && $", &[Bool, Bool, Bool], Bool), row("$ ? $ : $", &[Bool, A, A], A), row("$ ? $ : $", &[Bool, A, A], A),
    // Comparison.
    row("$ == $", &[A, A], Bool), row("$ == $", &[A, A], Bool), row("$ != $", &[A, A], Bool),
    row("$ == $", &[Dyn, A], Bool), row("$ < $", &[Dyn, A], Bool),
    row("$ < $", &[Int, Int], Bool), row("$ <= $", &[Int, Uint], Bool), row("$ > $", &[Int, Double], Bool),
    row("$ >= $", &[Uint, Uint], Bool), row("$ < $", &[Uint, Int], Bool), row("$ <= $", &[Uint, Double], Bool),
    row("$ > $", &[Double, Double], Bool), row("$ >= $", &[Double, Int], Bool), row("$ < $", &[Double, Uint], Bool),
    row("$ < $", &[Str, Str], Bool), row("$ >= $", &[Bytes, Bytes], Bool), row("$ > $", &[Bool, Bool], Bool),
    row("$ < $", &[Ts, Ts], Bool), row("$ >= $", &[Du, Du], Bool),
    row("$ in $", &[A, LA], Bool), row("$ in $", &[A, MAB], Bool), row("$ in $", &[Dyn, LA], Bool),
    // Arithmetic.
    row("$ + $", &[Int, Int], Int), row("$ - $", &[Int, Int], Int), row("$ * $", &[Int, Int], Int),
    row("$ / $", &[Int, Int], Int), row("$ % $", &[Int, Int], Int), row("-$", &[Int], Int), row("-$", &[Double], Double),
    row("$ + $", &[Uint, Uint], Uint), row("$ - $", &[Uint, Uint], Uint), row("$ * $", &[Uint, Uint], Uint),
    row("$ / $", &[Uint, Uint], Uint), row("$ % $", &[Uint, Uint], Uint), row("$ + $", &[Double, Double], Double),
    row("$ - $", &[Double, Double], Double), row("$ * $", &[Double, Double], Double), row("$ / $", &[Double, Double], Double),
    row("$ + $", &[Str, Str], Str), row("$ + $", &[Bytes, Bytes], Bytes), row("$ + $", &[LA, LA], LA),
    row("$ + $", &[Ts, Du], Ts), row("$ + $", &[Du, Ts], Ts), row("$ - $", &[Ts, Du], Ts), row("$ - $", &[Ts, Ts], Du),
    row("$ + $", &[Du, Du], Du), row("$ - $", &[Du, Du], Du), row("$ + $", &[Dyn, Dyn], Dyn), row("$ * $", &[Dyn, Int], Dyn),
    // Selection.
    row("$[~]", &[LA, Index], A), row("$[~]", &[LA, Index], A), row("$[~]", &[MAB, A], B),
    row("$[~]", &[Dyn, Key], Dyn), row("$[~]", &[Dyn, Index], Dyn),
    row("$[~]", &[LA, Dyn], A), row("$[~]", &[MAB, Dyn], B), row("$.x", &[Dyn], Dyn),
    row("has($.spec)", &[Dyn], Bool), row("has($.a)", &[T::Map(&Str, &A)], Bool), row("$.a", &[T::Map(&Str, &A)], A),
    row("$.name", &[Dyn], Dyn), row("has($.name)", &[Dyn], Bool),
    // Conversion.
    row("int(~)", &[Double], Int), row("int(~)", &[Uint], Int), row("int(~)", &[Number], Int), row("int(~)", &[Ts], Int),
    row("int(~)", &[Du], Int), row("int(~)", &[Dyn], Int), row("uint(~)", &[Int], Uint), row("uint(~)", &[Double], Uint),
    row("uint(~)", &[Number], Uint), row("uint(~)", &[Dyn], Uint), row("double(~)", &[Int], Double), row("double(~)", &[Uint], Double),
    row("double(~)", &[Number], Double), row("string(~)", &[Int], Str), row("string(~)", &[Uint], Str),
    row("string(~)", &[Double], Str), row("string(~)", &[Bool], Str), row("string(~)", &[Bytes], Str),
    row("string(~)", &[Ts], Str), row("string(~)", &[Du], Str), row("string(~)", &[Ip], Str), row("string(~)", &[Cidr], Str),
    row("string(~)", &[Dyn], Str), row("bytes(~)", &[Str], Bytes), row("bool(~)", &[Str], Bool), row("dyn(~)", &[A], Dyn),
    row("dyn(~)", &[A], A), row("type(~)", &[A], Type), row("timestamp(~)", &[Time], Ts), row("timestamp(~)", &[Int], Ts),
    row("timestamp(~)", &[Str], Ts), row("duration(~)", &[Span], Du), row("duration(~)", &[Str], Du), row("duration(~)", &[Dyn], Du),
    // Sizes and strings.
    row("size(~)", &[Str], Int), row("$.size()", &[Str], Int), row("size(~)", &[Bytes], Int), row("size(~)", &[LA], Int),
    row("$.size()", &[LA], Int), row("$.size()", &[MAB], Int), row("size(~)", &[Dyn], Int), row("$.contains(~)", &[Str, Str], Bool),
    row("$.startsWith(~)", &[Str, Str], Bool), row("$.endsWith(~)", &[Str, Str], Bool), row("$.matches(~)", &[Str, Regex], Bool),
    row("matches(~, ~)", &[Str, Regex], Bool), row("$.startsWith(~)", &[Dyn, Str], Bool), row("$.charAt(~)", &[Str, Index], Str),
    row("$.indexOf(~)", &[Str, Str], Int), row("$.indexOf(~, ~)", &[Str, Str, Int], Int), row("$.lastIndexOf(~)", &[Str, Str], Int),
    row("$.lastIndexOf(~, ~)", &[Str, Str, Int], Int), row("$.join()", &[LS], Str), row("$.join(~)", &[LS, Str], Str),
    row("$.lowerAscii()", &[Str], Str), row("$.upperAscii()", &[Str], Str), row("$.replace(~, ~)", &[Str, Str, Str], Str),
    row("$.replace(~, ~, ~)", &[Str, Str, Str, Int], Str), row("$.split(~)", &[Str, Str], LS), row("$.split(~, ~)", &[Str, Str, Int], LS),
    row("$.substring(~)", &[Str, Index], Str), row("$.substring(~, ~)", &[Str, Index, Index], Str), row("$.substring(~, ~)", &[Str, Int, Int], Str), row("$.trim()", &[Str], Str),
    row("$.reverse()", &[Str], Str), row("strings.quote(~)", &[Str], Str), row("$.upperAscii()", &[Dyn], Str),
    row("regex.replace(~, ~, ~)", &[Str, Regex, Str], Str), row("regex.replace(~, ~, ~, ~)", &[Str, Regex, Str, Int], Str),
    row("regex.extract(~, ~)", &[Str, Regex], OS), row("regex.extractAll(~, ~)", &[Str, Regex], LS),
    row("base64.encode(~)", &[Bytes], Str), row("base64.decode(~)", &[Base64], Bytes), row("json.encode(~)", &[A], Str),
    row("json.encode(~)", &[Dyn], Str),
    // Time.
    row("$.getFullYear()", &[Ts], Int), row("$.getMonth(~)", &[Ts, Zone], Int), row("$.getDate()", &[Ts], Int),
    row("$.getDayOfMonth(~)", &[Ts, Zone], Int), row("$.getDayOfWeek()", &[Ts], Int), row("$.getDayOfYear(~)", &[Ts, Zone], Int),
    row("$.getHours()", &[Ts], Int), row("$.getHours(~)", &[Ts, Zone], Int), row("$.getHours()", &[Du], Int),
    row("$.getMinutes(~)", &[Ts, Zone], Int), row("$.getMinutes()", &[Du], Int), row("$.getSeconds()", &[Ts], Int),
    row("$.getSeconds()", &[Du], Int), row("$.getMilliseconds()", &[Ts], Int), row("$.getMilliseconds()", &[Du], Int),
    row("$.getFullYear(~)", &[Ts, Zone], Int), row("$.getDate(~)", &[Ts, Zone], Int), row("$.getHours()", &[Dyn], Int),
    // Lists and sets.
    row("$.slice(~, ~)", &[LA, Index, Index], LA), row("$.slice(~, ~)", &[LA, Int, Int], LA), row("$.flatten()", &[LLA], LA), row("$.flatten(~)", &[T::List(&Dyn), Int], T::List(&Dyn)),
    row("$.sort()", &[LI], LI), row("$.sort()", &[LS], LS), row("$.sort()", &[LD], LD), row("$.sort()", &[LU], LU),
    row("$.distinct()", &[LA], LA), row("$.reverse()", &[LA], LA), row("lists.range(~)", &[Int], LI), row("$.first()", &[LA], OA),
    row("$.last()", &[LA], OA), row("sets.contains(~, ~)", &[LA, LA], Bool), row("sets.equivalent(~, ~)", &[LA, LA], Bool),
    row("sets.intersects(~, ~)", &[LA, LA], Bool),
    // Numbers.
    row("math.greatest(~, ~)", &[Int, Int], Int), row("math.greatest(~, ~, ~)", &[Int, Uint, Double], Dyn),
    row("math.greatest(~)", &[LI], Int), row("math.greatest(~, ~)", &[Dyn, Int], Dyn), row("math.least(~, ~)", &[Double, Double], Double),
    row("math.least(~, ~)", &[Uint, Int], Dyn), row("math.least(~)", &[LD], Double), row("math.least(~)", &[LU], Uint),
    row("math.abs(~)", &[Int], Int), row("math.abs(~)", &[Double], Double), row("math.ceil(~)", &[Double], Double),
    row("math.floor(~)", &[Double], Double), row("math.round(~)", &[Double], Double), row("math.trunc(~)", &[Double], Double),
    row("math.sign(~)", &[Int], Int), row("math.sqrt(~)", &[Int], Double), row("math.isNaN(~)", &[Double], Bool),
    row("math.isInf(~)", &[Double], Bool), row("math.isFinite(~)", &[Double], Bool), row("math.bitAnd(~, ~)", &[Int, Int], Int),
    row("math.bitOr(~, ~)", &[Uint, Uint], Uint), row("math.bitXor(~, ~)", &[Int, Int], Int), row("math.bitNot(~)", &[Uint], Uint),
    row("math.bitShiftLeft(~, ~)", &[Int, Int], Int), row("math.bitShiftRight(~, ~)", &[Uint, Int], Uint), row("math.abs(~)", &[Dyn], Int),
    // Optional values.
    row("optional.of(~)", &[A], OA), row("optional.ofNonZeroValue(~)", &[A], OA), row("optional.none()", &[], OA),
    row("$.value()", &[OA], A), row("$.hasValue()", &[OA], Bool), row("$.orValue(~)", &[OA, A], A), row("$.or(~)", &[OA, OA], OA),
    row("$[?~]", &[LA, Index], OA), row("$[?~]", &[MAB, A], OB), row("$.?a", &[T::Map(&Str, &A)], OA), row("$.?spec", &[Dyn], T::Opt(&Dyn)),
    row("$.?name.orValue(~)", &[Dyn, Str], Dyn), row("$[?~].?name.orValue(~)", &[Dyn, Int, Str], Dyn), row("$[?~]", &[OLA, Index], OA),
    row("$[~]", &[OLA, Index], OA), row("$[~]", &[OMAB, A], OB), row("$.optMap(#, ~)", &[OA, Body(&B)], OB),
    row("$.optFlatMap(#, ~)", &[OA, Body(&OB)], OB), row("optional.unwrap(~)", &[LOA], LA), row("$.unwrapOpt()", &[LOA], LA),
    row("[?~, ~]", &[OA, A], LA), row("{~: ~, ?~: ~}", &[A, B, A, OB], MAB), row("has($.?a.b)", &[Dyn], Bool),
    // Networks.
    row("ip(~)", &[Address], Ip), row("ip(~)", &[Str], Ip), row("isIP(~)", &[Address], Bool), row("ip.isCanonical(~)", &[Address], Bool),
    row("cidr(~)", &[Net], Cidr), row("isCIDR(~)", &[Net], Bool), row("$.family()", &[Ip], Int), row("$.isLoopback()", &[Ip], Bool),
    row("$.isGlobalUnicast()", &[Ip], Bool), row("$.isUnspecified()", &[Ip], Bool), row("$.isLinkLocalUnicast()", &[Ip], Bool),
    row("$.isLinkLocalMulticast()", &[Ip], Bool), row("$.containsIP(~)", &[Cidr, Ip], Bool), row("$.containsIP(~)", &[Cidr, Address], Bool),
    row("$.containsCIDR(~)", &[Cidr, Cidr], Bool), row("$.containsCIDR(~)", &[Cidr, Net], Bool), row("$.ip()", &[Cidr], Ip),
    row("$.masked()", &[Cidr], Cidr), row("$.isMask()", &[Cidr], Bool), row("$.prefixLength()", &[Cidr], Int),
    // Macros.
    row("$.all(#, ~)", &[LA, Body(&Bool)], Bool), row("$.exists(#, ~)", &[LA, Body(&Bool)], Bool),
    row("$.exists_one(#, ~)", &[LA, Body(&Bool)], Bool), row("$.existsOne(#, ~)", &[MAB, Body(&Bool)], Bool),
    row("$.all(#, ~)", &[MAB, Body(&Bool)], Bool), row("$.map(#, ~)", &[LA, Body(&B)], LB), row("$.map(#, ~)", &[LA, Body(&B)], LB),
    row("$.filter(#, ~)", &[LA, Body(&Bool)], LA), row("$.filter(#, ~)", &[MAB, Body(&Bool)], LA), row("$.map(#, ~)", &[MAB, Body(&Int)], LI),
    row("$.sortBy(#, ~)", &[LA, Body(&Int)], LA), row("$.sortBy(#, ~)", &[LA, Body(&Str)], LA), row("$.exists(#, ~)", &[Dyn, Body(&Bool)], Bool),
    row("$.map(#, ~)", &[Dyn, Body(&B)], LB), row("$.all(#, %, ~)", &[LA, Body2(&Bool)], Bool), row("$.exists(#, %, ~)", &[MAB, Body2(&Bool)], Bool),
    row("$.existsOne(#, %, ~)", &[LA, Body2(&Bool)], Bool), row("$.transformList(#, %, ~)", &[LA, Body2(&B)], LB),
    row("$.transformList(#, %, ~)", &[MAB, Body2(&Str)], LS), row("$.transformMap(#, %, ~)", &[LA, Body2(&B)], MIB),
    row("$.transformMap(#, %, ~)", &[MAB, Body2(&B)], MAB), row("$.transformMapEntry(#, %, {~: 1})", &[LA, Body2(&Str)], T::Map(&Str, &Int)),
    row("$.transformMapEntry(#, %, ~)", &[MAB, Body2(&MAB)], MAB), row("cel.bind(#, $, ~)", &[A, Body(&B)], B),
    row("cel.bind(#, $, ~)", &[LA, Body(&B)], B),
    // What has no type of its own.
    row("[~, ~]", &[Dyn, A], T::List(&Dyn)), row("{~: ~}", &[Str, Dyn], T::Map(&Str, &Dyn)), row("$ == null", &[Null], Bool),
];
