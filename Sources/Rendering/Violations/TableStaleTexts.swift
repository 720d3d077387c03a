import TrustEngine

extension TableStaleTexts {
    var headline: String { headline(nil) }

    func headline(_ situation: Situation) -> String { headline(situation.facts.statement) }

    /// `statement` is what the table states of itself; nil where its envelope is not known.
    func headline(_ statement: TableStatement?) -> String {
        guard basis == .issued else {
            // The terms can end a table that its source still confirms.
            return "the policy table was last known as the newest at \(confirmed) and was to be "
                + "used until \(until)"
        }
        guard let statement else {
            return "the policy table was issued at \(confirmed) and was to be used until \(until), "
                + "judged at \(time)"
        }
        let end =
            statement.terms?.expires == until
            ? "is good until \(until)" : "this program uses it until \(until)"
        return "the policy table states that it was issued at \(confirmed) (revision "
            + "\(statement.revision)), and \(end), judged at \(time); \(signed(statement))"
    }

    /// Who signed the table, as a clause.
    private func signed(_ statement: TableStatement) -> String {
        let keys = statement.signers.prefix(3).map { "`\($0.text)`" }.joined(separator: ", ")
        guard !keys.isEmpty else { return "nobody has signed it" }
        let noun = statement.signers.count == 1 ? "key" : "keys"
        return statement.isVerified
            ? "it is signed by \(noun) \(keys)"
            : "it names \(noun) \(keys) as its signer, and nobody has verified that: no trusted "
                + "key was given"
    }

    var citation: String {
        switch basis {
        case .issued: return "the table's own dates"
        case .confirmed: return Check.freshness.citation
        }
    }

    func forEndUser(_ situation: Situation) -> String {
        "the policy in use is too old, so nothing is trusted by it any more"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        let old = { (thing: String) in
            declared("it holds an old \(thing), or its clock is wrong")
        }
        switch basis {
        case .issued:
            return [
                .init(.policy, "whoever signs the table has not issued it again in time"),
                old("table"),
            ]
        case .confirmed:
            return [old("policy"), .init(.network, "the source of the policy was out of reach")]
        }
    }

    /// The dates of a signed table cannot be changed: its signatures are over them. So the policy
    /// is compiled again, with a higher revision.
    func repairs(_ reject: Reject) -> [Repair] {
        let statement = reject.facts.statement
        switch basis {
        case .issued:
            let holder = statement?.signers.first.map { "the holder of key `\($0.text)`" }
            let revision = statement.map { "\($0.revision &+ 1)" } ?? "N"
            // A table without an end gets none: the program limits how long it uses the table.
            let expires = statement?.terms?.expires == nil ? "" : "--expires 30d "
            return [
                Repair(
                    "have \(holder ?? "whoever signs the table") issue it again and deliver it, "
                        + "also where nothing in it changes: `hawser compile UNIT --revision "
                        + "\(revision) \(expires)--sign-key KEY -o TABLE`; the table states its "
                        + "own dates, so no answer of its source makes it fresher"),
                Repair(
                    "if a newer table was delivered, see why this machine does not have it: "
                        + "`hawser inspect TABLE` prints the revision and the dates of a file"),
            ]
        case .confirmed:
            return [
                Repair(
                    "see why the source of the table does not confirm it: the program's log and "
                        + "the state of its policy store name the last failure")
            ]
        }
    }
}
