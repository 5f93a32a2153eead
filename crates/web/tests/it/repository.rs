//! The pages of repositories: what they show of ordinary, empty, huge and hostile ones.

mod browse;
mod door;
mod history;
mod raw;
mod search;
mod settings;
mod tree;

use countersign_app::testing::history::{Change, History};
use countersign_core::id::{ProjectId, ResourceId};

use crate::house::{Answer, House};

/// A repository, and the owner's cookie.
pub(crate) struct Garden {
    pub(crate) house: House,
    pub(crate) cookie: String,
    pub(crate) id: ResourceId,
}

/// The files of a garden: each is there to go wrong.
const FILES: &[(&[u8], Change<'_>)] = &[
    (
        b"README.md",
        Change::File(
            b"# Garden\n\n<script>alert(1)</script>\n\n[bad](javascript:alert(1)) [doc](docs/one.md)\n",
        ),
    ),
    (b"src/main.rs", Change::File(b"fn main() {\n    let needle = \"<b>\";\n}\n")),
    (b"docs/one.md", Change::File(b"# One\n")),
    (b"empty.txt", Change::File(b"")),
    (b"binary.bin", Change::File(b"a\0b")),
    (b"latin.txt", Change::File(b"caf\xe9\n")),
    (b"page.html", Change::File(b"<script>alert(1)</script>\n")),
    (b"drawing.svg", Change::File(b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>\n")),
    (b"ansi.txt", Change::File(b"\x1b[31mred\x1b[0m \xe2\x80\xaehidden\n")),
    (b"link", Change::Link("src/main.rs")),
    (b"module", Change::Module("4b825dc642cb6eb9a060e54bf8d69288fbee4904")),
    (b"odd/a b%c#d?e\"f'g<h>&.txt", Change::File(b"odd one\n")),
    (b"odd/line\nbreak.txt", Change::File(b"odd two\n")),
    (b"odd/\xff\xfe.txt", Change::File(b"odd three\n")),
    ("odd/\u{e9}\u{202e}txt.exe".as_bytes(), Change::File(b"odd four\n")),
    (b"odd/back\\slash", Change::File(b"odd five\n")),
];

/// The smallest PNG that is one.
pub(crate) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\x3a\x7e\x9bU";

impl Garden {
    /// A repository with one of everything.
    pub(crate) async fn new() -> Self {
        let garden = Self::bare().await;
        let mut history = History::default();
        history.commit("main", "Plant <b>everything</b>", FILES);
        history.commit("main", "Add a picture", &[(b"img/dot.png", Change::File(PNG))]);
        history.commit(
            "feature/x",
            "On a branch with a slash",
            &[(b"only-here.txt", Change::File(b"here\n"))],
        );
        history.tag("v1", "main");
        history.commit(
            "main",
            "Water the plants",
            &[(b"src/main.rs", Change::File(b"fn main() {\n    let needle = \"<i>\";\n}\n"))],
        );
        history.plant(garden.house.app(), garden.id).await;
        garden
    }

    /// A repository as it is made: with a README.
    pub(crate) async fn bare() -> Self {
        let house = House::new().await;
        let cookie = house.sign_in().await;
        let id = make(&house, "garden").await;
        Self { house, cookie, id }
    }

    /// A page below the repository.
    pub(crate) async fn page(&self, rest: &str) -> Answer {
        let path = format!("/repositories/{}{rest}", self.id);
        self.house.get(&path, &[("cookie", &self.cookie)]).await
    }

    /// The text of a page that is there.
    pub(crate) async fn text(&self, rest: &str) -> String {
        let answer = self.page(rest).await;
        assert_eq!(answer.status, 200, "{rest}: {}", answer.text);
        assert!(!answer.text.contains("style=\""), "{rest}: the policy forbids styles in the page");
        answer.text
    }

    /// Writes one more commit.
    pub(crate) async fn plant(&self, message: &str, changes: &[(&[u8], Change<'_>)]) {
        let mut history = History::default();
        history.commit("main", message, changes);
        history.plant(self.house.app(), self.id).await;
    }
}

/// Makes a repository in the first project.
pub(crate) async fn make(house: &House, name: &str) -> ResourceId {
    let token = house.token(&["api"]).await;
    let projects = house.call("GET", "/api/v1/projects", &token, serde_json::Value::Null).await.json();
    let project = ProjectId::parse(projects["items"][0]["id"].as_str().unwrap()).unwrap();
    let body = serde_json::json!({ "name": name, "project_id": project });
    let made = house.call("POST", "/api/v1/repositories", &token, body).await.json();
    ResourceId::parse(made["id"].as_str().unwrap()).unwrap()
}

/// Every address of this site that a page links to.
pub(crate) fn links(text: &str) -> Vec<String> {
    let targets = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    targets.filter(|to| to.starts_with("/repositories/")).map(|to| to.replace("&amp;", "&")).collect()
}
