;; Types a mistake, sees it, mends it by the server's fix, and renames an anchor set over the files.
(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)

(define-derived-mode hawser-mode text-mode "Hawser")
(add-to-list 'auto-mode-alist '("\\.yaml\\'" . hawser-mode))
(add-to-list 'eglot-server-programs (list 'hawser-mode (getenv "HAWSER") "lsp"))
(setq eglot-confirm-server-initiated-edits nil make-backup-files nil create-lockfiles nil)

;; Nobody is there to ask.
(defalias 'y-or-n-p (lambda (&rest _) t))

(defun check (what is)
  (unless is (message "FAILED: %s" what) (kill-emacs 1))
  (message "ok %s" what))

(defun waits-until (is)
  (let ((end (+ (float-time) 20)))
    (while (and (not (funcall is)) (< (float-time) end))
      (accept-process-output nil 0.05))
    (funcall is)))

(defun said (part)
  (flymake-start)
  (seq-some (lambda (one) (string-match-p part (flymake-diagnostic-text one)))
            (flymake-diagnostics)))

(find-file "policy.yaml")
(apply #'eglot (eglot--guess-contact))
(check "the server runs" (eglot-managed-p))

(goto-char (point-min))
(search-forward "\"api.co.example\"")
(let ((case-replace nil) (case-fold-search nil))
  (replace-match "\"API.co.example\"" t t))
(eglot--signal-textDocument/didChange)
(check "the mistake is seen" (waits-until (lambda () (said "API"))))

(let* ((actions (jsonrpc-request
                 (eglot--current-server-or-lose) :textDocument/codeAction
                 (list :textDocument (eglot--TextDocumentIdentifier)
                       :range (list :start (eglot--pos-to-lsp-position (line-beginning-position))
                                    :end (eglot--pos-to-lsp-position (line-end-position)))
                       :context (list :diagnostics []))))
       (fix (seq-find (lambda (one) (and (plist-get one :edit) (plist-get one :isPreferred))) actions)))
  (check "a fix is offered" fix)
  (eglot--apply-workspace-edit (plist-get fix :edit) nil))
(eglot--signal-textDocument/didChange)
(check "the fix mends it"
       (let ((case-fold-search nil))
         (save-excursion (goto-char (point-min)) (search-forward "\"api.co.example\"" nil t))))
(check "the finding goes" (waits-until (lambda () (not (said "API")))))

(goto-char (point-min))
(search-forward "  corp:")
(backward-char 2)
(eglot-rename "corp-2")
(save-some-buffers t)
(dolist (buffer (buffer-list))
  (with-current-buffer buffer
    (when (and buffer-file-name (buffer-modified-p)) (save-buffer))))
(eglot-shutdown (eglot--current-server-or-lose))
(message "ok the anchor set is renamed")
