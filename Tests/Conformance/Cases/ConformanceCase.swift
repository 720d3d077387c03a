package import Foundation
import LibCrypto
import PolicyCompiler
package import TrustEngine

/// One line of a file of vectors: does the end entity validate to one of the trusted certificates
/// under these inputs? Field by field what the format's page says; nothing is decided here.
package struct ConformanceCase: Sendable {
    /// Rules that a path is judged by.
    package enum Profile: String, Decodable, Sendable {
        case rfc5280
        case webPKI = "web-pki"
    }

    /// What the end entity is wanted for.
    package enum Kind: String, Decodable, Sendable {
        case server = "SERVER"
        case client = "CLIENT"
        /// No purpose.
        case any = "ANY"
    }

    /// A name that the end entity must carry.
    package struct Name: Decodable, Hashable, Sendable {
        package enum Kind: String, Decodable, Sendable {
            case dns = "DNS"
            case ip = "IP"
            case email = "RFC822"
        }

        package let kind: Kind
        package let value: String
    }

    /// Inputs of RFC 5280 section 6.1.1(c), (e), (f), (g).
    package struct CertificatePolicies: Hashable, Sendable {
        /// Content octets of the acceptable policies, sorted, each once; empty for any.
        package var initial: [[UInt8]] = []
        package var requiresExplicit = false
        package var inhibitsMapping = false
        package var inhibitsAny = false

        /// Nothing is demanded.
        package init() {}
    }

    /// What revocation evidence must be consulted.
    package enum Revocation: String, Decodable, Sendable {
        case none, crl, ocsp
    }

    /// Whose status must be known.
    package enum RevocationScope: String, Decodable, Sendable {
        case leaf
        /// Every certificate below the anchor.
        case chain
    }

    package enum Expectation: String, Decodable, Sendable {
        case success = "SUCCESS"
        case failure = "FAILURE"
    }

    package enum Strength: String, Decodable, Sendable {
        /// A mismatch is a warning only.
        case soft
        case hard
    }

    package let id: String
    package let suite: String
    package let description: String
    package let profile: Profile
    /// DER; as all certificates here it may not parse.
    package private(set) var trusted: [[UInt8]]
    package private(set) var bag: [[UInt8]]
    package let peer: [UInt8]
    package let crls: [[UInt8]]
    package let ocspResponses: [[UInt8]]
    /// Nil where the vector prescribes none. A fraction of a second is dropped, as everywhere in
    /// the engine (LANGUAGE section 12.6), and as CAs of the web read validity periods.
    package let time: UTCInstant?
    package let kind: Kind
    /// Every one must be carried.
    package let names: [Name]
    /// Most intermediates; nil for no limit.
    package let maximumDepth: Int?
    /// Every bit must be allowed (RFC 5280 section 4.2.1.3, bit 0 in the least significant place).
    package let keyUsage: UInt16
    /// Content octets of the purposes; one of them must be allowed. Empty for no demand.
    package let purposes: [[UInt8]]
    package let certificatePolicies: CertificatePolicies
    package let revocation: Revocation
    package let revocationScope: RevocationScope
    package let expected: Expectation
    package let expectedReason: String?
    package let strength: Strength
    package let features: Set<String>
}

extension ConformanceCase {
    /// The case with only the certificates of a path, the end entity first. The last certificate
    /// is trusted, and the certificates between are sent besides the end entity.
    package func along(_ path: [CertificateReference]) -> ConformanceCase {
        let crypto = LibCryptoBackend()
        let between = Set(path.dropFirst().dropLast().map(\.fingerprint))
        var alone = self
        alone.bag = bag.filter { between.contains(crypto.digest(.sha256, of: $0.span)) }
        alone.trusted = trusted.filter {
            crypto.digest(.sha256, of: $0.span) == path.last?.fingerprint
        }
        return alone
    }
}

