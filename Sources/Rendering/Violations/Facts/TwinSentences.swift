import TrustEngine

/// The words for a name that a reader takes for the missing issuer's, and that is another name.
enum TwinSentences {
    /// A clause about the first twin, behind the headline.
    static func clause(_ twin: NameTwin) -> String {
        let holder: String
        switch twin.holder {
        case .set(let set): holder = "anchor set `\(set)` has"
        case .presented(let index): holder = "certificate \(index + 1) of the chain has"
        }
        return
            "\(holder) `\(Words.unquoted(twin.subject))`, \(words(twin.difference)), "
            + "which is another name: names are compared part by part, in their order (RFC 5280 §7.1)"
    }

    /// What to do. The CA wrote its own name in two ways.
    static func repair(_ last: CertificateReference, _ twin: NameTwin) -> Repair {
        Repair(
            "if it is theirs, have \(Words.name(last)) issued anew with the issuer "
                + "`\(Words.unquoted(twin.subject))`, as the authority's own certificate "
                + "has it")
    }

    private static func words(_ difference: NameTwin.Difference) -> String {
        switch difference {
        case .order: return "the same parts in another order"
        case .grouping: return "the same attributes in other parts"
        case .letters:
            return "the same but for the case or the composition of letters outside ASCII"
        }
    }
}
