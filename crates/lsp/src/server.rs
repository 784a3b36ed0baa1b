//! Messages of the editor, and those that it gets.

use crate::answer::{action, complete, definition, format, hints, hover, report, symbols};
use crate::document::Document;
use crate::judge::{self, Answer, Task};
use crossbeam_channel::{Receiver, Sender, select};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _,
    PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentSymbolRequest, Formatting, GotoDefinition, HoverRequest,
    InlayHintRefreshRequest, InlayHintRequest, References, Request as _,
};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions,
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    HoverProviderCapability, MessageType, OneOf, PublishDiagnosticsParams, ServerCapabilities,
    ShowMessageParams, TextDocumentSyncCapability, TextDocumentSyncKind, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::io;

/// Why a connection ends.
type Broken = Box<dyn Error + Send + Sync>;

/// Serves an editor on standard input and output until it says that it leaves.
///
/// # Errors
/// What it says is not the protocol, or it is gone.
pub fn serve() -> io::Result<()> {
    let (connection, threads) = Connection::stdio();
    run(&connection).map_err(|why| io::Error::other(why.to_string()))?;
    drop(connection);
    threads.join()
}

fn run(connection: &Connection) -> Result<(), Broken> {
    let said = connection.initialize(serde_json::to_value(capabilities())?)?;
    let (tasks, to_do) = crossbeam_channel::unbounded();
    let (done, answers) = crossbeam_channel::unbounded();
    let judge = std::thread::spawn(move || judge::run(&to_do, &done));
    let refreshes = said.pointer("/capabilities/workspace/inlayHint/refreshSupport");
    let refreshes_hints = refreshes.and_then(Value::as_bool).unwrap_or(false);
    let mut server =
        Server { connection, tasks, documents: BTreeMap::new(), refreshes_hints, requests: 0 };
    let ended = server.all(&answers);
    drop(server);
    judge::interrupt();
    judge.join().map_err(|_| "the thread that judges has panicked")?;
    ended
}

fn capabilities() -> ServerCapabilities {
    let signs = ["\"", ".", "[", "="].map(str::to_owned).to_vec();
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(signs),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        ..ServerCapabilities::default()
    }
}

struct Server<'a> {
    connection: &'a Connection,
    tasks: Sender<Task>,
    documents: BTreeMap<String, Document>,
    /// Whether the editor asks again for what stands beside lines, when it is told to.
    refreshes_hints: bool,
    /// How many requests were made of the editor.
    requests: i32,
}

