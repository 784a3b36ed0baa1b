//! A client of `vorrang lsp`: what it says is written by hand, as the protocol has it.

use crate::program::command;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longer than anything here takes on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// The text that it has open.
pub(crate) const FILE: &str = "file:///somewhere/a%20system.toml";

/// One that talks with a server about one text.
pub(crate) struct Editor {
    server: Child,
    to: Option<ChildStdin>,
    from: Receiver<Value>,
    asked: u64,
    version: u64,
}

impl Editor {
    /// One that has opened a text.
    pub(crate) fn with(text: &str) -> Self {
        let mut server = command(&["lsp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (tell, from) = channel();
        let mut out = BufReader::new(server.stdout.take().unwrap());
        std::thread::spawn(move || {
            let mut line = String::new();
            while out.read_line(&mut line).is_ok_and(|read| read > 0) {
                let length = line.trim().strip_prefix("Content-Length: ").expect("a length");
                let mut body = vec![0; 2 + length.parse::<usize>().unwrap()];
                out.read_exact(&mut body).unwrap();
                if tell.send(serde_json::from_slice(&body[2..]).unwrap()).is_err() {
                    break;
                }
                line.clear();
            }
        });
        let to = server.stdin.take();
        let mut editor = Self { server, to, from, asked: 0, version: 1 };
        let said = editor.ask("initialize", &json!({ "processId": null, "capabilities": {} }));
        assert_eq!(said["capabilities"]["hoverProvider"], true);
        editor.say("initialized", &json!({}));
        let document = json!({ "uri": FILE, "languageId": "toml", "version": 1, "text": text });
        editor.say("textDocument/didOpen", &json!({ "textDocument": document }));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let to = self.to.as_mut().unwrap();
        write!(to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        to.flush().unwrap();
    }

    pub(crate) fn say(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub(crate) fn told(&self, of: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.from.recv_timeout(PATIENCE).expect("an answer");
            if of(&message) {
                return message;
            }
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let answer = self.told(|message| message["id"] == id);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// About the place of a part of the text, so many characters into it.
    pub(crate) fn at(&mut self, method: &str, text: &str, part: &str, further: usize) -> Value {
        let before = &text[..text.find(part).expect("a part of the text") + further];
        let line = before.matches('\n').count();
        let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
        let place = json!({ "line": line, "character": column });
        let params = json!({ "textDocument": { "uri": FILE }, "position": place,
            "range": { "start": place, "end": place }, "context": { "diagnostics": [], "includeDeclaration": true, "triggerKind": 1 } });
        self.ask(method, &params)
    }

    pub(crate) fn change(&mut self, text: &str) {
        self.version += 1;
        let document = json!({ "uri": FILE, "version": self.version });
        let changes = json!([{ "text": text }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.say("textDocument/didChange", &params);
    }

    /// What is said of the newest text.
    pub(crate) fn diagnostics(&self) -> Vec<Value> {
        let is_of_newest = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["version"] == self.version
        };
        self.told(is_of_newest)["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Closes its end without a word; the exit code of the server.
    pub(crate) fn vanish(mut self) -> Option<i32> {
        self.to = None;
        self.server.wait().unwrap().code()
    }

    pub(crate) fn leave(mut self) {
        assert_eq!(self.ask("shutdown", &Value::Null), Value::Null);
        self.say("exit", &Value::Null);
        assert!(self.server.wait().unwrap().success());
    }
}
