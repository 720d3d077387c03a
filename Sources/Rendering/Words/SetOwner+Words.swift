package import PolicyReading

// A set and its owner in sentences.
extension SetOwner {
    /// The set for a sentence: "anchor set `acme`".
    package var name: String {
        "\(section == .anchors ? "anchor" : "pin") set `\(id)`"
    }

    /// The owner as an object of "ask": "`pki`, who owns `acme`,".
    package var asked: String {
        guard let owner else { return "whoever owns \(name)" }
        let shown = Words.unquoted(Words.shortened(owner, to: 60))
        return "`\(shown)`, who owns `\(id)`,"
    }
}
