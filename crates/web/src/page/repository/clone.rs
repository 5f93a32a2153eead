//! How to take a repository along: ready-made commands, and how git gets a token.

use countersign_app::repository::view::Heading;
use maud::{Markup, html};

use crate::part::copy;
use crate::part::icon::{Icon, icon};
use crate::part::notice::{Kind, notice};

/// The commands behind a button.
pub(super) fn menu(heading: &Heading) -> Markup {
    let url = &heading.clone_url;
    html! {
        details.menu.right {
            summary.button.primary { (icon(Icon::Download)) "Clone" span.turn { (icon(Icon::Chevron)) } }
            div.drop.roomy.stack.tight {
                p.label { "Clone it" }
                (copy::line("clone", &format!("git clone {url}")))
                details.fold {
                    summary.small.opens { span.turn { (icon(Icon::Chevron)) } "Shallow or partial" }
                    div.stack.tight.below {
                        span.small.faint { "Without old commits" }
                        (copy::line("shallow", &format!("git clone --depth 1 {url}")))
                        span.small.faint { "All commits, and files as they are needed" }
                        (copy::line("partial", &format!("git clone --filter=blob:none {url}")))
                    }
                }
                (token(heading, "repo:read"))
            }
        }
    }
}

/// How git gets a token and keeps it.
fn token(heading: &Heading, scope: &str) -> Markup {
    html! {
        p.label { "Sign in with a token" }
        p.small.soft { "git asks for a name and a password. Any name will do; the password is a personal access token:" }
        (copy::line("token", &format!("countersign token create git --mail YOU --scope {scope}")))
        p.small.soft { "Let git remember it for a day, for this server alone:" }
        (copy::line("helper", &format!("git config --global credential.{}.helper 'cache --timeout=86400'", origin(&heading.clone_url))))
    }
}

/// Scheme, host and port of an address.
fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    url[host..].find('/').map_or(url, |end| &url[..host + end])
}

/// The page of a repository that nothing was pushed to.
pub(super) fn empty(heading: &Heading) -> Markup {
    let (url, branch) = (&heading.clone_url, &heading.default_branch);
    let new = format!(
        "git clone {url}\ncd {}\necho '# {}' > README.md\ngit add README.md\ngit commit -m 'First commit'\ngit push -u origin HEAD:{branch}",
        heading.name, heading.name
    );
    let known = format!("git remote add origin {url}\ngit push -u origin HEAD:{branch}");
    html! {
        (notice(Kind::Plain, "Nothing is here yet", &html! { "Push a first commit to the branch " code { (branch) } ", and its files stand here." }))
        section.card aria-label="A first commit" {
            header { h2 { "Begin with a new folder" } }
            div.pad { (copy::line("new", &new)) }
        }
        section.card aria-label="Push what you have" {
            header { h2 { "Or push a repository that you have" } }
            div.pad { (copy::line("known", &known)) }
        }
        section.card aria-label="Token" { div.pad.stack.tight { (token(heading, "repo:write")) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_helper_is_set_for_this_server_alone() {
        assert_eq!(origin("https://git.example:8443/git/acme/x.git"), "https://git.example:8443");
        assert_eq!(origin("http://localhost:8420"), "http://localhost:8420");
    }
}
