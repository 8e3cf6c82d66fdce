//! IP addresses and ranges, as Go's package `net/netip` reads and writes them.

use std::fmt;

use convoy_value::go::quote;

/// An IP address without a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// The bits, of an IPv4 address in the lowest 32.
    bits: u128,
    v6: bool,
}

/// An address and how many of its bits are those of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prefix {
    address: Address,
    length: u8,
}

impl Address {
    const UNSPECIFIED_V6: Address = Address { bits: 0, v6: true };
    const UNSPECIFIED_V4: Address = Address { bits: 0, v6: false };
    const BROADCAST: Address = Address { bits: 0xFFFF_FFFF, v6: false };

    /// Reads an address. A zone or an IPv4 address in IPv6 is an error. The error is cel-go's text.
    pub(super) fn parse(text: &str) -> Result<Address, String> {
        let (address, zone) = parse(text).map_err(|error| {
            format!("IP Address {} parse error during conversion from string: {error}", quoted(text))
        })?;
        if zone {
            return Err(format!("IP address {} with zone value is not allowed", quoted(text)));
        }
        address.unmapped(text)
    }

    fn unmapped(self, text: &str) -> Result<Address, String> {
        if self.v6 && self.bits >> 32 == 0xFFFF {
            return Err(format!("IPv4-mapped IPv6 address {} is not allowed", quoted(text)));
        }
        Ok(self)
    }

    /// 4 or 6.
    pub(super) fn family(self) -> i64 {
        if self.v6 { 6 } else { 4 }
    }

    fn length(self) -> u8 {
        if self.v6 { 128 } else { 32 }
    }

    /// The first byte of an IPv4 address.
    fn first_byte(self) -> u128 {
        self.bits >> 24
    }

    /// The first 16 bits of an IPv6 address.
    fn first_group(self) -> u128 {
        self.bits >> 112
    }

    pub(super) fn is_unspecified(self) -> bool {
        self.bits == 0
    }

    pub(super) fn is_loopback(self) -> bool {
        if self.v6 { self.bits == 1 } else { self.first_byte() == 127 }
    }

    fn is_multicast(self) -> bool {
        if self.v6 { self.first_group() >> 8 == 0xFF } else { self.first_byte() >> 4 == 0xE }
    }

    pub(super) fn is_link_local_multicast(self) -> bool {
        if self.v6 { self.first_group() & 0xFF0F == 0xFF02 } else { self.bits >> 8 == 0x00E0_0000 }
    }

    pub(super) fn is_link_local_unicast(self) -> bool {
        if self.v6 { self.first_group() & 0xFFC0 == 0xFE80 } else { self.bits >> 16 == 0xA9FE }
    }

    pub(super) fn is_global_unicast(self) -> bool {
        ![Address::UNSPECIFIED_V4, Address::UNSPECIFIED_V6, Address::BROADCAST].contains(&self)
            && !self.is_loopback()
            && !self.is_multicast()
            && !self.is_link_local_unicast()
    }

    /// The address with only its first bits.
    fn masked(self, length: u8) -> Address {
        let cleared = u32::from(self.length().saturating_sub(length));
        let mask = u128::MAX.checked_shl(cleared).unwrap_or(0);
        Address { bits: self.bits & mask, ..self }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.v6 {
            let byte = |shift: u32| self.bits >> shift & 0xFF;
            return write!(f, "{}.{}.{}.{}", byte(24), byte(16), byte(8), byte(0));
        }
        let groups: Vec<u128> = (0..8).map(|index| self.bits >> (112 - 16 * index) & 0xFFFF).collect();
        // The first of the longest runs of two or more zeros is left out.
        let (mut start, mut length) = (8, 1);
        for index in 0..groups.len() {
            let run = groups.iter().skip(index).take_while(|&&group| group == 0).count();
            if run > length {
                (start, length) = (index, run);
            }
        }
        let mut separated = true;
        for (index, group) in groups.iter().enumerate() {
            if index == start {
                f.write_str("::")?;
                separated = true;
            }
            if (start..start + length).contains(&index) {
                continue;
            }
            write!(f, "{}{group:x}", if separated { "" } else { ":" })?;
            separated = false;
        }
        Ok(())
    }
}

impl Prefix {
    /// Reads an address with a length. The error is cel-go's text.
    pub(super) fn parse(text: &str) -> Result<Prefix, String> {
        let prefix = parse_prefix(text).map_err(|error| {
            let quoted = quoted(text);
            format!("CIDR {quoted} parse error during conversion from string: netip.ParsePrefix({quoted}): {error}")
        })?;
        prefix.address.unmapped(text)?;
        Ok(prefix)
    }

    pub(super) fn address(self) -> Address {
        self.address
    }

    pub(super) fn length(self) -> u8 {
        self.length
    }

    /// The range with the bits cleared that are not those of the range.
    pub(super) fn masked(self) -> Prefix {
        Prefix { address: self.address.masked(self.length), ..self }
    }

    /// Whether an address is in the range.
    pub(super) fn contains(self, address: Address) -> bool {
        address.masked(self.length) == self.address.masked(self.length)
    }

    /// Whether all of another range is in the range.
    pub(super) fn contains_prefix(self, other: Prefix) -> bool {
        self.length <= other.length && self.contains(other.address)
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.length)
    }
}

fn quoted(text: &str) -> String {
    quote(text.as_bytes())
}

