/// The commands of `workspace/executeCommand`. Each opens a text in the editor.
enum EditorCommand: String, CaseIterable {
    /// The text of `show` for a rule: the address of a document of the unit, and the rule's id,
    /// which is empty for `default`.
    case show = "hawser.show"
    /// The text of `diff` against the last commit: the address of a document of the unit.
    case diff = "hawser.diff"
    /// The page of a code.
    case rule = "hawser.rule"
}
