;; Prints what the language server says of the file, once it has.
(setq eglot-sync-connect 20)
(find-file (car command-line-args-left))
;; What a loop of commands would do after the first.
(run-hooks 'post-command-hook)
(let ((rounds 0))
  (while (and (< rounds 200) (null (flymake-diagnostics)))
    (accept-process-output nil 0.1)
    (setq rounds (1+ rounds))))
(dolist (found (flymake-diagnostics))
  (message "%s %s" (line-number-at-pos (flymake-diagnostic-beg found)) (flymake-diagnostic-text found)))