impl Server<'_> {
    fn all(&mut self, answers: &Receiver<Answer>) -> Result<(), Broken> {
        loop {
            select! {
                recv(self.connection.receiver) -> message => match message {
                    Ok(Message::Request(request)) => {
                        if self.connection.handle_shutdown(&request)? {
                            return Ok(());
                        }
                        let answer = self.answer(request);
                        self.connection.sender.send(Message::Response(answer))?;
                    }
                    Ok(Message::Notification(said)) => self.hear(said)?,
                    Ok(Message::Response(_)) => {}
                    Err(_) => return Err("the editor is gone".into()),
                },
                recv(answers) -> answer => match answer {
                    Ok(answer) => self.judged(answer)?,
                    Err(_) => return Err("the thread that judges has panicked".into()),
                },
            }
        }
    }

    /// What changes a text.
    fn hear(&mut self, said: Notification) -> Result<(), Broken> {
        match said.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let said: DidOpenTextDocumentParams = serde_json::from_value(said.params)?;
                let own = said.text_document;
                let document = Document::new(own.uri.clone(), own.text, own.version);
                self.documents.insert(own.uri.as_str().to_owned(), document);
                self.judge(&own.uri)?;
            }
            DidChangeTextDocument::METHOD => {
                let said: DidChangeTextDocumentParams = serde_json::from_value(said.params)?;
                let own = said.text_document;
                // Of whole texts the last one counts.
                let text = said.content_changes.into_iter().last().map(|change| change.text);
                if let (Some(document), Some(text)) =
                    (self.documents.get_mut(own.uri.as_str()), text)
                {
                    document.change(text, own.version);
                    self.judge(&own.uri)?;
                }
            }
            DidCloseTextDocument::METHOD => {
                let said: DidCloseTextDocumentParams = serde_json::from_value(said.params)?;
                let uri = said.text_document.uri;
                self.documents.remove(uri.as_str());
                self.publish(PublishDiagnosticsParams::new(uri, Vec::new(), None))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn judge(&self, uri: &Uri) -> Result<(), Broken> {
        let Some(document) = self.documents.get(uri.as_str()) else { return Ok(()) };
        let (version, text) = (document.version, document.text.clone());
        judge::interrupt();
        if !document.is_description {
            let none = PublishDiagnosticsParams::new(uri.clone(), Vec::new(), Some(version));
            return self.publish(none);
        }
        self.tasks.send(Task { uri: uri.clone(), file: document.file(), version, text })?;
        Ok(())
    }

    /// A verdict has come; that of a text which is no longer there is of no interest.
    fn judged(&mut self, answer: Answer) -> Result<(), Broken> {
        let Some(document) = self.documents.get_mut(answer.uri.as_str()) else { return Ok(()) };
        if document.version != answer.version {
            return Ok(());
        }
        document.remarks = answer.remarks;
        match answer.found {
            Some(Ok(found)) => document.found = Some((found, true)),
            Some(Err(bug)) => {
                document.found = None;
                let said = ShowMessageParams { typ: MessageType::ERROR, message: bug };
                self.notify(ShowMessage::METHOD, said)?;
            }
            None => {}
        }
        let Some(document) = self.documents.get(answer.uri.as_str()) else { return Ok(()) };
        let (uri, version) = (answer.uri, Some(answer.version));
        self.publish(PublishDiagnosticsParams::new(uri, report::all(document), version))?;
        if self.refreshes_hints {
            self.requests += 1;
            let method = InlayHintRefreshRequest::METHOD.to_owned();
            let request = Request::new(RequestId::from(self.requests), method, Value::Null);
            self.connection.sender.send(Message::Request(request))?;
        }
        Ok(())
    }

    fn publish(&self, said: PublishDiagnosticsParams) -> Result<(), Broken> {
        self.notify(PublishDiagnostics::METHOD, said)
    }

    fn notify(&self, method: &str, said: impl Serialize) -> Result<(), Broken> {
        let said = Notification::new(method.to_owned(), said);
        Ok(self.connection.sender.send(Message::Notification(said))?)
    }

    /// The answer of a function on the document that the parameters name; `null` where that is no description.
    fn of<P: DeserializeOwned, R: Serialize>(
        &self,
        params: Value,
        answer: impl FnOnce(&Document, &P) -> R,
    ) -> serde_json::Result<Value> {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).unwrap_or_default();
        let document = self.documents.get(uri).filter(|document| document.is_description);
        let Some(document) = document else { return Ok(Value::Null) };
        serde_json::to_value(answer(document, &serde_json::from_value(params)?))
    }

    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answered = match method.as_str() {
            HoverRequest::METHOD => self.of(params, hover::at),
            Completion::METHOD => self.of(params, complete::at),
            GotoDefinition::METHOD => self.of(params, definition::at),
            References::METHOD => self.of(params, definition::references),
            DocumentSymbolRequest::METHOD => self.of(params, symbols::all),
            Formatting::METHOD => self.of(params, format::whole),
            InlayHintRequest::METHOD => self.of(params, hints::all),
            CodeActionRequest::METHOD => self.of(params, action::all),
            _ => {
                let what = format!("this server has no {method}");
                return Response::new_err(id, ErrorCode::MethodNotFound as i32, what);
            }
        };
        match answered {
            Ok(value) => Response::new_ok(id, value),
            Err(why) => Response::new_err(id, ErrorCode::InvalidParams as i32, why.to_string()),
        }
    }
}
