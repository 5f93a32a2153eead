//! Every tool × every kind of credential, with ids that are nowhere, in both eras of the protocol.

use countersign_mcp::tools::catalogue;

use crate::argument;
use crate::cast::assemble;
use crate::probe::Probe;
use crate::rule;
use crate::table::Table;

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_answers_each_credential_as_it_should() {
    let (house, families) = assemble().await;
    let probe = Probe::at(&house.server.url);
    let mut broken = Vec::new();
    let mut text = String::new();
    for family in families {
        let mut table = Table::default();
        for tool in catalogue().iter() {
            let arguments = argument::of(&tool.input.checked);
            let mut cells = Vec::new();
            for credential in &family.credentials {
                let seen = probe.call(tool.action.name, &arguments, credential, false).await;
                let modern = probe.call(tool.action.name, &arguments, credential, true).await;
                if seen != modern {
                    broken
                        .push(format!("{} differs between the eras: {seen:?}, {modern:?}", tool.action.name));
                }
                broken.extend(rule::of_tool(tool.action.name, tool.scope, credential, &seen));
                cells.push(seen);
            }
            table.row(format!("{:19}{}", tool.scope.as_str(), tool.action.name), cells);
        }
        for part in [family.name, "\n\n", &table.render(&family.credentials), "\n"] {
            text += part;
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    insta::assert_snapshot!("tools", text);
}
