//! Which requests get the page.

/// The parts of a request that decide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'r> {
    pub(super) method: &'r str,
    pub(super) path: &'r str,
    pub(super) host: Option<&'r str>,
    pub(super) origin: Option<&'r str>,
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The page.
    Page,
    /// The request used another name: of another site, or a foreign name that resolves to this
    /// address.
    Foreign,
    /// The token is missing or wrong.
    Unknown,
    /// The method is not a read.
    NoReading,
}

impl Asked<'_> {
    pub(super) fn answer(self, port: u16, token: &str) -> Answer {
        let own = |name: &str| {
            name.strip_suffix(&format!(":{port}"))
                .is_some_and(|name| ["127.0.0.1", "localhost"].contains(&name))
        };
        let is_own_origin = |origin: &str| origin.strip_prefix("http://").is_some_and(own);
        if !self.host.is_some_and(own) || !self.origin.is_none_or(is_own_origin) {
            Answer::Foreign
        } else if !["GET", "HEAD"].contains(&self.method) {
            Answer::NoReading
        } else if self.path == format!("/{token}/") {
            Answer::Page
        } else {
            Answer::Unknown
        }
    }
}

impl Answer {
    pub(super) const fn status(self) -> u16 {
        match self {
            Self::Page => 200,
            Self::Foreign => 403,
            Self::Unknown => 404,
            Self::NoReading => 405,
        }
    }

    /// The text instead of the page.
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Page => "",
            Self::Foreign => "This is served to its own address only.\n",
            Self::Unknown => {
                "Nothing is here: the address has a token, which `vorrang workbench` printed.\n"
            }
            Self::NoReading => "This can only be read.\n",
        }
    }

    pub(super) const fn headers(self) -> [(&'static str, &'static str); 7] {
        let content = match self {
            Self::Page => "text/html; charset=utf-8",
            _ => "text/plain; charset=utf-8",
        };
        [
            ("Content-Type", content),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINE: Asked<'static> =
        Asked { method: "GET", path: "/t0ken/", host: Some("127.0.0.1:8000"), origin: None };

    #[test]
    fn only_who_knows_the_token_gets_the_page() {
        assert_eq!(FINE.answer(8000, "t0ken"), Answer::Page);
        for path in ["/", "/t0ken", "/T0KEN/", "/t0ken/x", "/t0ken/?", "//t0ken/"] {
            assert_eq!(Asked { path, ..FINE }.answer(8000, "t0ken"), Answer::Unknown, "{path}");
        }
    }

    #[test]
    fn what_came_by_another_name_is_refused_whatever_it_knows() {
        for host in [None, Some("evil.example:8000"), Some("127.0.0.1"), Some("127.0.0.1:80")] {
            assert_eq!(Asked { host, ..FINE }.answer(8000, "t0ken"), Answer::Foreign, "{host:?}");
        }
        for origin in
            ["null", "http://evil.example", "https://127.0.0.1:8000", "http://127.0.0.1:80"]
        {
            let asked = Asked { origin: Some(origin), ..FINE };
            assert_eq!(asked.answer(8000, "t0ken"), Answer::Foreign, "{origin}");
        }
        let own =
            Asked { host: Some("localhost:8000"), origin: Some("http://localhost:8000"), ..FINE };
        assert_eq!(own.answer(8000, "t0ken"), Answer::Page);
    }

    #[test]
    fn nothing_but_reading_is_answered() {
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "get"] {
            assert_eq!(
                Asked { method, ..FINE }.answer(8000, "t0ken"),
                Answer::NoReading,
                "{method}"
            );
        }
    }
}
