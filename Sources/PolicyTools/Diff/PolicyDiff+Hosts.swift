import Rendering
package import TrustEngine

/// The hosts of a change as a reader knows them.
extension PolicyDiff {
    /// Hosts as a reader writes them: a pattern, and the patterns inside it that change otherwise
    /// or not at all.
    package struct HostText: Hashable, Sendable {
        /// The pattern; nil for the hosts that no pattern matches.
        package let pattern: String?
        /// The only port that is meant, where the pattern itself names none.
        package let port: UInt16?
        /// Patterns inside it, sorted; at most `mostExceptions`.
        package let exceptions: [String]
        /// The number of patterns that `exceptions` leaves out.
        package let omitted: Int
        /// How the pattern reads; nil where it has no label in punycode.
        package private(set) var spelling: HostSpelling?

        package static let mostExceptions = 8

        init(_ hosts: HostClass, exceptions: [String] = [], omitted: Int = 0) {
            pattern = hosts.pattern?.canonicalText
            port = hosts.pattern?.port == nil ? hosts.port : nil
            self.exceptions = exceptions
            self.omitted = omitted
        }

        /// The same hosts, with how the pattern reads.
        func spelled(_ spelling: HostSpelling) -> HostText {
            var text = self
            text.spelling = spelling
            return text
        }
    }

    /// How a name in punycode reads: what a person sees in a browser, and what that looks like.
    package struct HostSpelling: Hashable, Sendable {
        /// The pattern with U-labels.
        package let unicode: String
        /// The scripts of the letters, where a label mixes scripts as no writing system does.
        package let mixed: [String]
        /// The pattern of either policy whose name looks the same and is another name.
        package let resembles: String?

        /// The spelling in brackets, behind the pattern.
        ///
        /// - Parameter quoted: marks a name as such.
        package func text(quoted: (String) -> String) -> String {
            let scripts =
                mixed.isEmpty ? "" : ", mixing \(mixed.joined(separator: " and ")) letters"
            let other = resembles.map { ", which looks like \(quoted($0)) of the policy" } ?? ""
            return " (reads \(quoted(unicode))\(scripts)\(other))"
        }
    }

    /// A host and a port that both tables decide as a change says.
    package struct Witness: Hashable, Sendable {
        package let host: CanonicalHost
        package let port: UInt16

        /// `api.example:443`, with brackets around IPv6.
        package var text: String { HostWithPort.text(host.text, port) }
    }

    /// The pattern that decided hosts before the new policy got a narrower pattern for them, or one
    /// for a port of theirs.
    package struct FormerPattern: Hashable, Sendable {
        /// The pattern; nil where no pattern matched and `default` decided.
        package let pattern: String?
        /// The id of the pattern's rule; empty for `default`.
        package let rule: String
    }
}
