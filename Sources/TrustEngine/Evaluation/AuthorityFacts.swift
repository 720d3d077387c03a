/// The names and key identifiers around an authority that the rule does not trust. Anybody can
/// write them into a certificate, so they serve sentences and decide nothing.
package struct AuthorityFacts: Hashable, Sendable {
    /// A CA of the rule's anchor sets whose name resembles the name of the unknown authority.
    package struct Relative: Hashable, Sendable {
        /// The id of the anchor set.
        package let set: String
        /// The subject of the CA as an RFC 4514 string. Raw text.
        package let subject: String

        package init(set: String, subject: String) {
            self.set = set
            self.subject = subject
        }
    }

    /// The CA whose name resembles most; nil where none does.
    package var relative: Relative?
    /// Whether the server presented its own certificate and no other one.
    package var isEndEntityOnly = false
    /// Whether the name of the authority has a word that inspecting proxies write into the names of
    /// their CAs.
    package var isOfInspection = false
    /// A set that the rule does not name and that holds a CA of this very name.
    package var otherSet: String?
    /// Whether the server's own certificate says where the certificate of its issuer is.
    package var namesAddress = false
    /// Whether a set of the rule holds the machine's store. Names of public authorities do not
    /// resemble each other, so a name without a relative shows nothing there.
    package var trustsStore = false

    package init() {}

    /// The most names of anchors that are compared: a sentence is not worth more. They are the
    /// policy's own, of some hundred octets each.
    private static let mostNames = 1_024

    /// Words in the names of CAs of products that inspect TLS.
    private static let wordsOfInspection: Set<String> = [
        "barracuda", "bluecoat", "decryption", "fiddlerroot", "firewall", "forcepoint", "fortigate",
        "fortinet", "inspecting", "inspection", "interception", "kaspersky", "mitm", "mitmproxy",
        "netskope", "portswigger", "proxies", "proxy", "sophos", "squid", "websense", "zscaler",
    ]

    /// Words that the names of many authorities have. They resemble nothing.
    private static let commonWords: Set<String> = [
        "authority", "ca", "cas", "cert", "certificate", "certificates", "certification", "class",
        "corp", "corporation", "ecc", "ecdsa", "global", "gmbh", "inc", "intermediate", "internal",
        "issuer", "issuing", "llc", "ltd", "pki", "policy", "private", "root", "rsa", "server",
        "services", "signing", "sub", "subordinate", "the", "tls", "trust", "web",
    ]

    /// Gathers the facts about an authority by its name.
    ///
    /// - Parameters:
    ///   - name: the name, an RFC 4514 string.
    ///   - presented: the certificates of the peer that can be read, the server's own first.
    init(name: String, _ engine: Engine, rule: RuleRecord, presented: [Certificate]) {
        isEndEntityOnly = presented.count == 1
        namesAddress = presented.first.map { !IssuerAddresses.addresses(of: $0).isEmpty } ?? false
        let own = NameWords(name)
        isOfInspection = !own.all.isDisjoint(with: AuthorityFacts.wordsOfInspection)
        let sets = Set(engine.setsTrusted(by: rule))
        var best = 0
        var names: Set<String> = []
        for anchor in engine.anchors.anchors where sets.contains(anchor.set) {
            if anchor.isOfStore {
                trustsStore = true
                continue
            }
            guard anchor.kind != .leaf, names.count < AuthorityFacts.mostNames else { continue }
            let subject = anchor.certificate.subjectText
            guard names.insert(subject).inserted else { continue }
            let likeness = own.likeness(to: NameWords(subject))
            guard likeness > best else { continue }
            best = likeness
            relative = Relative(set: engine.setIDs[anchor.set], subject: subject)
        }
        let others = engine.anchors.anchors.lazy.filter {
            !sets.contains($0.set) && !$0.isOfStore && $0.kind != .leaf
        }
        otherSet = others.prefix(AuthorityFacts.mostNames)
            .first { $0.certificate.subjectText == name }.map { engine.setIDs[$0.set] }
    }

    /// The parts of a name by which names resemble each other.
    struct NameWords {
        /// Every word of the name, in lower case.
        var all: Set<String> = []
        /// The organisations, in lower case.
        var organisations: Set<String> = []
        /// The words of the common name and the organisations without numbers and common words.
        var telling: Set<String> = []

        /// Reads an RFC 4514 string.
        init(_ name: String) {
            for part in NameWords.parts(name.lowercased()) {
                guard let equals = part.firstIndex(of: "=") else { continue }
                let type = part[..<equals]
                let value = part[part.index(after: equals)...]
                let words = value.unicodeScalars.split {
                    !$0.properties.isAlphabetic && !("0"..."9" ~= $0)
                }
                .map { String($0) }
                all.formUnion(words)
                if type == "o" { organisations.insert(String(value)) }
                guard type == "o" || type == "cn" else { continue }
                telling.formUnion(
                    words.filter { word in
                        word.unicodeScalars.count > 2
                            && !word.unicodeScalars.contains { "0"..."9" ~= $0 }
                            && !AuthorityFacts.commonWords.contains(word)
                    })
            }
        }

        /// How much two names resemble each other: 0 where they do not.
        func likeness(to other: NameWords) -> Int {
            let shared = telling.intersection(other.telling).count
            let sameOrganisation = !organisations.isDisjoint(with: other.organisations)
            guard sameOrganisation || shared > 0 else { return 0 }
            // Of several CAs of one organisation the nearest common name counts.
            return (sameOrganisation ? 100 : 0) + min(shared, 50)
                + min(49, all.intersection(other.all).count)
        }

        /// The attributes of a name: the parts between `,` and `+` that no backslash escapes.
        private static func parts(_ name: String) -> [String] {
            var parts: [String] = []
            var part = String.UnicodeScalarView()
            var isEscaped = false
            for scalar in name.unicodeScalars {
                if !isEscaped, scalar == "," || scalar == "+" {
                    parts.append(String(part))
                    part = String.UnicodeScalarView()
                } else {
                    part.append(scalar)
                }
                isEscaped = !isEscaped && scalar == "\\"
            }
            return parts + [String(part)]
        }
    }
}

/// Which key of its issuer a certificate names (RFC 5280 section 4.2.1.1), beside the issuer's
/// certificate at hand. Both identifiers are text that the signer chose.
package enum NamedKey: Hashable, Sendable {
    /// The certificate names another key than the issuer's certificate has.
    case another
    /// The certificate names the key of the issuer's certificate.
    case same
    /// One of the identifiers is missing.
    case unknown

    /// Compares the authority key identifier of `certificate` with the subject key identifier of
    /// `issuer`. Where the issuer has none, the usual one is made of its key (RFC 5280 section
    /// 4.2.1.2, method 1). An issuer may choose another method, so only an equal one counts then.
    package init(
        _ certificate: Certificate, issuer: Certificate, crypto: some CryptoBackend
    ) {
        let wanted = certificate.layout.extensions.authorityKeyIdentifier
        let own = issuer.layout.extensions.subjectKeyIdentifier
        guard !wanted.isEmpty else {
            self = .unknown
            return
        }
        let identifier = certificate.der.span.extracting(wanted.indices)
        guard own.isEmpty else {
            self =
                identifier.octetsEqual(issuer.der.span.extracting(own.indices)) ? .same : .another
            return
        }
        let key = issuer.der.span.extracting(issuer.keyBits.indices)
        self = crypto.identifierSHA1(of: key)?.isEqual(to: identifier) == true ? .same : .unknown
    }
}
