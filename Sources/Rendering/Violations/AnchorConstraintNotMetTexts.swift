import TrustEngine

extension AnchorConstraintNotMetTexts {
    /// The names or values that the anchor set allows, and the names or values of the certificate.
    var headline: String {
        let leaf = Words.name(failure.certificate)
        let set = "anchors of `\(failure.set)`"
        let shown = { (name: String) in "`\(Words.shortened(name, to: 100))` in \(leaf)" }
        switch failure.side {
        case .permittedNames(let found, let patterns):
            return "\(shown(found)): \(set) vouch only for \(Words.list(patterns))"
        case .excludedNames(let found, let pattern?):
            return "\(shown(found)): \(set) never vouch for `\(pattern)`"
        case .excludedNames(let found, nil):
            return
                "\(shown(found)) is not a valid name, so it counts as one that \(set) never vouch for"
        case .permittedURIs(let found, let patterns):
            return "\(shown(found)): \(set) vouch only for \(Words.list(patterns))"
                + URISentences.mismatch(presented: [found], patterns: patterns)
        case .notBefore(let found, let from, let until):
            return "\(leaf) begins on \(found): \(set) vouch for certificates that begin "
                + bounds(from, until)
        case .sct(let earliest, let from, let until, _):
            let found =
                earliest.map { "the earliest valid timestamp of \(leaf) is of \($0)" }
                ?? "\(leaf) has no valid timestamp"
            return
                "\(found): \(set) vouch for certificates whose earliest is \(bounds(from, until))"
        case .logList(let issued, let time, let maximumAge):
            return TransparencySentences.stale(issued, time, maximumAge)
                + ", and \(set) vouch for certificates by the time of their timestamps"
        case .keyPurposes(let wanted, let named):
            return
                "\(leaf) names \(Words.list(named)): \(set) vouch for certificates that name one "
                + "of " + Words.list(wanted)
        case .maximumLifetime(let seconds, let maximum):
            return "\(leaf) lives for \(Words.duration(seconds)): \(set) vouch for at most "
                + Words.duration(maximum)
        }
    }

    private func bounds(_ from: UTCInstant?, _ until: UTCInstant?) -> String {
        [from.map { "at \($0) or later" }, until.map { "at \($0) or before" }]
            .compactMap(\.self).joined(separator: ", ")
    }

    func forEndUser(_ situation: Situation) -> String {
        "the authority that vouches for `\(situation.host)` is trusted on terms that this "
            + "certificate does not meet"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        switch failure.side {
        case .permittedNames, .excludedNames, .permittedURIs:
            return [
                .impostor("an authority vouches for a name that it may not vouch for"),
                declared("its certificate is from the wrong authority"),
            ]
        case .notBefore, .sct, .keyPurposes, .maximumLifetime:
            return [
                declared("its certificate is not one that the authority is trusted for"),
                .init(.policy, "the anchor's terms are too narrow"),
            ]
        case .logList:
            return [
                .init(.policy, "its list of logs is old"),
                declared("its certificate needs another authority"),
            ]
        }
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [
            Repair(
                "have the certificate issued by another authority, or so that "
                    + "`constraints.\(failure.side.key)` is met"),
            Repair(
                "whether that authority may vouch for it is for "
                    + "\(reject.owners.anchors(failure.set).asked) to say: other rules may name "
                    + "the set too"),
        ]
    }
}
