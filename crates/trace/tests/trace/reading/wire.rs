//! Protocol buffers, read without knowing the messages.

/// The fields of a message, in order.
pub(crate) struct Fields(Vec<(u64, Value)>);

enum Value {
    Number(u64),
    Bytes(Vec<u8>),
}

impl Fields {
    /// Reads a message; panics if it is none.
    pub(crate) fn of(mut bytes: &[u8]) -> Self {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let key = varint(&mut bytes);
            let value = match key & 7 {
                0 => Value::Number(varint(&mut bytes)),
                2 => {
                    let length = usize::try_from(varint(&mut bytes)).unwrap();
                    let (value, rest) = bytes.split_at(length);
                    bytes = rest;
                    Value::Bytes(value.to_vec())
                }
                other => panic!("nothing is written with wire type {other}"),
            };
            fields.push((key >> 3, value));
        }
        Self(fields)
    }

    fn all(&self, field: u64) -> impl Iterator<Item = &Value> {
        self.0.iter().filter(move |(number, _)| *number == field).map(|(_, value)| value)
    }

    /// A number; the last one counts.
    pub(crate) fn number(&self, field: u64) -> Option<u64> {
        self.all(field).last().map(|value| match value {
            Value::Number(number) => *number,
            Value::Bytes(_) => panic!("field {field} is no number"),
        })
    }

    fn all_bytes(&self, field: u64) -> impl Iterator<Item = &[u8]> {
        self.all(field).map(move |value| match value {
            Value::Bytes(bytes) => bytes.as_slice(),
            Value::Number(_) => panic!("field {field} is a number"),
        })
    }

    /// Messages.
    pub(crate) fn messages(&self, field: u64) -> impl Iterator<Item = Fields> {
        self.all_bytes(field).map(Self::of)
    }

    /// A message.
    pub(crate) fn message(&self, field: u64) -> Option<Fields> {
        self.messages(field).last()
    }

    /// Texts.
    pub(crate) fn texts(&self, field: u64) -> Vec<String> {
        self.all_bytes(field).map(|bytes| String::from_utf8(bytes.to_vec()).unwrap()).collect()
    }

    /// A text.
    pub(crate) fn text(&self, field: u64) -> Option<String> {
        self.texts(field).pop()
    }

    /// Packed numbers.
    pub(crate) fn packed(&self, field: u64) -> Vec<u64> {
        let mut numbers = Vec::new();
        for mut bytes in self.all_bytes(field) {
            while !bytes.is_empty() {
                numbers.push(varint(&mut bytes));
            }
        }
        numbers
    }
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for place in 0..10 {
        let (&byte, rest) = bytes.split_first().expect("a varint that does not end");
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return value;
        }
    }
    panic!("a varint of more than ten bytes");
}
