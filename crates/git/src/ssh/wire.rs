//! Length-prefixed strings, as RFC 4251 §5 writes them.

/// Puts one value after another.
#[derive(Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    pub(super) fn number(self, number: u32) -> Self {
        self.bytes(&number.to_be_bytes())
    }

    /// The strings of this crate are keys, names and digests: far below what a `u32` counts.
    pub(super) fn string(self, bytes: &[u8]) -> Self {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.number(length).bytes(bytes)
    }
}

/// Takes one value after another; `None` once something does not fit.
pub(super) struct Reader<'b>(pub(super) &'b [u8]);

impl<'b> Reader<'b> {
    pub(super) fn bytes(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn number(&mut self) -> Option<u32> {
        self.bytes(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    pub(super) fn string(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        self.bytes(length)
    }

    /// Takes exactly these bytes.
    pub(super) fn literal(&mut self, wanted: &[u8]) -> Option<()> {
        (self.bytes(wanted.len())? == wanted).then_some(())
    }

    /// Takes a string with exactly these bytes.
    pub(super) fn literal_string(&mut self, wanted: &[u8]) -> Option<()> {
        (self.string()? == wanted).then_some(())
    }

    /// Nothing may follow.
    pub(super) fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}
