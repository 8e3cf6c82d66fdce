/// The candidate that is most like a name: equal but for case, or a few letters away.
pub(super) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == name {
            continue;
        }
        let distance = if candidate.eq_ignore_ascii_case(name) {
            0
        } else {
            strsim::damerau_levenshtein(name, candidate)
        };
        let longer = name.len().max(candidate.len());
        let allowed = if longer < 3 { 0 } else { (longer / 3).max(1) };
        if distance <= allowed && best.is_none_or(|(known, _)| distance < known) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// `did you mean "x"?`, or the list of what there is.
pub(super) fn suggestion(name: &str, candidates: &[&str]) -> String {
    match nearest(name, candidates.iter().copied()) {
        Some(candidate) => format!("did you mean {candidate}?"),
        None => format!("known are {}", candidates.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let known = ["goTemplate", "jsonPatch", "add"];
        assert_eq!(nearest("gotemplate", known), Some("goTemplate"));
        assert_eq!(nearest("jsonPath", known), Some("jsonPatch"));
        assert_eq!(nearest("Add", known), Some("add"));
        assert_eq!(nearest("multiply", known), None);
        assert_eq!(suggestion("x", &["a", "b"]), "known are a, b");
    }
}
