import TrustEngine

extension NameNotPermittedTexts {
    var headline: String {
        let relation = isExcluded ? "excludes" : "permits only"
        return "`\(name)` in \(Words.name(certificate)): \(Words.name(by)) \(relation) "
            + "`\(subtree)`" + consequence
    }

    /// A clause with the fault of a name that no subtree can hold, and its consequence; empty for
    /// other names.
    private var consequence: String {
        guard let fault = NameFaults.fault(of: name) else { return "" }
        return "; the name \(fault), so it "
            + (isExcluded ? "counts as excluded" : "is in no subtree")
    }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.name(by)) may not vouch for the name `\(name)` of "
            + "\(Words.name(certificate))"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [
            .impostor("an authority vouches for a name that is not its own"),
            declared("its certificate is from the wrong authority"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] { reject.unauthorised(by) }
}