/// Why a line is not a case: the field and its fault.
package struct CaseProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension ConformanceCase {
    /// The case that a line of JSON describes. Fields that the format does not have are passed
    /// over; those that it has must all be there.
    ///
    /// - Throws: `CaseProblem`.
    package init(json line: Data) throws {
        do {
            self = try JSONDecoder().decode(ConformanceCase.self, from: line)
        } catch let problem as CaseProblem {
            throw problem
        } catch DecodingError.keyNotFound(let key, let context) {
            throw CaseProblem(
                "the field `\(CaseProblem.path(context.codingPath + [key]))` is missing")
        } catch DecodingError.typeMismatch(let wanted, let context) {
            let path = CaseProblem.path(context.codingPath)
            throw CaseProblem(
                path.isEmpty
                    ? "the line is not a JSON object"
                    : "`\(path)` is not what is wanted there (\(CaseProblem.word(for: wanted)))")
        } catch DecodingError.valueNotFound(let wanted, let context) {
            throw CaseProblem(
                "`\(CaseProblem.path(context.codingPath))` is null, where "
                    + "\(CaseProblem.word(for: wanted)) is wanted")
        } catch DecodingError.dataCorrupted(let context) {
            let path = CaseProblem.path(context.codingPath)
            throw CaseProblem(
                path.isEmpty ? "the line is not JSON" : "`\(path)`: \(context.debugDescription)")
        }
    }
}

extension CaseProblem {
    fileprivate static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
            .replacing(".[", with: "[")
    }

    fileprivate static func word(for type: Any.Type) -> String {
        switch type {
        case is String.Type: return "a string"
        case is Int.Type: return "a number"
        case is Bool.Type: return "true or false"
        case is [Any].Type, is [String].Type: return "a list"
        default: return "an object"
        }
    }
}

// MARK: - Decoding

