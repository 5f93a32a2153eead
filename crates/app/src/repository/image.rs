//! Pictures that a page may show: told by their first bytes, never by a name; nothing that can hold code.

/// A kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// GIF.
    Gif,
    /// WebP.
    Webp,
}

impl ImageKind {
    /// Tells the kind by the signatures of WHATWG MIME Sniffing §6.1.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', b'V', b'P', ..] => Some(Self::Webp),
            _ => None,
        }
    }

    /// Its media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_told_by_its_bytes_alone() {
        assert_eq!(ImageKind::of(b"\x89PNG\r\n\x1a\nrest"), Some(ImageKind::Png));
        assert_eq!(ImageKind::of(b"\xff\xd8\xff\xe0"), Some(ImageKind::Jpeg));
        assert_eq!(ImageKind::of(b"GIF89a"), Some(ImageKind::Gif));
        assert_eq!(ImageKind::of(b"RIFF....WEBPVP8 "), Some(ImageKind::Webp));
        for other in [&b"<svg xmlns=\"http://www.w3.org/2000/svg\">"[..], b"", b"GIF8", b"RIFF....WAVEfmt "] {
            assert_eq!(ImageKind::of(other), None, "{other:?}");
        }
    }
}
