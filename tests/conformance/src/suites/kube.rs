use std::path::Path;

use convoy_value::json;

use crate::case::Case;
use crate::data;
use crate::figures::Figures;
use crate::ours::kube;

pub(crate) fn strict_decode(case: &Case, _: &Path, figures: &mut Figures) {
    let Ok(object) = json::parse(case.text("object").unwrap_or("")) else {
        figures.compare("readable", &false, &true);
        return;
    };
    let want = case.text("error").map(str::to_owned);
    match kube::strict_decode(&data::value(&object)) {
        Ok(got) => {
            figures.compare("verdict", &got.is_none(), &want.is_none());
            if got.is_some() && want.is_some() {
                figures.compare("text", &got, &want);
            }
        }
        Err(text) => figures.compare("known", &text.as_str(), &""),
    }
}

/// The API server may say more of one fault than we do: a text of a wrong type is none of the enumeration either, and
/// what stands below a value of a wrong type is unknown too. So all that we say must be said, and each must say
/// something if the other does.
pub(crate) fn crd_validate(case: &Case, _: &Path, figures: &mut Figures) {
    let read = |name: &str| json::parse(case.text(name).unwrap_or("")).ok().map(|node| data::value(&node));
    let (Some(schema), Some(object)) = (read("schema"), read("object")) else {
        figures.compare("readable", &false, &true);
        return;
    };
    let found = kube::crd_validate(&schema, &object);
    let stop = case.text("error");
    figures.compare("stop", &found.stop.as_deref(), &stop);
    if stop.is_some() {
        return;
    }
    let (strict, errors) = (case.texts("strict"), case.texts("errors"));
    let accepted = strict.is_empty() && errors.is_empty();
    figures.compare("verdict", &(found.strict.is_empty() && found.errors.is_empty()), &accepted);
    figures.compare("verdict", &found.errors.is_empty(), &errors.is_empty());
    let said = |texts: &[String], by: &[&str]| -> Vec<String> {
        texts.iter().filter(|text| !by.contains(&text.as_str())).cloned().collect()
    };
    for (ours, theirs) in [(&found.strict, &strict), (&found.errors, &errors)] {
        let alone = said(ours, theirs);
        if alone.is_empty() {
            figures.count("text", ours.len(), ours.len());
        } else {
            figures.compare("text", &alone, &theirs.iter().map(|text| (*text).to_owned()).collect());
        }
    }
}
