//! What hostile and ordinary Markdown becomes.

use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::ResourceId;

use super::{Base, markdown};

fn rendered(text: &str) -> String {
    let folder = TreePath::new("docs");
    let base = Base {
        repository: ResourceId::new(uuid::Uuid::from_u128(1)),
        reference: Some("feature/x"),
        folder: &folder,
    };
    markdown(text, &base).into_string()
}

const HERE: &str = "/repositories/00000000-0000-0000-0000-000000000001";

#[test]
fn ordinary_markdown_reads_as_it_should() {
    let html = rendered("# Use it\n\nA *b* `c` ~~d~~.\n\n- [x] done\n\n| a | b |\n|--:|---|\n| 1 | 2 |\n");
    assert!(html.contains("<h1 id=\"readme-use-it\">Use it</h1>"), "{html}");
    assert!(html.contains("<em>b</em> <code>c</code> <del>d</del>"), "{html}");
    assert!(
        html.contains("type=\"checkbox\"") && html.contains("<td class=\"right\">1</td><td>2</td>"),
        "{html}"
    );
    assert!(html.contains("<th class=\"right\">a</th><th>b</th>"), "{html}");
    assert!(!html.contains("style="), "the policy forbids it: {html}");
}

#[test]
fn no_tag_of_the_author_comes_through() {
    for text in [
        "<script>alert(1)</script>",
        "a <script>alert(1)</script> b",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<details open ontoggle=alert(1)>x</details>",
        "<a href=\"javascript:alert(1)\">x</a>",
        "<iframe src=https://evil.example></iframe>",
        "<!-- <b> --> <style>* { display: none }</style>",
        "<p\nonclick=alert(1)>x</p>",
        "<div>\n\n<b>x\n\n</div>",
        "[<img src=x onerror=alert(1)>](x)",
        "![<script>](x.png)",
        "| <b onclick=x> |\n|---|\n| <i onclick=y> |",
        "<x:y onclick=1>",
        "```html\n<script>alert(1)</script>\n```",
        "    <script>alert(1)</script>",
    ] {
        let html = rendered(text);
        for tag in html.split('<').skip(1) {
            let name: String =
                tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
            let ours =
                ["p", "a", "img", "table", "thead", "tbody", "tr", "th", "td", "pre", "code", "span", "br"];
            assert!(ours.contains(&name.as_str()), "{text}: {html}");
            let open = tag.split('>').next().unwrap();
            let quiet = open.split('"').step_by(2).collect::<String>();
            assert!(!quiet.contains(" on") && !quiet.contains("style"), "{text}: {html}");
        }
    }
    assert_eq!(rendered("<h1 align=center>\n  Name\n</h1>\n").trim(), "<p>\n  Name\n\n</p>");
}

