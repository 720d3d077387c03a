/// What the allowances of a file make of a change.
package struct AllowedChange: Hashable, Sendable {
    /// The allowances in words, each once; nil if they do not allow the change for every class.
    package let text: String?
    /// What a reader must know of a change that is allowed for some of its classes; nil for others.
    package let partial: String?
    /// The ids of the allowances that allow at least one field of one class.
    package let used: Set<String>
}
