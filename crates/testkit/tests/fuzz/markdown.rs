//! Markdown: whatever is written, what comes out holds our few tags, nested as they should be, and leads nowhere else.

use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::ResourceId;
use countersign_testkit::fuzz::Target;
use countersign_web::part::markdown::{Base, markdown};

use crate::markup;

const TARGET: Target = Target {
    name: "markdown",
    words: &[
        "<script>",
        "</script>",
        "<img src=x onerror=alert(1)>",
        "<a href=\"javascript:x\">",
        "<!--",
        "-->",
        "<![CDATA[",
        "](javascript:alert(1))",
        "](//evil.example)",
        "![x](",
        "[x](",
        "](#a)",
        "](data:text/html,x)",
        "](java\tscript:x)",
        "](&#106;avascript:x)",
        "<https://x.example>",
        "<javascript:x>",
        "<a@b.example>",
        "`",
        "```",
        "```html\n",
        "~~~\n",
        "| a | b |\n|:-:|-|\n",
        "|",
        "- [x] ",
        "- ",
        "1. ",
        "> ",
        "> [!NOTE]\n",
        "# ",
        "\n\n",
        "    ",
        "**",
        "_",
        "~~",
        "[x]: javascript:x\n",
        "[x]",
        "\\",
        "&lt;",
        "&#0;",
        "&#x3c;",
        "\u{202e}",
        "\u{200b}",
        "<div>\n",
        "</p>",
        "<p",
    ],
    inputs: 6_000,
};

#[test]
fn no_markdown_comes_out_as_markup_of_its_author() {
    let folder = TreePath::default().join(b"docs");
    let repository = ResourceId::parse("0190f0f0-0000-7000-8000-000000000001").unwrap();
    let base = Base { repository, reference: Some("a/\"b"), folder: &folder };
    TARGET.run(|input| {
        let text = String::from_utf8_lossy(input);
        let shown = markdown(&text, &base).into_string();
        markup::check(&shown).map_err(|wrong| format!("{wrong} in {shown:?}"))
    });
}
