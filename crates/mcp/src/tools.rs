//! Every MCP tool, one file each. The list below is the whole catalogue, in the order in which it is listed.

mod list_granted_resources;
mod list_my_proposals;
mod list_project_resources;
mod propose_gitnest_file_import;
mod read_gitnest_repository;
mod read_proposal;
mod search_gitnest_code;
mod withdraw_proposal;

use crate::registry::Registry;
use crate::tool::ToolEntry;

/// The catalogue.
pub fn catalogue() -> Registry {
    Registry::new([
        ToolEntry::of::<list_granted_resources::ListGrantedResources>(),
        ToolEntry::of::<list_project_resources::ListProjectResources>(),
        ToolEntry::of::<read_gitnest_repository::ReadGitnestRepository>(),
        ToolEntry::of::<search_gitnest_code::SearchGitnestCode>(),
        ToolEntry::of::<propose_gitnest_file_import::ProposeGitnestFileImport>(),
        ToolEntry::of::<list_my_proposals::ListMyProposals>(),
        ToolEntry::of::<read_proposal::ReadProposal>(),
        ToolEntry::of::<withdraw_proposal::WithdrawProposal>(),
    ])
}
