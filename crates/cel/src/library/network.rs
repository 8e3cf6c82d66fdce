//! The extension `network`: IP addresses and ranges of them as types of their own.
//!
//! Source: ext/network.go of cel-go. It has one version.

mod address;

use std::any::Any;
use std::sync::Arc;

use self::address::{Address, Prefix};
use super::arguments::string;
use crate::function::{Context, Function, Implementation, Overload};
use crate::types::Type;
use crate::value::{EvalError, Object, Outcome, Val};

/// The functions of a version of the library.
pub fn functions(_version: u32) -> Vec<Function> {
    let about_ip = |name, summary, id, call: Implementation, result, example| {
        Function::new("network", name, summary)
            .overload(Overload::member(id, [ip_type()], result).unary(call).example(example))
    };
    let about_cidr = |name, summary, id, call: Implementation, result, example| {
        Function::new("network", name, summary)
            .overload(Overload::member(id, [cidr_type()], result).unary(call).example(example))
    };
    let about_text = |name, summary, id, call: Implementation, result, example| {
        Function::new("network", name, summary)
            .overload(Overload::global(id, [Type::String], result).unary(call).example(example))
    };
    let in_cidr = |name, summary, id, other, call: Implementation, text_id, example, text_example| {
        Function::new("network", name, summary)
            .overload(Overload::member(id, [cidr_type(), other], Type::Bool).binary(call).example(example))
            .overload(
                Overload::member(text_id, [cidr_type(), Type::String], Type::Bool)
                    .binary(call)
                    .example(text_example),
            )
    };
    vec![
        about_text(
            "cidr",
            "The range that a string has in CIDR notation.",
            "string_to_cidr",
            cidr_of_text,
            cidr_type(),
            "cidr('10.0.0.0/8').prefixLength() // 8",
        ),
        Function::new("network", "string", "The range in CIDR notation.").overload(
            Overload::global("cidr_to_string", [cidr_type()], Type::String)
                .unary(to_text)
                .example("string(cidr('10.0.0.0/8')) // '10.0.0.0/8'"),
        ),
        in_cidr(
            "containsCIDR",
            "Whether all of another range is in the range.",
            "cidr_contains_cidr",
            cidr_type(),
            contains_cidr,
            "cidr_contains_cidr_string",
            "cidr('10.0.0.0/8').containsCIDR(cidr('10.1.0.0/16')) // true",
            "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') // true",
        ),
        in_cidr(
            "containsIP",
            "Whether an address is in the range.",
            "cidr_contains_ip_ip",
            ip_type(),
            contains_ip,
            "cidr_contains_ip_string",
            "cidr('10.0.0.0/8').containsIP(ip('10.1.2.3')) // true",
            "cidr('10.0.0.0/8').containsIP('11.0.0.1') // false",
        ),
        about_ip(
            "family",
            "The version of the protocol that the address is of, 4 or 6.",
            "ip_family",
            |_, args| Ok(Val::Int(ip(args)?.family())),
            Type::Int,
            "ip('::1').family() // 6",
        ),
        about_text(
            "ip",
            "The address that a string has, or the address of a range.",
            "string_to_ip",
            ip_of_text,
            ip_type(),
            "ip('10.0.0.1').family() // 4",
        )
        .overload(
            Overload::member("cidr_ip", [cidr_type()], ip_type())
                .unary(|_, args| Ok(ip_value(cidr(args)?.address())))
                .example("cidr('10.0.0.7/8').ip() == ip('10.0.0.7') // true"),
        ),
        Function::new("network", "string", "The address as a string, in its shortest form.").overload(
            Overload::global("ip_to_string", [ip_type()], Type::String)
                .unary(to_text)
                .example("string(ip('0:0::1')) // '::1'"),
        ),
        about_text(
            "ip.isCanonical",
            "Whether a string has an address in its shortest form.",
            "ip_is_canonical",
            is_canonical,
            Type::Bool,
            "ip.isCanonical('2001:DB8::1') // false",
        ),
        about_text(
            "isCIDR",
            "Whether a string has a range in CIDR notation.",
            "is_cidr",
            |context, args| Ok(Val::Bool(Prefix::parse(address_text(context, args, 0)?).is_ok())),
            Type::Bool,
            "isCIDR('10.0.0.0/33') // false",
        ),
        about_ip(
            "isGlobalUnicast",
            "Whether the address is one of a single host beyond its link; those of private networks are.",
            "ip_is_global_unicast",
            |_, args| Ok(Val::Bool(ip(args)?.is_global_unicast())),
            Type::Bool,
            "ip('10.0.0.1').isGlobalUnicast() // true",
        ),
        about_text(
            "isIP",
            "Whether a string has an address.",
            "is_ip",
            |context, args| Ok(Val::Bool(Address::parse(address_text(context, args, 0)?).is_ok())),
            Type::Bool,
            "isIP('10.0.0.256') // false",
        ),
        about_ip(
            "isLinkLocalMulticast",
            "Whether the address is one of a group on the link.",
            "ip_is_link_local_multicast",
            |_, args| Ok(Val::Bool(ip(args)?.is_link_local_multicast())),
            Type::Bool,
            "ip('ff02::1').isLinkLocalMulticast() // true",
        ),
        about_ip(
            "isLinkLocalUnicast",
            "Whether the address is one of a single host on the link.",
            "ip_is_link_local_unicast",
            |_, args| Ok(Val::Bool(ip(args)?.is_link_local_unicast())),
            Type::Bool,
            "ip('fe80::1').isLinkLocalUnicast() // true",
        ),
        about_ip(
            "isLoopback",
            "Whether the address is one of the host itself.",
            "ip_is_loopback",
            |_, args| Ok(Val::Bool(ip(args)?.is_loopback())),
            Type::Bool,
            "ip('127.0.0.1').isLoopback() // true",
        ),
        about_cidr(
            "isMask",
            "Whether the address of the range has no bits beyond its length.",
            "cidr_is_mask",
            |_, args| {
                let cidr = cidr(args)?;
                Ok(Val::Bool(cidr == cidr.masked()))
            },
            Type::Bool,
            "cidr('10.0.0.7/8').isMask() // false",
        ),
        about_ip(
            "isUnspecified",
            "Whether all bits of the address are zero.",
            "ip_is_unspecified",
            |_, args| Ok(Val::Bool(ip(args)?.is_unspecified())),
            Type::Bool,
            "ip('0.0.0.0').isUnspecified() // true",
        ),
        about_cidr(
            "masked",
            "The range with the bits of its address beyond its length cleared.",
            "cidr_masked",
            |_, args| Ok(cidr_value(cidr(args)?.masked())),
            cidr_type(),
            "cidr('10.0.0.7/8').masked() == cidr('10.0.0.0/8') // true",
        ),
        about_cidr(
            "prefixLength",
            "How many bits all addresses of the range have in common.",
            "cidr_prefix_length",
            |_, args| Ok(Val::Int(i64::from(cidr(args)?.length()))),
            Type::Int,
            "cidr('10.0.0.0/8').prefixLength() // 8",
        ),
    ]
}

