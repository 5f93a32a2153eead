//! A strict reading of markup that may hold a few tags and nothing else: whatever a browser could read differently from
//! us is wrong.

/// Tags that end by themselves.
const EMPTY: [&str; 4] = ["br", "hr", "img", "input"];

/// The tags that a text of others may come out as, with their attributes.
const ALLOWED: &[(&str, &[&str])] = &[
    ("a", &["href"]),
    ("blockquote", &["class"]),
    ("br", &[]),
    ("code", &[]),
    ("del", &[]),
    ("em", &[]),
    ("h1", &["id"]),
    ("h2", &["id"]),
    ("h3", &["id"]),
    ("h4", &["id"]),
    ("h5", &["id"]),
    ("h6", &["id"]),
    ("hr", &[]),
    ("img", &["src", "alt"]),
    ("input", &["type", "disabled", "checked", "aria-label"]),
    ("li", &[]),
    ("ol", &["start"]),
    ("p", &[]),
    ("pre", &["tabindex"]),
    ("span", &["class", "title"]),
    ("strong", &[]),
    ("table", &[]),
    ("tbody", &[]),
    ("td", &["class"]),
    ("th", &["class"]),
    ("thead", &[]),
    ("tr", &[]),
    ("ul", &[]),
];

/// Where links of a text in a repository may lead, besides the web and mail.
const INSIDE: &str = "/repositories/";

/// What is wrong with `markup`.
pub(crate) fn check(markup: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = markup;
    while let Some(at) = rest.find(['<', '>']) {
        if rest[..at].contains('\0') || rest[at..].starts_with('>') {
            return Err(format!("a stray character before {:?}", &rest[at..]));
        }
        let (inside, after) =
            rest[at + 1..].split_once('>').ok_or_else(|| format!("an open end: {:?}", &rest[at..]))?;
        if let Some(name) = inside.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> ends something else"));
            }
        } else {
            let (name, attributes) = inside.split_at(inside.find([' ', '/']).unwrap_or(inside.len()));
            let (name, known) = ALLOWED
                .iter()
                .find(|(known, _)| *known == name)
                .ok_or_else(|| format!("the tag {inside:?} is not one of ours"))?;
            check_attributes(name, known, attributes)?;
            if !EMPTY.contains(name) {
                open.push(name);
            }
        }
        rest = after;
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} are not ended")) }
}

fn check_attributes(tag: &str, known: &[&str], text: &str) -> Result<(), String> {
    let mut rest = text.trim_end_matches('/').trim_end();
    while let Some(next) = rest.strip_prefix(' ') {
        let end = next.find(['=', ' ']).unwrap_or(next.len());
        let name = &next[..end];
        if !known.contains(&name) {
            return Err(format!("{tag} has the attribute {name:?}"));
        }
        rest = match next[end..].strip_prefix("=\"") {
            None => &next[end..],
            Some(quoted) => {
                let (value, after) =
                    quoted.split_once('"').ok_or_else(|| format!("{tag}: {name} is not ended"))?;
                if matches!(name, "href" | "src") {
                    check_address(name, value)?;
                }
                after
            }
        };
    }
    if rest.is_empty() { Ok(()) } else { Err(format!("{tag} goes on with {rest:?}")) }
}

/// Reads an address as browsers do (WHATWG URL §4.4): ends and line breaks off, the scheme in any case.
fn check_address(name: &str, value: &str) -> Result<(), String> {
    let decoded =
        value.replace("&quot;", "\"").replace("&#39;", "'").replace("&#x27;", "'").replace("&lt;", "<");
    let decoded = decoded.replace("&gt;", ">").replace("&amp;", "&");
    let read: String = decoded
        .trim_matches(|c: char| c <= ' ')
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .collect();
    let read = read.to_lowercase().replace('\\', "/");
    let is_inside = read.starts_with(INSIDE) && !read.starts_with("//");
    let leads_away =
        ["http://", "https://", "http:", "https:", "mailto:"].iter().any(|start| read.starts_with(start));
    let good = match name {
        "src" => is_inside,
        _ => is_inside || leads_away || read.starts_with('#') || !read.contains(':') && read.contains('@'),
    };
    if good { Ok(()) } else { Err(format!("{name} leads to {value:?}")) }
}

#[test]
fn whatever_a_browser_could_obey_is_found() {
    for good in [
        "<p>a &lt;b&gt;</p>",
        "<a href=\"https://x.example/?a&amp;b\">x</a>",
        "<ul>\n<li><input type=\"checkbox\" disabled checked aria-label=\"Done\"> x</li>\n</ul>",
        "<p><img src=\"/repositories/1/raw/a.png\" alt=\"\" /></p>",
        "<hr />",
    ] {
        assert_eq!(check(good), Ok(()), "{good}");
    }
    for bad in [
        "<script>x</script>",
        "<p onclick=\"x\">x</p>",
        "<p>",
        "</p>",
        "<p><em>x</p></em>",
        "<a href=\"javascript:x\">x</a>",
        "<a href=\" java\tscript:x\">x</a>",
        "<a href=\"//evil.example\">x</a>",
        "<a href=\"/\\evil.example\">x</a>",
        "<img src=\"https://evil.example/x.png\" alt=\"\" />",
        "<a href=\"x\" title=\"y\">x</a>",
        "<p",
        "a > b",
        "<p x>x</p>",
    ] {
        assert!(check(bad).is_err(), "{bad}");
    }
}
