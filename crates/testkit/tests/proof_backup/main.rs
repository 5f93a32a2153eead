//! Must show: a backup is taken while two servers serve, holds whatever was answered before, and is restored into an
//! empty place of either engine, with the proof; what is not whole is refused, and what is killed begins anew.
#![cfg(test)]

mod broken;
mod killed;
mod load;
mod place;
mod refused;
mod ways;
