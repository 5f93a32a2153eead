//! The forms of a page, read as a browser reads them.

/// A form: where it goes, and its fields as they would be sent without a touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    /// Where it goes.
    pub(super) action: String,
    /// Its fields; boxes that are not ticked are not among them.
    pub(super) fields: Vec<(String, String)>,
    /// The options of each list of choices: its name, then value and text.
    pub(super) options: Vec<(String, String, String)>,
}

impl Form {
    /// The first form of the page whose action begins with `action`.
    pub(super) fn find(page: &str, action: &str) -> Option<Self> {
        page.split("<form").skip(1).map(|rest| rest.split("</form>").next().unwrap_or(rest)).find_map(
            |text| {
                let (tag, inside) = text.split_once('>')?;
                let to = attribute(tag, "action")?;
                to.starts_with(action).then(|| Self {
                    action: to,
                    fields: inputs(inside),
                    options: options(inside),
                })
            },
        )
    }

    /// The value of the choice that reads `text`.
    pub(super) fn choice(&self, text: &str) -> Option<(String, String)> {
        self.options
            .iter()
            .find(|(_, _, shown)| shown == text)
            .map(|(name, value, _)| (name.clone(), value.clone()))
    }

    /// The same form with a field of its own filled in; nothing when it has no such field.
    pub(super) fn fill(mut self, name: &str, value: &str) -> Option<Self> {
        let at = self.fields.iter().position(|(field, _)| field == name)?;
        value.clone_into(&mut self.fields[at].1);
        Some(self)
    }

    /// The same form with a button pressed or a choice made.
    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }
}

fn inputs(inside: &str) -> Vec<(String, String)> {
    let tags = inside.split("<input").skip(1).map(|rest| rest.split('>').next().unwrap_or(rest));
    tags.filter_map(|tag| {
        let name = attribute(tag, "name")?;
        let kind = attribute(tag, "type").unwrap_or_default();
        let counts = !matches!(kind.as_str(), "checkbox" | "radio")
            || tag.split_whitespace().any(|word| word == "checked");
        counts.then(|| (name, attribute(tag, "value").unwrap_or_default()))
    })
    .collect()
}

fn options(inside: &str) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for list in inside.split("<select").skip(1) {
        let Some((tag, rest)) = list.split_once('>') else { continue };
        let Some(name) = attribute(tag, "name") else { continue };
        let body = rest.split("</select>").next().unwrap_or(rest);
        for option in body.split("<option").skip(1) {
            let Some((tag, text)) = option.split_once('>') else { continue };
            let text = unescape(text.split('<').next().unwrap_or_default().trim());
            found.push((name.clone(), attribute(tag, "value").unwrap_or_default(), text));
        }
    }
    found
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    Some(unescape(tag[start..].split('"').next()?))
}

/// The five references that maud writes.
fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<form method="get" action="/other"></form>
        <form method="post" action="/x?a=1&amp;b=2"><input type="hidden" name="csrf" value="t&quot;k">
        <input type="checkbox" name="scope" value="read" checked><input type="checkbox" name="scope" value="run">
        <select name="project" id="p"><option value="7">General</option></select><button name="go">Go</button></form>"#;

    #[test]
    fn a_form_is_sent_as_it_stands() {
        let form = Form::find(PAGE, "/x").unwrap();
        assert_eq!(form.action, "/x?a=1&b=2");
        let fields: Vec<(&str, &str)> =
            form.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(fields, [("csrf", "t\"k"), ("scope", "read")]);
        assert_eq!(form.choice("General"), Some(("project".to_owned(), "7".to_owned())));
        assert_eq!(form.clone().fill("csrf", "new").unwrap().fields[0].1, "new");
        assert_eq!(form.fill("typo", "new"), None);
    }

    #[test]
    fn a_form_that_is_not_there_is_none() {
        assert_eq!(Form::find(PAGE, "/y"), None);
    }
}