/// `net.IP`.
#[derive(Debug)]
struct Ip(Address);

/// `net.CIDR`.
#[derive(Debug)]
struct Cidr(Prefix);

impl Object for Ip {
    fn ty(&self) -> Type {
        ip_type()
    }

    fn equals(&self, other: &Val) -> bool {
        object::<Ip>(Some(other)).is_some_and(|other| self.0 == other.0)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn convert(&self, to: &Type) -> Option<Outcome> {
        (*to == Type::String).then(|| Ok(Val::string(self.0.to_string())))
    }
}

impl Object for Cidr {
    fn ty(&self) -> Type {
        cidr_type()
    }

    fn equals(&self, other: &Val) -> bool {
        object::<Cidr>(Some(other)).is_some_and(|other| self.0 == other.0)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn convert(&self, to: &Type) -> Option<Outcome> {
        (*to == Type::String).then(|| Ok(Val::string(self.0.to_string())))
    }
}

fn ip_type() -> Type {
    Type::opaque("net.IP", [])
}

fn cidr_type() -> Type {
    Type::opaque("net.CIDR", [])
}

fn ip_value(address: Address) -> Val {
    Val::Object(Arc::new(Ip(address)))
}

fn cidr_value(prefix: Prefix) -> Val {
    Val::Object(Arc::new(Cidr(prefix)))
}

fn object<T: 'static>(value: Option<&Val>) -> Option<&T> {
    match value {
        Some(Val::Object(object)) => object.as_any().downcast_ref(),
        _ => None,
    }
}

/// The address that is the first argument.
fn ip(args: &[Val]) -> Result<Address, EvalError> {
    object::<Ip>(args.first()).map(|ip| ip.0).ok_or_else(EvalError::no_such_overload)
}

/// The range that is the first argument.
fn cidr(args: &[Val]) -> Result<Prefix, EvalError> {
    object::<Cidr>(args.first()).map(|cidr| cidr.0).ok_or_else(EvalError::no_such_overload)
}

/// The text of an address at an index. An error about it quotes it more than once, which takes long for a long one.
fn address_text<'a>(context: &Context<'_>, args: &'a [Val], index: usize) -> Result<&'a Arc<str>, EvalError> {
    let text = string(args, index)?;
    context.work(text.len() / 32)?;
    Ok(text)
}

fn ip_of_text(context: &Context<'_>, args: &[Val]) -> Outcome {
    context.charge(size_of::<Ip>())?;
    Address::parse(address_text(context, args, 0)?).map(ip_value).map_err(EvalError::new)
}

fn cidr_of_text(context: &Context<'_>, args: &[Val]) -> Outcome {
    context.charge(size_of::<Cidr>())?;
    Prefix::parse(address_text(context, args, 0)?).map(cidr_value).map_err(EvalError::new)
}

fn to_text(context: &Context<'_>, args: &[Val]) -> Outcome {
    let Some(Val::Object(object)) = args.first() else { return Err(EvalError::no_such_overload()) };
    // The longest form of a range: eight groups of four digits with colons, and `/128`.
    context.charge(43)?;
    object.convert(&Type::String).unwrap_or_else(|| Err(EvalError::no_such_overload()))
}

fn is_canonical(context: &Context<'_>, args: &[Val]) -> Outcome {
    let text = address_text(context, args, 0)?;
    let address = Address::parse(text).map_err(EvalError::new)?;
    Ok(Val::Bool(address.to_string() == **text))
}

fn contains_ip(context: &Context<'_>, args: &[Val]) -> Outcome {
    let cidr = cidr(args)?;
    let address = match object::<Ip>(args.get(1)) {
        Some(ip) => ip.0,
        None => Address::parse(address_text(context, args, 1)?).map_err(EvalError::new)?,
    };
    Ok(Val::Bool(cidr.contains(address)))
}

fn contains_cidr(context: &Context<'_>, args: &[Val]) -> Outcome {
    let cidr = cidr(args)?;
    let other = match object::<Cidr>(args.get(1)) {
        Some(other) => other.0,
        None => Prefix::parse(address_text(context, args, 1)?).map_err(EvalError::new)?,
    };
    Ok(Val::Bool(cidr.contains_prefix(other)))
}
