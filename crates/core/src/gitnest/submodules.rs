//! A proposed `.gitmodules`: only forms that say what they do, since clients act on them.

/// Whether every line is blank, a comment, a plain section, or a plain setting.
///
/// git's own parser knows quotes, escapes and continued lines; a list of plain forms needs
/// none of them, and holds what no reader can take for anything else.
pub fn is_plain(content: &str) -> bool {
    content.lines().map(str::trim).all(is_plain_line)
}

fn is_plain_line(line: &str) -> bool {
    if line.is_empty() || line.starts_with(['#', ';']) {
        return true;
    }
    if let Some(name) = line.strip_prefix("[submodule \"").and_then(|rest| rest.strip_suffix("\"]")) {
        return is_plain_path(name);
    }
    let Some((key, value)) = line.split_once('=') else { return false };
    let value = value.trim();
    match key.trim().to_ascii_lowercase().as_str() {
        "path" => is_plain_path(value),
        "url" => is_plain_address(value),
        "branch" => value == "." || is_plain_path(value),
        "update" => matches!(value, "none" | "checkout" | "rebase" | "merge"),
        "ignore" => matches!(value, "none" | "all" | "dirty" | "untracked"),
        "shallow" | "fetchrecursesubmodules" => matches!(value, "true" | "false" | "on-demand"),
        _ => false,
    }
}

fn is_plain_path(path: &str) -> bool {
    !path.is_empty()
        && !path.starts_with('-')
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
        && path.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'.' | b'_' | b'-' | b'+'))
}

fn is_plain_address(address: &str) -> bool {
    let plain = |text: &str| {
        !text.is_empty()
            && !text.starts_with(['-', '/', ':'])
            && text.bytes().all(|b| {
                b.is_ascii_alphanumeric()
                    || matches!(b, b'/' | b'.' | b'_' | b'-' | b'~' | b':' | b'@' | b'+')
            })
    };
    let rest = ["https://", "http://", "ssh://", "git://", "git@", "./", "../"];
    let rest = rest.iter().find_map(|start| address.strip_prefix(start));
    rest.is_some_and(|rest| {
        plain(rest) && !rest.contains("..") && !rest.contains("//") && !rest.contains("::")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinary_file_is_plain() {
        let text = "# ours\n[submodule \"vendor/zlib\"]\n\tpath = vendor/zlib\n\turl = https://example.com/zlib.git\n\tbranch = main\n\
                    \tupdate = none\n[submodule \"b\"]\n\tpath=b\n\turl=git@example.com:group/b.git\n[submodule \"c\"]\npath=c\nurl=./c\n";
        assert!(is_plain(text));
    }

    #[test]
    fn what_a_client_would_run_or_follow_is_not() {
        for line in [
            "url = -u./payload",
            "url = --upload-pack=x",
            "url = https://a.b/%0ahost=x",
            "url = ext::sh -c x",
            "url = ../../../../etc",
            "url = \"-x\"",
            "url = file:///etc",
            "url = https://",
            "url = ssh://-oProxyCommand=x/y",
            "path = -x",
            "path = a/../../b",
            "path = ",
            "update = !sh",
            "[submodule \"../../x\"]",
            "[submodule \"a\\\"b\"]",
            "[core]",
            "fsmonitor = x",
            "url = https://a\\",
            "[include]",
        ] {
            assert!(!is_plain(line), "{line}");
        }
    }
}
