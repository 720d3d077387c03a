/// What the command line of `conformance` asks for.
package struct RunArguments: Sendable, Equatable {
    /// Files and folders of vectors.
    package var paths: [String] = []
    /// Only these suites and ids; empty for all.
    package var suites: Set<String> = []
    package var ids: Set<String> = []
    /// Where to write what every case came to.
    package var json: String?
    /// The list of known divergences; nil for the one beside the runner's source.
    package var expectations: String?
    /// Whether the language's defaults judge, and not `path.issuance: enforce`.
    package var isUnderDefaults = false
    /// The list of vectors that the defaults accept with a notice; nil for the one beside the
    /// runner's source.
    package var notices: String?
    /// How the trusted certificates are trusted.
    package var anchors = CaseTerms.Anchors.asInCase
    /// Whether each case's trace is printed.
    package var explains = false
    /// Whether libcrypto judges the same cases.
    package var isBesideLibcrypto = false

    package static let usage = """
        usage: conformance PATH... [--suite S]... [--id ID]... [--explain] [--json OUT]
                           [--expectations FILE] [--beside-libcrypto] [--defaults] [--notices FILE]
                           [--anchors HOW]

        Evaluates the vectors of every file, and of every .ndjson file below every folder. Every case is
        judged under `path.issuance: enforce`, for which the expectations of the suites are written.

          --suite S            only cases of this suite; may be given again
          --id ID              only this case; may be given again
          --explain            print the trace of every case
          --json OUT           write what every case came to
          --expectations FILE  the known divergences, in place of Tests/Conformance/expectations.json
          --beside-libcrypto   time libcrypto's X509_verify_cert on the same cases
          --defaults           judge under the language's defaults, and compare with `enforce`
          --notices FILE       what the defaults accept with a notice, in place of
                               Tests/Conformance/expectations-defaults.json
          --anchors HOW        how the trusted certificates are trusted: `case` (files, with the
                               standard of the case), `files` (rfc5280), `web-pki` (files) or
                               `system` (as the machine's store)

        exit status: 0 everything as expected; 1 a divergence without an entry, or an entry without its
        divergence; 2 could not ask

        """

    package init() {}

    /// The arguments of a command line, without the program's name.
    ///
    /// - Throws: `CaseProblem`.
    package init(_ words: [String]) throws {
        var rest = words[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else {
                throw CaseProblem("`\(option)` needs a value")
            }
            return value
        }
        while let word = rest.popFirst() {
            switch word {
            case "--suite": suites.insert(try value(of: word))
            case "--id": ids.insert(try value(of: word))
            case "--json": json = try value(of: word)
            case "--expectations": expectations = try value(of: word)
            case "--defaults": isUnderDefaults = true
            case "--notices": notices = try value(of: word)
            case "--anchors":
                let how = try value(of: word)
                guard let anchors = CaseTerms.Anchors(rawValue: how) else {
                    let known = CaseTerms.Anchors.allCases.map(\.rawValue)
                    throw CaseProblem(
                        "`--anchors`: `\(how)` is none of \(known.joined(separator: ", "))")
                }
                self.anchors = anchors
            case "--explain": explains = true
            case "--beside-libcrypto": isBesideLibcrypto = true
            default:
                guard !word.hasPrefix("--") else { throw CaseProblem("`\(word)` is no option") }
                paths.append(word)
            }
        }
        guard !paths.isEmpty else { throw CaseProblem("no file or folder is given") }
        guard notices == nil || isUnderDefaults else {
            throw CaseProblem("`--notices` is for `--defaults`")
        }
    }

    /// Whether a case is asked for.
    package func wants(_ vector: ConformanceCase) -> Bool {
        (suites.isEmpty || suites.contains(vector.suite))
            && (ids.isEmpty || ids.contains(vector.id))
    }
}