fn parse_prefix(text: &str) -> Result<Prefix, String> {
    let Some((address, bits)) = text.rsplit_once('/') else { return Err("no '/'".to_owned()) };
    let (address, zone) = parse(address)?;
    if zone {
        return Err("IPv6 zones cannot be present in a prefix".to_owned());
    }
    let bad = || format!("bad bits after slash: {}", quoted(bits));
    // Neither signs nor leading zeros.
    let digits = !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || (bits.len() > 1 && bits.starts_with('0')) {
        return Err(bad());
    }
    let length: i64 = bits.parse().map_err(|_| bad())?;
    match u8::try_from(length) {
        Ok(length) if length <= address.length() => Ok(Prefix { address, length }),
        _ => Err("prefix length out of range".to_owned()),
    }
}

/// The error of Go's `ParseAddr`, with where in the text it is.
fn error(text: &str, what: &str, at: &str) -> String {
    let at = if at.is_empty() { String::new() } else { format!(" (at {})", quoted(at)) };
    format!("ParseAddr({}): {what}{at}", quoted(text))
}

/// Reads an address, and whether there is a zone.
fn parse(text: &str) -> Result<(Address, bool), String> {
    match text.bytes().find(|byte| matches!(byte, b'.' | b':' | b'%')) {
        Some(b'.') => {
            let bits = parse_v4(text, text)?;
            Ok((Address { bits: u128::from(bits), v6: false }, false))
        }
        Some(b':') => parse_v6(text),
        Some(_) => Err(error(text, "missing IPv6 address", "")),
        None => Err(error(text, "unable to parse IP", "")),
    }
}

/// Reads an IPv4 address, which may be the end of another text.
fn parse_v4(text: &str, address: &str) -> Result<u32, String> {
    let mut bits = 0;
    let mut fields = 0;
    let mut value = 0;
    let mut digits = 0;
    let mut before = b'.';
    for (index, byte) in address.bytes().enumerate() {
        let rest = address.get(index..).unwrap_or("");
        match byte {
            b'0'..=b'9' => {
                if digits == 1 && value == 0 {
                    return Err(error(text, "IPv4 field has octet with leading zero", ""));
                }
                value = value * 10 + u32::from(byte - b'0');
                digits += 1;
                if value > 255 {
                    return Err(error(text, "IPv4 field has value >255", ""));
                }
            }
            b'.' => {
                if before == b'.' || rest.len() == 1 {
                    return Err(error(text, "IPv4 field must have at least one digit", rest));
                }
                if fields == 3 {
                    return Err(error(text, "IPv4 address too long", ""));
                }
                bits = bits << 8 | value;
                (fields, value, digits) = (fields + 1, 0, 0);
            }
            _ => return Err(error(text, "unexpected character", rest)),
        }
        before = byte;
    }
    if fields < 3 {
        return Err(error(text, "IPv4 address too short", ""));
    }
    Ok(bits << 8 | value)
}

/// Reads an IPv6 address, and whether there is a zone.
fn parse_v6(text: &str) -> Result<(Address, bool), String> {
    let fail = |what: &str, at: &str| Err(error(text, what, at));
    let (mut rest, zone) = match text.split_once('%') {
        Some((_, "")) => return fail("zone must be a non-empty string", ""),
        Some((address, _)) => (address, true),
        None => (text, false),
    };
    // The groups, and before which of them the `::` is.
    let mut groups: Vec<u16> = Vec::with_capacity(8);
    let mut ellipsis = None;
    if let Some(behind) = rest.strip_prefix("::") {
        ellipsis = Some(0);
        rest = behind;
        if rest.is_empty() {
            return Ok((Address::UNSPECIFIED_V6, zone));
        }
    }
    while groups.len() < 8 {
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits > 4 {
            return fail("each group must have 4 or less digits", rest);
        }
        if digits == 0 {
            return fail("each colon-separated field must have at least one digit", rest);
        }
        let (digits, behind) = rest.split_at_checked(digits).unwrap_or((rest, ""));
        if behind.starts_with('.') {
            if ellipsis.is_none() && groups.len() != 6 {
                return fail("embedded IPv4 address must replace the final 2 fields of the address", rest);
            }
            if groups.len() > 6 {
                return fail("too many hex fields to fit an embedded IPv4 at the end of the address", rest);
            }
            let bits = parse_v4(text, rest)?;
            groups.extend([(bits >> 16) as u16, bits as u16]);
            rest = "";
            break;
        }
        groups.push(u16::from_str_radix(digits, 16).unwrap_or(0));
        rest = behind;
        if rest.is_empty() {
            break;
        }
        let Some(behind) = rest.strip_prefix(':') else {
            return fail("unexpected character, want colon", rest);
        };
        if behind.is_empty() {
            return fail("colon must be followed by more characters", rest);
        }
        rest = behind;
        if let Some(behind) = rest.strip_prefix(':') {
            if ellipsis.is_some() {
                return fail("multiple :: in address", rest);
            }
            ellipsis = Some(groups.len());
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
    }
    if !rest.is_empty() {
        return fail("trailing garbage after address", rest);
    }
    match ellipsis {
        None if groups.len() < 8 => return fail("address string too short", ""),
        Some(_) if groups.len() >= 8 => return fail("the :: must expand to at least one field of zeros", ""),
        _ => {}
    }
    let zeros = 8usize.saturating_sub(groups.len());
    let at = ellipsis.unwrap_or(groups.len());
    let all = groups.iter().take(at).chain(std::iter::repeat_n(&0, zeros)).chain(groups.iter().skip(at));
    let bits = all.fold(0, |bits: u128, &group| bits << 16 | u128::from(group));
    Ok((Address { bits, v6: true }, zone))
}
