import ArgumentParser
import Hawser
import TrustEngine

/// `hawser sign`: adds a revision and a signature to a table file.
struct SignCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Give a table file a revision and a signature, or one signature more.",
        discussion: """
            A service that trusts keys loads no table that they have not signed, and none with a lower \
            revision than it has accepted before. A table that has a revision keeps it: people who sign \
            one after another sign the same thing. So it is with the dates: when the table was issued, and \
            until when it may be used. To say of a table once more that it is the newest, sign the table that \
            `hawser compile` writes again, with the same revision.

            The key is an Ed25519 key, as `openssl genpkey -algorithm ed25519 -out KEY.pem` makes it. The \
            command prints the public key, which services must trust. The same table, revision, dates and \
            key give the same bytes.
            """)

    @Argument(
        help: "The table file, as `hawser compile` or `hawser sign` wrote it.", completion: .file())
    var table: String

    @Option(help: "The revision: higher than that of the table that this one is to replace.")
    var revision: UInt64?

    @OptionGroup(title: "Dates that are signed with the table") var dates: TableTermsOptions

    @Option(help: "A file with the private key to sign with, PEM.", completion: .file())
    var signKey: String

    @Option(
        name: [.short, .customLong("output")], help: "The signed table file to write.",
        completion: .file())
    var output: String

    func answer() throws(CommandFailure) -> ExitStatus {
        let key = try TableSigning.key(signKey)
        let found = try PolicySource.open(table, trustedKeys: nil)
        let unsigned = try numbered(found)
        let signed = try TableSigning.sign(unsigned, with: key)
        try OutputFile.write(signed.encoded, to: output)
        try Report.print(TableSigning.text(signed, found.table, key.publicKey))
        return .clean
    }

    /// The table with the revision of its envelope or of the option.
    private func numbered(_ found: OpenedTable) throws(CommandFailure) -> SignedTable {
        switch (found.revision, revision) {
        case (nil, nil):
            throw .couldNotAsk(
                "`\(table)` has no revision yet; give it one, `--revision N`, higher than that of the "
                    + "table it is to replace")
        case (let old?, let new?) where old != new:
            throw .couldNotAsk(
                "`\(table)` has revision \(old), which its signatures are over; for revision \(new) "
                    + "sign the table that `hawser compile` writes")
        case (let number?, _), (nil, let number?):
            return try TableSigning.numbered(
                found.table, revision: number, terms: try terms(of: found),
                signatures: found.signatures)
        }
    }

    /// The terms of the envelope, which its signatures are over, or of the options.
    private func terms(of found: OpenedTable) throws(CommandFailure) -> TableTerms? {
        guard !found.signatures.isEmpty else { return try dates.terms() }
        if let option = dates.firstGiven {
            throw .couldNotAsk(
                "`\(table)` is signed, and its signatures are over its dates; for `\(option)` sign the "
                    + "table that `hawser compile` writes")
        }
        return found.terms
    }
}
