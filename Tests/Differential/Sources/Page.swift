/// The page of disagreements: counts, then each case in which somebody differs from somebody else.
struct Page {
    /// One case with everybody's verdicts, in the order of `names`.
    struct Row {
        let vector: Vector
        let verdicts: [PeerVerdict]
    }

    static let names = ["Hawser", "libcrypto", "swift-certificates"]

    let rows: [Row]

    var text: String {
        var text = """
            # Who differs from whom, and who is right

            Written by `Tests/Differential/run.sh` over the public vectors: Hawser under `path.issuance: enforce`,
            libcrypto's `X509_verify_cert` and swift-certificates 1.21.1 with the policies that it ships. What is right is what the vector expects; *hard*
            cases only are counted as false. A peer that has nothing like what a case asks (CRLs, e-mail identities) declines it;
            where it has only something less strict or less lenient than a case asks (purposes as BoringSSL reads them, limits of an
            anchor that are lifted), it is asked that, and counts as it falls.


            """
        text += counts
        text += "\n## Why peers are wrong\n\n" + reasons
        text += "\n## Every disagreement\n\nThe wrong ones are in **bold**.\n"
        let suites = Set(rows.map(\.vector.suite)).sorted()
        for suite in suites {
            let differing = rows.filter { $0.vector.suite == suite && $0.isDisagreement }
            guard !differing.isEmpty else { continue }
            text += "\n### \(suite): \(differing.count)\n\n"
            text += "| case | right | \(Page.names.joined(separator: " | ")) | why | about |\n"
            text += "|---|---|\(String(repeating: "---|", count: Page.names.count + 2))\n"
            for row in differing.sorted(by: { $0.vector.id < $1.vector.id }) { text += row.line }
        }
        return text
    }

    private var counts: String {
        var text = "| suite | cases | "
        text += Page.names.map { "\($0): right, false accepts, false rejects, declined" }
            .joined(separator: " | ")
        text += " |\n|---|---|\(String(repeating: "---|", count: Page.names.count))\n"
        let suites = Set(rows.map(\.vector.suite)).sorted()
        for (suite, members) in suites.map({ suite in
            (suite, rows.filter { $0.vector.suite == suite })
        }) + [("all", rows)] {
            let cells = Page.names.indices.map { peer -> String in
                func count(_ standing: Row.Standing) -> Int {
                    members.count { $0.standing(of: peer) == standing }
                }
                return "\(count(.right)), \(count(.falseAccept)), \(count(.falseReject)), "
                    + "\(count(.declined))"
            }
            text += "| \(suite) | \(members.count) | \(cells.joined(separator: " | ")) |\n"
        }
        return text
    }

    /// The cases that a peer accepted for want of a rule, by the reason for which Hawser refuses
    /// them; and the cases that it refused wrongly, by its own words.
    private var reasons: String {
        var text = ""
        for peer in Page.names.indices.dropFirst() {
            var accepts: [String: Int] = [:]
            var rejects: [String: Int] = [:]
            for row in rows {
                switch row.standing(of: peer) {
                case .falseAccept:
                    if case .reject(let reason) = row.verdicts[0] {
                        accepts[reason, default: 0] += 1
                    }
                case .falseReject:
                    if case .reject(let reason) = row.verdicts[peer] {
                        rejects[reason, default: 0] += 1
                    }
                case .right, .declined: break
                }
            }
            text += "**\(Page.names[peer])** accepts what must be refused for: "
            text += Page.list(accepts) + ". It refuses what is valid with the words: "
            text += Page.list(rejects) + ".\n\n"
        }
        return text
    }

    private static func list(_ counts: [String: Int]) -> String {
        guard !counts.isEmpty else { return "nothing" }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "`\($0.key)` (\($0.value))" }.joined(separator: ", ")
    }
}

extension Page.Row {
    enum Standing {
        case right, falseAccept, falseReject, declined
    }

    /// Where a peer stands against what the vector expects. Of a soft case either answer is right.
    func standing(of peer: Int) -> Standing {
        switch verdicts[peer] {
        case .declined: return .declined
        case .accept: return vector.isValid || vector.strength == "soft" ? .right : .falseAccept
        case .reject: return !vector.isValid || vector.strength == "soft" ? .right : .falseReject
        }
    }

    var isDisagreement: Bool {
        let given = verdicts.compactMap { verdict -> Bool? in
            switch verdict {
            case .accept: return true
            case .reject: return false
            case .declined: return nil
            }
        }
        return Set(given).count > 1
    }

    fileprivate var line: String {
        let cells = verdicts.indices.map { peer -> String in
            let word: String
            switch verdicts[peer] {
            case .accept: word = "accept"
            case .reject: word = "reject"
            case .declined: word = "declined"
            }
            switch standing(of: peer) {
            case .falseAccept, .falseReject: return "**\(word)**"
            case .right, .declined: return word
            }
        }
        let right =
            (vector.isValid ? "accept" : "reject") + (vector.strength == "soft" ? " (soft)" : "")
        return
            "| `\(vector.id)` | \(right) | \(cells.joined(separator: " | ")) | \(why) | \(PeerVerdict.oneLine(vector.description ?? "")) |\n"
    }

    /// Why those who are wrong are wrong: Hawser's reason for a reject, or the words of who
    /// refuses.
    var why: String {
        if case .reject(let reason) = verdicts[0] { return "`\(reason)`" }
        let words = verdicts.indices.dropFirst().compactMap { peer -> String? in
            guard case .reject(let reason) = verdicts[peer] else { return nil }
            return "\(Page.names[peer]): \(reason)"
        }
        return words.joined(separator: "; ")
    }
}
