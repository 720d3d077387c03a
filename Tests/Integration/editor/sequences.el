;; Edits a policy with random commands, and keeps the text at the end of each sequence:
;; SEED, COUNT and FINALS are in the environment. The proxy keeps what the client sends.
(package-initialize)
(require 'eglot)
(define-derived-mode hawser-mode text-mode "Hawser")
(add-to-list 'auto-mode-alist '("\\.yaml\\'" . hawser-mode))
(add-to-list 'eglot-server-programs
             (list 'hawser-mode "python3" (getenv "RECORD") (getenv "RECORDING") (getenv "HAWSER") "lsp"))
(setq make-backup-files nil create-lockfiles nil auto-save-default nil eglot-autoshutdown nil
      eglot-events-buffer-size 0 inhibit-message t kill-buffer-query-functions nil)
(defalias 'y-or-n-p (lambda (&rest _) t))
(defalias 'yes-or-no-p (lambda (&rest _) t))
(random (getenv "SEED"))
(defun one (list) (nth (random (length list)) list))

(defvar texts
  '("acme" "corp" "  " ":" "- " "[" "]" "{" "}" "\"" "'" "#" "\t" "😀" "ä" "€" "𝔘" "é" "rules:"
    "hosts: [\"x.example\"]" "anchors: [system]" "profile: org" "hawser: 1" "&a" "*a" "!!x" "|"
    "null" "default: deny" "\n" "\n  " "\"😀.example\"" "# 😀😀 " "owner: 𝔘" "-" " " "a b c\nd"))

(defvar commands
  (list (lambda () (insert (one texts)))
        (lambda () (insert (one texts) (one texts)))
        (lambda () (delete-char 1))
        (lambda () (delete-char -1))
        (lambda () (kill-line))
        (lambda () (kill-whole-line))
        (lambda () (kill-whole-line 2))
        (lambda () (yank))
        (lambda () (kill-word 1))
        (lambda () (backward-kill-word 1))
        (lambda () (transpose-lines 1))
        (lambda () (transpose-chars 1))
        (lambda () (transpose-words 1))
        (lambda () (upcase-word 1))
        (lambda () (capitalize-word 1))
        (lambda () (join-line))
        (lambda () (newline))
        (lambda () (open-line 2))
        (lambda () (delete-blank-lines))
        (lambda () (delete-region (point) (min (point-max) (+ (point) (random 60)))))
        (lambda () (upcase-region (point) (min (point-max) (+ (point) (random 60)))))
        (lambda () (indent-rigidly (point) (min (point-max) (+ (point) (random 90))) (- (random 5) 2)))
        (lambda () (sort-lines nil (point) (point-max)))
        (lambda () (replace-string (one '("a" "o" "corp" "\n" "\"")) (one '("😀" "b" "" "\n"))
                                   nil (point) (point-max)))
        (lambda () (replace-regexp "^ +" (one '("" "  " "\t")) nil (point) (point-max)))
        (lambda () (let ((text (buffer-substring (line-beginning-position) (line-end-position))))
                     (beginning-of-line) (insert text "\n")))
        (lambda () (undo-boundary) (undo))
        (lambda () (delete-trailing-whitespace))))

(dotimes (number (string-to-number (getenv "COUNT")))
  (find-file (one '("policy.yaml" "policy.yaml" "policy.yaml" "crlf.yaml" "emoji.yaml" "bare.yaml")))
  (buffer-enable-undo)
  (unless (eglot-managed-p)
    (if (eglot-current-server) (eglot--maybe-activate-editing-mode) (apply #'eglot (eglot--guess-contact))))
  (dotimes (_ (+ 3 (random 22)))
    (goto-char (+ (point-min) (random (max 1 (buffer-size)))))
    ;; `kill-whole-line` sets it, and without a command loop nothing sets it back: each later kill
    ;; would be added to the one before, and a yank would insert all of them.
    (setq last-command nil)
    ;; A command that cannot be, such as `undo` of nothing, does nothing.
    (condition-case nil (funcall (one commands)) (error nil))
    (undo-boundary)
    (when (< (random 3) 2) (eglot--signal-textDocument/didChange)))
  (eglot--signal-textDocument/didChange)
  (let ((coding-system-for-write 'utf-8-unix))
    (write-region nil nil (format "%s/%d" (getenv "FINALS") (1+ number)) nil 'quiet))
  (set-buffer-modified-p nil)
  (kill-buffer)
  (accept-process-output nil 0.001))
(ignore-errors (eglot-shutdown-all))
