//! What a verification found wrong with the audit log: the first fault, by name.

use super::Head;

/// The first fault on the way through the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A record is not what was sealed.
    RowChanged {
        /// The seal that covers it.
        seal: i64,
        /// The record.
        id: String,
    },
    /// A record that was sealed is gone.
    RowDropped {
        /// The seal that covered it.
        seal: i64,
        /// The record.
        id: String,
    },
    /// A record claims a seal that does not cover it.
    RowAdded {
        /// The seal that it claims, as it stands in the record.
        seal: String,
        /// The record.
        id: String,
    },
    /// Two records stand in each other's place.
    RowsSwapped {
        /// The seal that covers the first.
        seal: i64,
        /// The record whose place it is.
        id: String,
        /// The one that stands there.
        other: String,
    },
    /// A record was taken out of its seal and stands elsewhere.
    RowMoved {
        /// The seal that covers it.
        seal: i64,
        /// The record.
        id: String,
        /// The seal that it names now; none when it looks unsealed.
        to: Option<String>,
    },
    /// A seal is missing.
    SealDropped {
        /// Its number.
        seal: i64,
    },
    /// A seal stands under the number of another.
    SealMoved {
        /// The number whose seal it is not.
        seal: i64,
        /// The number under which the right one stands.
        to: i64,
    },
    /// A seal does not follow the one before it.
    ChainBroken {
        /// Its number.
        seal: i64,
    },
    /// A seal's own columns are not what was sealed.
    SealChanged {
        /// Its number.
        seal: i64,
    },
    /// The signature of a seal is not its key's.
    SealForged {
        /// Its number.
        seal: i64,
    },
    /// A seal is signed by a key that is none of this server's, present or retired.
    KeyUnknown {
        /// Its number.
        seal: i64,
        /// The key that it names.
        key: String,
    },
    /// The log ends before a head that was known.
    TailCut {
        /// The head that it should lead through.
        expected: Head,
        /// The number of its last seal.
        last: i64,
    },
    /// The log leads past a head that was known: it was written anew.
    HeadDiffers {
        /// The head that it should lead through.
        expected: Head,
    },
}

impl Fault {
    /// The stable word.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::RowChanged { .. } => "row_changed",
            Self::RowDropped { .. } => "row_dropped",
            Self::RowAdded { .. } => "row_added",
            Self::RowsSwapped { .. } => "rows_swapped",
            Self::RowMoved { .. } => "row_moved",
            Self::SealDropped { .. } => "seal_dropped",
            Self::SealMoved { .. } => "seal_moved",
            Self::ChainBroken { .. } => "chain_broken",
            Self::SealChanged { .. } => "seal_changed",
            Self::SealForged { .. } => "seal_forged",
            Self::KeyUnknown { .. } => "key_unknown",
            Self::TailCut { .. } => "tail_cut",
            Self::HeadDiffers { .. } => "head_differs",
        }
    }

    /// The record that it concerns.
    pub fn row(&self) -> Option<&str> {
        match self {
            Self::RowChanged { id, .. }
            | Self::RowDropped { id, .. }
            | Self::RowAdded { id, .. }
            | Self::RowsSwapped { id, .. }
            | Self::RowMoved { id, .. } => Some(id),
            Self::SealDropped { .. }
            | Self::SealMoved { .. }
            | Self::ChainBroken { .. }
            | Self::SealChanged { .. }
            | Self::SealForged { .. }
            | Self::KeyUnknown { .. }
            | Self::TailCut { .. }
            | Self::HeadDiffers { .. } => None,
        }
    }
}

impl std::fmt::Display for Fault {
    /// One sentence.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::RowChanged { seal, id } => {
                write!(f, "Record {id} was changed after it was sealed (seal {seal}).")
            }
            Self::RowDropped { seal, id } => write!(f, "Record {id} of seal {seal} is gone."),
            Self::RowAdded { seal, id } => {
                write!(f, "Record {id} claims seal {seal}, which does not cover it: it was added later.")
            }
            Self::RowsSwapped { seal, id, other } => {
                write!(
                    f,
                    "In the place of record {id} of seal {seal} stands record {other}: the two were swapped."
                )
            }
            Self::RowMoved { seal, id, to: Some(to) } => {
                write!(f, "Record {id} belongs to seal {seal} and stands in seal {to}.")
            }
            Self::RowMoved { seal, id, to: None } => {
                write!(f, "Record {id} belongs to seal {seal} and looks as if it were not sealed.")
            }
            Self::SealDropped { seal } => write!(f, "Seal {seal} is gone."),
            Self::SealMoved { seal, to } => {
                write!(f, "Seal {seal} stands under the number {to}: seals were put in another order.")
            }
            Self::ChainBroken { seal } => write!(f, "Seal {seal} does not follow the seal before it."),
            Self::SealChanged { seal } => write!(f, "Seal {seal} was changed after it was made."),
            Self::SealForged { seal } => write!(f, "The signature of seal {seal} is not its key's."),
            Self::KeyUnknown { seal, key } => {
                write!(f, "Seal {seal} is signed by {key}, which is no key of this server.")
            }
            Self::TailCut { expected, last } => {
                write!(
                    f,
                    "The log ends with seal {last}, and seal {} was known: its end was cut off.",
                    expected.number
                )
            }
            Self::HeadDiffers { expected } => {
                write!(f, "Seal {} is not the one that was known: the log was written anew.", expected.number)
            }
        }
    }
}
