//! The wire format of protocol buffers: what is needed to write a message.
//!
//! **Model.** A message is a sequence of fields: a key (number and wire type), then a varint, or
//! a length and that many bytes. A [`Message`] grows and is for what is written once. A [`Room`] is
//! where the bytes go anyway and is for events, most of whose fields are [`Fixed`].

/// A field that holds a varint.
const VARINT: u64 = 0;
/// A field that holds a length and bytes: a text, a message, packed numbers.
pub(crate) const BYTES: u64 = 2;

/// A message of any length.
#[derive(Clone, Debug, Default)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    /// Without fields.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// The encoded fields.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// With a number more. Negative ones are passed as their two's complement.
    #[must_use]
    pub(crate) fn number(mut self, field: u32, value: u64) -> Self {
        varint(&mut self.0, u64::from(field) << 3 | VARINT);
        varint(&mut self.0, value);
        self
    }

    /// With a text more.
    #[must_use]
    pub(crate) fn text(self, field: u32, text: &str) -> Self {
        self.raw(field, text.as_bytes())
    }

    /// With a message more.
    #[must_use]
    pub(crate) fn message(self, field: u32, message: &Self) -> Self {
        self.raw(field, &message.0)
    }

    /// With bytes more.
    #[must_use]
    pub(crate) fn raw(mut self, field: u32, bytes: &[u8]) -> Self {
        self.append(field, bytes);
        self
    }

    /// Adds bytes.
    pub(crate) fn append(&mut self, field: u32, bytes: &[u8]) {
        varint(&mut self.0, u64::from(field) << 3 | BYTES);
        varint(&mut self.0, bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }
}

/// Appends a varint: seven bits a byte, the lowest first, the top bit set in all but the last.
#[inline]
pub(crate) fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

/// Fields that are the same in many messages, encoded once: at most [`Fixed::BYTES`] of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixed {
    bytes: [u8; Self::BYTES],
    length: usize,
}

impl Fixed {
    /// Three numbers below 2^28 take no more.
    pub(crate) const BYTES: usize = 16;

    /// Without fields.
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; Self::BYTES], length: 0 }
    }

    /// With a number more.
    ///
    /// # Panics
    /// If they take more than [`Fixed::BYTES`].
    #[inline]
    #[must_use]
    pub(crate) fn number(mut self, field: u32, value: u64) -> Self {
        let mut room = Room { bytes: &mut self.bytes, length: self.length };
        room.number(field, value);
        self.length = room.length;
        self
    }
}

/// A place that a message is written into, from the front.
pub(crate) struct Room<'b, const N: usize> {
    bytes: &'b mut [u8; N],
    length: usize,
}

impl<'b, const N: usize> Room<'b, N> {
    /// Nothing written yet.
    #[inline]
    pub(crate) fn new(bytes: &'b mut [u8; N]) -> Self {
        Self { bytes, length: 0 }
    }

    /// What was written so far.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    #[inline]
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.byte(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.byte(value.to_le_bytes()[0]);
    }

    /// Adds a number.
    #[inline]
    pub(crate) fn number(&mut self, field: u32, value: u64) {
        self.varint(u64::from(field) << 3 | VARINT);
        self.varint(value);
    }

    /// Adds fields that are encoded already.
    #[inline]
    pub(crate) fn fixed(&mut self, fields: &Fixed) {
        self.bytes[self.length..self.length + Fixed::BYTES].copy_from_slice(&fields.bytes);
        self.length += fields.length;
    }

    /// Begins a message of less than 128 bytes: its length takes one byte. Returned is what
    /// [`Room::end`] wants.
    #[inline]
    pub(crate) fn begin(&mut self, field: u32) -> usize {
        self.varint(u64::from(field) << 3 | BYTES);
        self.byte(0);
        self.length
    }

    /// Ends a message.
    ///
    /// # Panics
    /// If it takes 128 bytes or more.
    #[inline]
    pub(crate) fn end(&mut self, begin: usize) {
        let length = u8::try_from(self.length - begin).expect("short");
        assert!(length < 0x80, "its length takes one byte");
        self.bytes[begin - 1] = length;
    }
}
