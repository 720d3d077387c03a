import Rendering

/// The requests that are answered about documents and units.
enum EditorQuestion: String, CaseIterable {
    case pull = "textDocument/diagnostic"
    case hover = "textDocument/hover"
    case definition = "textDocument/definition"
    case references = "textDocument/references"
    case prepareRename = "textDocument/prepareRename"
    case rename = "textDocument/rename"
    case documentSymbols = "textDocument/documentSymbol"
    case workspaceSymbols = "workspace/symbol"
    case folds = "textDocument/foldingRange"
    case layout = "textDocument/formatting"
    case completion = "textDocument/completion"
    case actions = "textDocument/codeAction"
    case lenses = "textDocument/codeLens"
    case hints = "textDocument/inlayHint"
    case tokens = "textDocument/semanticTokens/full"
    case tokensOfRange = "textDocument/semanticTokens/range"
    case command = "workspace/executeCommand"

    /// The answer.
    func answer(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        switch self {
        case .pull: return try DiagnosticItems.pull(ask)
        case .hover: return try HoverAnswer.answer(ask)
        case .definition: return try NavigationAnswers.definition(ask)
        case .references: return try NavigationAnswers.references(ask)
        case .prepareRename: return try NavigationAnswers.prepare(ask)
        case .rename: return try NavigationAnswers.rename(ask)
        case .documentSymbols: return try SymbolAnswers.ofDocument(ask)
        case .workspaceSymbols: return try SymbolAnswers.ofWorkspace(ask)
        case .folds: return try SymbolAnswers.folds(ask)
        case .layout: return try SymbolAnswers.layout(ask)
        case .completion: return try CompletionAnswer.answer(ask)
        case .actions: return try CodeActionAnswer.answer(ask)
        case .hints: return try HintAnswer.answer(ask)
        case .tokens, .tokensOfRange: return try TokenAnswer.answer(ask)
        case .lenses: return try LensAnswer.answer(ask)
        case .command: return try CommandTexts.answer(ask)
        }
    }
}

/// The answer of `initialize`.
enum ServerCapabilities {
    static func answer(units: PositionUnits, client: EditorClient) -> JSONValue {
        .object([
            "capabilities": JSONValue.object([
                "positionEncoding": units.rawValue,
                "textDocumentSync": JSONValue.object([
                    "openClose": true, "change": 2,
                    "save": JSONValue.object(["includeText": false]),
                ]),
                "diagnosticProvider": client.hasPull
                    ? JSONValue.object([
                        "identifier": "hawser", "interFileDependencies": true,
                        "workspaceDiagnostics": false,
                    ]) : nil,
                "hoverProvider": true, "definitionProvider": true, "referencesProvider": true,
                "renameProvider": JSONValue.object(["prepareProvider": true]),
                "documentSymbolProvider": true, "workspaceSymbolProvider": true,
                "foldingRangeProvider": true, "documentFormattingProvider": true,
                "completionProvider": JSONValue.object([
                    "triggerCharacters": [" ", "-", "[", ",", "\"", "/", "."]
                ]),
                "codeActionProvider": JSONValue.object([
                    "codeActionKinds": CodeActionAnswer.kinds
                ]),
                "codeLensProvider": JSONValue.object(["resolveProvider": false]),
                "inlayHintProvider": true, "semanticTokensProvider": TokenAnswer.provider,
                "executeCommandProvider": JSONValue.object([
                    "commands": EditorCommand.allCases.map(\.rawValue)
                ]),
                "workspace": JSONValue.object([
                    "workspaceFolders": JSONValue.object([
                        "supported": true, "changeNotifications": true,
                    ])
                ]),
            ]),
            "serverInfo": JSONValue.object([
                "name": "hawser", "version": HawserVersion.number,
            ]),
        ])
    }
}
