import TrustEngine

/// The words for a table that is stale: its own dates, its signers, and the party that must supply
/// a newer one.
enum StaleTableSentences {
    /// Why the table is stale. Nil for `statement` where the envelope is not known.
    static func headline(
        confirmed: UTCInstant, until: UTCInstant, time: UTCInstant, basis: TableFreshness.Basis,
        statement: TableStatement?
    ) -> String {
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
    private static func signed(_ statement: TableStatement) -> String {
        let keys = statement.signers.prefix(3).map { "`\($0.text)`" }.joined(separator: ", ")
        guard !keys.isEmpty else { return "nobody has signed it" }
        let noun = statement.signers.count == 1 ? "key" : "keys"
        return statement.isVerified
            ? "it is signed by \(noun) \(keys)"
            : "it names \(noun) \(keys) as its signer, and nobody has verified that: no trusted key was "
                + "given"
    }

    /// Whose side a stale table is.
    static func readings(_ basis: TableFreshness.Basis) -> [SideReading] {
        switch basis {
        case .issued:
            return [
                .init(.policy, "whoever signs the table has not issued it again in time"),
                .init(.thisMachine, "it holds an old table, or its clock is wrong"),
            ]
        case .confirmed:
            return [
                .init(.thisMachine, "it holds an old policy, or its clock is wrong"),
                .init(.network, "the source of the policy was out of reach"),
            ]
        }
    }

    /// What to do about a stale table. The dates of a signed table cannot be changed: its
    /// signatures are over them. So the policy is compiled again, with a higher revision.
    static func repairs(
        _ basis: TableFreshness.Basis, _ statement: TableStatement?
    ) -> [Repair] {
        switch basis {
        case .issued:
            let holder = statement?.signers.first.map { "the holder of key `\($0.text)`" }
            let revision = statement.map { "\($0.revision &+ 1)" } ?? "N"
            // A table without an end gets none: the program limits how long it uses the table.
            let expires = statement?.terms?.expires == nil ? "" : "--expires 30d "
            return [
                Repair(
                    "have \(holder ?? "whoever signs the table") issue it again and deliver it, also "
                        + "where nothing in it changes: `hawser compile UNIT --revision \(revision) "
                        + "\(expires)--sign-key KEY -o TABLE`; the table states its own dates, and "
                        + "no answer of its source makes it fresher"),
                Repair(
                    "if a newer table was delivered, see why this machine does not have it: "
                        + "`hawser inspect TABLE` prints the revision and the dates of a file"),
            ]
        case .confirmed:
            return [
                Repair(
                    "see why the source of the table does not confirm it: the program's log and the "
                        + "state of its policy store name the last failure")
            ]
        }
    }
}
