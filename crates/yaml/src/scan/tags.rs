//! Tags, and the directives that explain them.

use super::Scanner;
use crate::chars::{is_alpha, width};
use crate::error::{Class, Fallible, Mark};
use crate::token::TokenKind;

impl Scanner<'_> {
    pub(super) fn fetch_tag(&mut self) -> Fallible {
        self.save_simple_key()?;
        self.simple_key_allowed = false;
        let mark = self.cursor.mark;
        let (handle, suffix);
        if self.cursor.peek(1) == b'<' {
            self.cursor.skip_ascii(2);
            suffix = self.tag_uri("", mark)?;
            handle = String::new();
            if self.cursor.peek(0) != b'>' {
                return self.error("did not find the expected '>'", mark, Class::Token);
            }
            self.cursor.skip();
        } else {
            let first = self.tag_handle(false, mark)?;
            if first.len() > 1 && first.ends_with('!') {
                suffix = self.tag_uri("", mark)?;
                handle = first;
            } else {
                let rest = self.tag_uri(&first, mark)?;
                // A lone `!` is the non-specific tag: no handle, suffix `!`.
                (handle, suffix) =
                    if rest.is_empty() { (rest, "!".to_owned()) } else { ("!".to_owned(), rest) };
            }
        }
        if !self.cursor.is_blankz(0) {
            return self.error("did not find expected whitespace or line break", mark, Class::Token);
        }
        let pair = self.add_pair(handle, suffix);
        self.push(TokenKind::Tag(pair), mark);
        Ok(())
    }

    fn tag_handle(&mut self, directive: bool, start: Mark) -> Fallible<String> {
        if self.cursor.peek(0) != b'!' {
            return self.error("did not find expected '!'", start, Class::Token);
        }
        let from = self.cursor.mark.offset;
        self.cursor.skip();
        while is_alpha(self.cursor.peek(0)) {
            self.cursor.skip();
        }
        if self.cursor.peek(0) == b'!' {
            self.cursor.skip();
        } else if directive && self.cursor.mark.offset - from > 1 {
            return self.error("did not find expected '!'", start, Class::Token);
        }
        Ok(self.source[from..self.cursor.mark.offset].to_owned())
    }

    fn tag_uri(&mut self, head: &str, start: Mark) -> Fallible<String> {
        let mut bytes: Vec<u8> = head.bytes().skip(1).collect();
        let mut found = !head.is_empty();
        loop {
            let c = self.cursor.peek(0);
            if c == b'%' {
                self.uri_escape(&mut bytes, start)?;
            } else if is_alpha(c) || b";/?:@&=+$,.!~*'()[]".contains(&c) {
                bytes.push(c);
                self.cursor.skip();
            } else {
                break;
            }
            found = true;
        }
        if !found {
            return self.error("did not find expected tag URI", start, Class::Token);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// One percent-encoded UTF-8 character.
    fn uri_escape(&mut self, out: &mut Vec<u8>, start: Mark) -> Fallible {
        let mut left = 0;
        loop {
            let digits = [self.cursor.peek(1), self.cursor.peek(2)];
            let octet = digits
                .iter()
                .try_fold(0, |value, d| char::from(*d).to_digit(16).map(|digit| value * 16 + digit));
            let (b'%', Some(octet)) = (self.cursor.peek(0), octet) else {
                return self.error("did not find URI escaped octet", start, Class::Token);
            };
            let octet = octet as u8;
            if left == 0 {
                if (0x80..0xC0).contains(&octet) || octet >= 0xF8 {
                    return self.error("found an incorrect leading UTF-8 octet", start, Class::Token);
                }
                left = width(octet);
            } else if octet & 0xC0 != 0x80 {
                return self.error("found an incorrect trailing UTF-8 octet", start, Class::Token);
            }
            out.push(octet);
            self.cursor.skip_ascii(3);
            left -= 1;
            if left == 0 {
                return Ok(());
            }
        }
    }

    pub(super) fn fetch_directive(&mut self) -> Fallible {
        self.unroll_indent(-1);
        self.remove_simple_key()?;
        self.simple_key_allowed = false;
        let mark = self.cursor.mark;
        self.cursor.skip();
        let from = self.cursor.mark.offset;
        while is_alpha(self.cursor.peek(0)) {
            self.cursor.skip();
        }
        let name = &self.source[from..self.cursor.mark.offset];
        if name.is_empty() {
            return self.error("could not find expected directive name", mark, Class::Other);
        }
        if !self.cursor.is_blankz(0) {
            return self.error("found unexpected non-alphabetical character", mark, Class::Other);
        }
        let kind = match name {
            "YAML" => {
                self.blanks();
                let major = self.version_number(mark)?;
                if self.cursor.peek(0) != b'.' {
                    return self.error("did not find expected digit or '.' character", mark, Class::Other);
                }
                self.cursor.skip();
                TokenKind::VersionDirective { major, minor: self.version_number(mark)? }
            }
            "TAG" => {
                self.blanks();
                let handle = self.tag_handle(true, mark)?;
                if !self.cursor.is_blank() {
                    return self.error("did not find expected whitespace", mark, Class::Other);
                }
                self.blanks();
                let prefix = self.tag_uri("", mark)?;
                if !self.cursor.is_blankz(0) {
                    return self.error("did not find expected whitespace or line break", mark, Class::Other);
                }
                TokenKind::TagDirective(self.add_pair(handle, prefix))
            }
            _ => return self.error("found unknown directive name", mark, Class::Other),
        };
        self.push(kind, mark);
        self.comments.extend(self.cursor.rest_of_line());
        if !self.cursor.is_breakz() {
            return self.error("did not find expected comment or line break", mark, Class::Other);
        }
        self.cursor.skip_line();
        Ok(())
    }

    fn blanks(&mut self) {
        while self.cursor.is_blank() {
            self.cursor.skip();
        }
    }

    fn version_number(&mut self, start: Mark) -> Fallible<u8> {
        let mut value: u8 = 0;
        let mut len = 0;
        while self.cursor.peek(0).is_ascii_digit() {
            len += 1;
            if len > 2 {
                return self.error("found extremely long version number", start, Class::Other);
            }
            value = value * 10 + (self.cursor.peek(0) - b'0');
            self.cursor.skip();
        }
        if len == 0 {
            return self.error("did not find expected version number", start, Class::Other);
        }
        Ok(value)
    }
}
