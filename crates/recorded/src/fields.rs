//! The format of an event, as the kernel describes it in `events/SYSTEM/NAME/format`.
//!
//! ```text
//! name: sched_switch
//! ID: 316
//! format:
//!         field:char prev_comm[16];       offset:8;       size:16;        signed:0;
//! print fmt: "prev_comm=%s …
//! ```

/// Where a value stands in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) at: usize,
    pub(crate) size: usize,
    pub(crate) is_signed: bool,
    /// It is no value, but says where the value stands.
    pub(crate) is_elsewhere: bool,
}

/// What is known of an event.
#[derive(Debug)]
pub(crate) struct Format<'a> {
    pub(crate) name: &'a str,
    pub(crate) number: u16,
    fields: Vec<(&'a str, Field)>,
    pub(crate) print: &'a str,
}

impl<'a> Format<'a> {
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        let (mut name, mut number, mut print) = (None, None, "");
        let mut fields = Vec::new();
        for line in text.lines() {
            let line = line.trim();
            if let Some(rest) = line.strip_prefix("name: ") {
                name = Some(rest);
            } else if let Some(rest) = line.strip_prefix("ID: ") {
                number = rest.parse().ok();
            } else if let Some(rest) = line.strip_prefix("field:") {
                fields.push(field(rest)?);
            } else if let Some(rest) = line.strip_prefix("print fmt:") {
                print = rest;
            }
        }
        Some(Self { name: name?, number: number?, fields, print })
    }

    pub(crate) fn field(&self, name: &str) -> Option<Field> {
        self.fields.iter().find(|(own, _)| *own == name).map(|(_, field)| *field)
    }
}

/// `char prev_comm[16];  offset:8;  size:16;  signed:0;`
fn field(text: &str) -> Option<(&str, Field)> {
    let (declared, rest) = text.split_once(';')?;
    let of = |key: &str| {
        let (_, value) = rest.split_once(key)?;
        value.split(';').next()?.trim().parse::<usize>().ok()
    };
    let name = declared.split('[').next().unwrap_or(declared).trim_end();
    // `__data_loc char[] name` has its brackets before the name.
    let is_elsewhere = declared.starts_with("__data_loc");
    let name = if is_elsewhere { declared } else { name };
    let name = name.rsplit([' ', '*']).next()?;
    let is_signed = of("signed:").unwrap_or(0) != 0;
    Some((name, Field { at: of("offset:")?, size: of("size:")?, is_signed, is_elsewhere }))
}

impl Field {
    fn bytes(self, record: &[u8]) -> Option<&[u8]> {
        record.get(self.at..self.at.checked_add(self.size)?)
    }

    /// Its value, as it stands.
    pub(crate) fn bits(self, record: &[u8]) -> Option<u64> {
        let bytes = self.bytes(record)?;
        // Nearly all have one of these sizes, which the compiler reads at once.
        if let Ok(four) = <[u8; 4]>::try_from(bytes) {
            return Some(u32::from_le_bytes(four).into());
        }
        if let Ok(eight) = <[u8; 8]>::try_from(bytes) {
            return Some(u64::from_le_bytes(eight));
        }
        let mut all = [0; 8];
        all.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(u64::from_le_bytes(all))
    }

    pub(crate) fn number(self, record: &[u8]) -> Option<i64> {
        let bits = self.bits(record)?;
        let unused = 64_u32.checked_sub(8 * u32::try_from(self.size).ok()?)?;
        if !self.is_signed || unused == 64 {
            return i64::try_from(bits).ok();
        }
        Some((bits << unused).cast_signed() >> unused)
    }

    /// Up to its zero.
    pub(crate) fn text(self, record: &[u8]) -> Option<&[u8]> {
        let bytes = if self.is_elsewhere {
            let place = usize::try_from(self.bits(record)?).ok()?;
            let (at, size) = (place & 0xffff, place >> 16);
            record.get(at..at.checked_add(size)?)?
        } else {
            self.bytes(record)?
        };
        let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
        Some(&bytes[..end])
    }
}
