internal import TrustEngine

/// The names that other programs give to cipher suites of the registry. A name that means several
/// suites, such as OpenSSL's `HIGH`, has no entry.
package enum CipherSuiteSpelling {
    /// IANA's name of the suite that a text names in another way: as OpenSSL, GnuTLS, wolfSSL, Go
    /// or Java do. Nil for any other text, and for a suite that no policy can list.
    package static func name(for text: String) -> String? {
        var key = key(text)
        for prefix in ["tls.", "ciphersuite."] where key.hasPrefix(prefix) {
            key = String(key.dropFirst(prefix.count))
        }
        return names[key]
    }

    /// Names are compared without letter case, and `-` counts as `_`.
    private static func key(_ name: String) -> String {
        name.lowercased().replacing("-", with: "_")
    }

    /// IANA's names by the keys of all their spellings. Of two suites with one spelling neither is
    /// in it.
    private static let names: [String: String] = {
        var names: [String: String] = [:]
        var repeated: Set<String> = []
        for suite in PolicyWords.tlsCipherSuite.words {
            for spelling in Set(spellings(of: suite).map(key)) {
                if names.updateValue(suite, forKey: spelling) != nil { repeated.insert(spelling) }
            }
        }
        for spelling in repeated { names[spelling] = nil }
        return names
    }()

    private static func spellings(of suite: String) -> [String] {
        var names = [suite]
        if let name = openSSLName(of: suite) {
            names.append(name)
            if name.hasPrefix("DHE-") { names.append("EDH-" + name.dropFirst(4)) }
        }
        if CipherSuiteName.isOfTLS13(suite) {
            // The names of wolfSSL, and of OpenSSL before 1.1.1.
            let rest = "TLS13" + suite.dropFirst("TLS".count)
            names += [rest, separated(rest)]
        } else {
            // GnuTLS leaves out `WITH`; Java has `SSL` in the names of its oldest suites.
            names += [
                suite.replacing("_WITH_", with: "_"), "SSL" + suite.dropFirst("TLS".count),
            ]
        }
        if suite.hasSuffix("_WITH_CHACHA20_POLY1305_SHA256") {
            // Go's first constants for these.
            names.append(String(suite.dropLast("_SHA256".count)))
        }
        return names
    }

    /// OpenSSL's name of a suite of TLS 1.2; nil for a suite that OpenSSL does not name by the
    /// scheme that most of its names follow. `openssl ciphers -stdname` prints both names.
    private static func openSSLName(of suite: String) -> String? {
        guard let range = suite.firstRange(of: "_WITH_"), !CipherSuiteName.isOfTLS13(suite) else {
            return nil
        }
        let exchange = suite[..<range.lowerBound].dropFirst("TLS_".count)
        var cipher = String(suite[range.upperBound...])
        // The one exception among the key exchanges.
        let prefix =
            exchange == "ECDHE_RSA" && cipher.hasPrefix("ARIA_")
            ? "ECDHE-" : keyExchanges[String(exchange)]
        guard let prefix else { return nil }
        cipher = separated(
            cipher.replacing("3DES_EDE_CBC", with: "DES_CBC3").replacing("_CCM_8", with: "_CCM8"))
        if cipher == "CHACHA20-POLY1305-SHA256" { cipher = "CHACHA20-POLY1305" }
        if !cipher.hasPrefix("DES-") { cipher = cipher.replacing("-CBC-", with: "-") }
        return prefix + cipher
    }

    /// `AES_128_GCM` as `AES128-GCM`.
    private static func separated(_ text: String) -> String {
        var text = text
        for cipher in ["AES", "CAMELLIA", "ARIA"] {
            for size in ["128", "256"] {
                text = text.replacing("\(cipher)_\(size)", with: "\(cipher)\(size)")
            }
        }
        return text.replacing("_", with: "-")
    }

    /// The words that OpenSSL writes before the cipher.
    private static let keyExchanges = [
        "ECDHE_ECDSA": "ECDHE-ECDSA-", "ECDHE_RSA": "ECDHE-RSA-", "DHE_RSA": "DHE-RSA-",
        "DHE_DSS": "DHE-DSS-", "RSA": "", "ECDH_ECDSA": "ECDH-ECDSA-", "ECDH_RSA": "ECDH-RSA-",
        "DH_RSA": "DH-RSA-", "DH_DSS": "DH-DSS-",
    ]
}

/// A list of ciphers as OpenSSL, nginx, Apache, HAProxy and Envoy write it, in one text:
/// `ECDHE-RSA-AES128-GCM-SHA256:HIGH:!aNULL`.
struct CipherList {
    /// IANA's names of the suites that the list names one by one, in its order, each once.
    let suites: [String]
    /// Whether every part of the list names one suite.
    let isWhole: Bool
    private let text: String

    /// Nil for a text that is one name of IANA, or one name that nobody has.
    init?(_ text: String) {
        let parts = text.split { ": ,;|[]".contains($0) }.map(String.init)
        guard let first = parts.first,
            parts.count > 1 || CipherList.operators.contains(first.utf8.first ?? 0)
                || CipherList.keywords.contains(first.uppercased())
                || WordSpelling.word(for: first, in: PolicyWords.tlsCipherSuite) != nil
        else { return nil }
        let words = PolicyWords.tlsCipherSuite
        var suites: [String] = []
        var isWhole = true
        for part in parts {
            guard
                let suite = words.words.contains(part)
                    ? part : WordSpelling.word(for: part, in: words)
            else {
                isWhole = false
                continue
            }
            if !suites.contains(suite) { suites.append(suite) }
        }
        self.suites = suites
        self.isWhole = isWhole
        self.text = text
    }

    /// The list as this language writes it; nil where it names no suite.
    var written: String? { suites.isEmpty ? nil : "[\(suites.joined(separator: ", "))]" }

    /// The command that prints IANA's names of what OpenSSL selects.
    var command: String {
        let isPlain = text.utf8.allSatisfy {
            (0x20...0x7E).contains($0) && !"'`".utf8.contains($0)
        }
        return "`openssl ciphers -stdname \(isPlain ? "'\(text)'" : "LIST")`"
    }

    private static let operators = Set("!-+@".utf8)

    /// The words that select suites (ciphers(1)); the commonest.
    private static let keywords: Set<String> = [
        "DEFAULT", "ALL", "HIGH", "MEDIUM", "LOW", "ECDHE", "EECDH", "DHE", "EDH", "KRSA", "AES",
        "AESGCM", "AES128", "AES256", "CHACHA20", "PROFILE=SYSTEM", "COMPLEMENTOFDEFAULT",
    ]
}