#[test]
fn a_link_leads_to_the_web_to_mail_or_into_the_repository() {
    let to = |text: &str| {
        let html = rendered(&format!("[x]({text})"));
        html.split("href=\"").nth(1).map(|rest| rest.split('"').next().unwrap().to_owned())
    };
    for (text, wanted) in [
        ("https://example.org/a?b=c", Some("https://example.org/a?b=c".to_owned())),
        ("HTTP://example.org", Some("HTTP://example.org".to_owned())),
        ("mailto:a@example.org", Some("mailto:a@example.org".to_owned())),
        ("other.md", Some(format!("{HERE}/files/docs/other.md?ref=feature/x"))),
        ("../src/a%20b.rs#L10", Some(format!("{HERE}/files/src/a%20b.rs?ref=feature/x#L10"))),
        ("/LICENSE?raw=1", Some(format!("{HERE}/files/LICENSE?ref=feature/x"))),
        ("../../../../etc/passwd", Some(format!("{HERE}/files/etc/passwd?ref=feature/x"))),
        ("..", Some(format!("{HERE}?ref=feature/x"))),
        ("#Use-It", Some("#readme-use-it".to_owned())),
        ("a.md#Use-It", Some(format!("{HERE}/files/docs/a.md?ref=feature/x#readme-use-it"))),
        ("javascript:alert(1)", None),
        ("JaVaScRiPt:alert(1)", None),
        ("&#106;avascript:alert(1)", None),
        ("java&Tab;script:alert(1)", None),
        ("&#1;javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("vbscript:x", None),
        ("file:///etc/passwd", None),
        ("//evil.example/x", None),
        ("/\\evil.example", None),
        ("%2F%2Fevil.example", Some(format!("{HERE}/files/docs/evil.example?ref=feature/x"))),
    ] {
        assert_eq!(to(text), wanted, "{text}");
    }
    assert!(rendered("<javascript:alert(1)>").contains("<p>"), "an autolink is a link too");
    assert!(!rendered("<javascript:alert(1)>").contains("href"));
    assert!(!rendered("[x]\n\n[x]: javascript:alert(1)").contains("href"));
    assert!(rendered("<a@example.org>").contains("href=\"mailto:a@example.org\""));
}

#[test]
fn a_picture_is_loaded_from_the_repository_alone() {
    let html = rendered("![logo](img/logo.png)");
    assert!(html.contains(&format!("src=\"{HERE}/raw/docs/img/logo.png?ref=feature/x\"")), "{html}");
    for text in [
        "![x](https://evil.example/pixel.png)",
        "![x](//evil.example/pixel.png)",
        "![x](data:image/svg+xml,x)",
        "[![x](https://evil.example/badge.svg)](https://example.org)",
    ] {
        assert!(!rendered(text).contains("<img"), "{text}");
    }
    let badge = rendered("[![build](https://ci.example/badge.svg)](https://ci.example)");
    assert_eq!(badge.trim(), "<p><a href=\"https://ci.example\">build</a></p>");
    assert!(
        rendered("![far](https://example.org/a.png)")
            .contains("<a href=\"https://example.org/a.png\">far</a>")
    );
}

#[test]
fn what_hides_in_a_text_is_shown_by_its_number() {
    let html = rendered("safe\u{202e} text \u{1b}[31mred `x\u{200b}`\n\n```\na\u{2066}b\n```\n");
    assert!(html.contains("U+202E") && html.contains("U+001B") && html.contains("U+2066"), "{html}");
    assert!(!html.contains('\u{202e}') && !html.contains('\u{1b}') && !html.contains('\u{2066}'));
    assert!(html.contains("<code>x<span class=\"ghost\"") && !html.contains('\u{200b}'), "{html}");
}

#[test]
fn code_is_coloured_by_the_word_at_its_fence() {
    assert!(rendered("```rust,ignore\nlet a = 1;\n```").contains("<span class=\"c-k\">let</span>"));
    assert!(rendered("```js\nlet a;\n```").contains("c-k"));
    assert!(!rendered("```unknown\nlet a;\n```").contains("c-k"));
}

#[test]
fn ids_of_a_text_are_none_of_the_page() {
    let html = rendered("# Main\n\n## Waiting {#waiting}\n");
    assert!(html.contains("id=\"readme-main\"") && !html.contains("id=\"waiting\""), "{html}");
}

#[test]
fn deep_nesting_is_no_trouble() {
    for text in [
        ">".repeat(20_000),
        "[".repeat(20_000),
        "- ".repeat(5_000),
        "**a ".repeat(20_000),
        "<".repeat(200_000),
    ] {
        assert!(rendered(&text).len() < 4_000_000);
    }
}

#[test]
fn headings_of_the_same_words_have_ids_of_their_own() {
    let html = rendered("# A\n\n## A\n\n# A-1\n\n# A\n");
    for id in ["readme-a", "readme-a-1", "readme-a-1-1", "readme-a-2"] {
        assert_eq!(html.matches(&format!("id=\"{id}\"")).count(), 1, "{id}: {html}");
    }
}