extension ConformanceCase: Decodable {
    /// The fields of a vector. Programs that mint vectors write them by this list too.
    package enum Key: String, CodingKey {
        case id, suite, description, profile, crls, revocation, strength, features
        case trusted = "trusted_certs"
        case bag = "untrusted_intermediates"
        case peer = "peer_certificate"
        case ocspResponses = "ocsp_responses"
        case time = "validation_time"
        case kind = "validation_kind"
        case name = "expected_peer_name"
        case names = "expected_peer_names"
        case maximumDepth = "max_chain_depth"
        case keyUsage = "key_usage"
        case purposes = "extended_key_usage"
        case certificatePolicies = "certificate_policies"
        case revocationScope = "revocation_scope"
        case expected = "expected_result"
        case expectedReason = "expected_reason"
        /// The oddities of a minted shape. The comparison of three validators reads this field; the
        /// runner does not.
        case oddities
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        /// A field that must be there and may be null.
        func nullable<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
            guard fields.contains(key) else {
                throw CaseProblem("the field `\(key.rawValue)` is missing")
            }
            return try fields.decodeIfPresent(type, forKey: key)
        }
        func octets(_ key: Key) throws -> [[UInt8]] {
            try fields.decode([String].self, forKey: key).enumerated().map { index, text in
                try Self.octets(text, "\(key.rawValue)[\(index)]")
            }
        }
        id = try fields.decode(String.self, forKey: .id)
        suite = try fields.decode(String.self, forKey: .suite)
        description = try nullable(String.self, .description) ?? ""
        profile = try fields.decode(Profile.self, forKey: .profile)
        trusted = try octets(.trusted)
        bag = try octets(.bag)
        peer = try Self.octets(fields.decode(String.self, forKey: .peer), Key.peer.rawValue)
        crls = try octets(.crls)
        ocspResponses = try octets(.ocspResponses)
        time = try nullable(String.self, .time).map { text in
            guard let instant = UTCInstant(text: text), text.utf8.count > 10 else {
                throw CaseProblem(
                    "`validation_time`: `\(text)` is no time as RFC 3339 writes it in UTC, such as "
                        + "`2026-03-01T00:00:00Z`")
            }
            return instant
        }
        kind = try fields.decode(Kind.self, forKey: .kind)
        let name = try nullable(Name.self, .name)
        names = try (name.map { [$0] } ?? []) + fields.decode([Name].self, forKey: .names)
        maximumDepth = try nullable(Int.self, .maximumDepth)
        guard maximumDepth ?? 0 >= 0 else {
            throw CaseProblem("`max_chain_depth` is below zero")
        }
        keyUsage = try fields.decode([String].self, forKey: .keyUsage)
            .reduce(0) { try $0 | Self.keyUsageBit($1) }
        purposes = try fields.decode([String].self, forKey: .purposes).map(Self.purpose)
        certificatePolicies =
            try nullable(CertificatePolicies.self, .certificatePolicies) ?? CertificatePolicies()
        revocation = try fields.decode(Revocation.self, forKey: .revocation)
        let scope = try nullable(RevocationScope.self, .revocationScope)
        guard revocation == .none || scope != nil else {
            throw CaseProblem("`revocation_scope` is null, and `revocation` is not `none`")
        }
        revocationScope = scope ?? .leaf
        expected = try fields.decode(Expectation.self, forKey: .expected)
        expectedReason = try nullable(String.self, .expectedReason)
        strength = try fields.decode(Strength.self, forKey: .strength)
        features = Set(try fields.decode([String].self, forKey: .features))
    }

    private static func octets(_ text: String, _ field: String) throws -> [UInt8] {
        guard let data = Data(base64Encoded: text) else {
            throw CaseProblem("`\(field)` is not standard base64")
        }
        return [UInt8](data)
    }

    private static let keyUsageNames: [String: Int] = [
        "digitalSignature": 0, "nonRepudiation": 1, "contentCommitment": 1, "keyEncipherment": 2,
        "dataEncipherment": 3, "keyAgreement": 4, "keyCertSign": 5, "cRLSign": 6,
        "encipherOnly": 7, "decipherOnly": 8,
    ]

    private static func keyUsageBit(_ name: String) throws -> UInt16 {
        guard let bit = keyUsageNames[name] else {
            throw CaseProblem(
                "`key_usage`: `\(name)` is none of \(keyUsageNames.keys.sorted().joined(separator: ", "))"
            )
        }
        return 1 << bit
    }

    private static func purpose(_ name: String) throws -> [UInt8] {
        if let purpose = ObjectIdentifier.purposes.first(where: { $0.name == name }) {
            return purpose.content
        }
        guard let content = try? ObjectIdentifierScanner.scan(name) else {
            throw CaseProblem(
                "`extended_key_usage`: `\(name)` is neither a purpose of RFC 5280 nor an object "
                    + "identifier")
        }
        return content
    }
}

extension ConformanceCase.CertificatePolicies: Decodable {
    private enum Key: String, CodingKey {
        case initial = "initial_policy_set"
        case requiresExplicit = "explicit_policy"
        case inhibitsMapping = "policy_mapping_inhibit"
        case inhibitsAny = "any_policy_inhibit"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        let texts = try fields.decode([String].self, forKey: .initial)
        guard !texts.isEmpty else {
            throw CaseProblem(
                "`initial_policy_set` is empty; any policy is written as `[\"any\"]`")
        }
        if !texts.contains("any") {
            let contents = try texts.map { text in
                guard let content = try? ObjectIdentifierScanner.scan(text) else {
                    throw CaseProblem(
                        "`initial_policy_set`: `\(text)` is neither `any` nor an object identifier")
                }
                return content
            }
            initial = Set(contents).sorted { $0.lexicographicallyPrecedes($1) }
        }
        requiresExplicit = try fields.decode(Bool.self, forKey: .requiresExplicit)
        inhibitsMapping = try fields.decode(Bool.self, forKey: .inhibitsMapping)
        inhibitsAny = try fields.decode(Bool.self, forKey: .inhibitsAny)
    }
}
