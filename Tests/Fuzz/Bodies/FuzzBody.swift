/// One thing that reads hostile bytes. Each body is a plain function over bytes: libFuzzer calls it
/// (`fuzz.sh`), and the tests run it over seeds and over every input that once found something.
///
/// A body traps when a property does not hold; a trap anywhere below it is a finding too.
public enum FuzzBody: String, CaseIterable, Sendable {
    /// The DER reader, which descends into every element that it accepts.
    case der
    case certificate
    case pem
    /// PKCS #10, as `spki-file` takes it.
    case request
    case crl
    /// An OCSP response.
    case ocsp
    /// A CRL or a response against the status of a certificate.
    case status
    /// A revocation set.
    case revocationSet = "revocation-set"
    /// Signed certificate timestamps, as TLS brings them.
    case timestamps
    /// log_list.json.
    case logList = "log-list"
    /// Two certificates: the names of the first under the constraints of the second.
    case nameConstraints = "name-constraints"
    /// A presented chain against a whole engine.
    case evaluation
    /// Policy text to a syntax tree.
    case syntax
    /// Policy text to canonical layout.
    case format
    /// Policy text to a table.
    case policy
    /// Policy text to findings of the linter, in every format, and to what its fixes make of it.
    case lint
    /// Every scalar of the language.
    case scalars
    /// A compiled table.
    case table
    /// A decision receipt.
    case receipt
    /// A table file under trusted keys.
    case signedTable = "signed-table"
    /// A Chrome Root Store, as text, to a policy.
    case rootStore = "root-store"
    /// A configuration file of another system to a policy.
    case foreignFile = "foreign-file"
    /// A key and a signature of ML-DSA.
    case mldsa
    /// A filter of CRLite, or an index of filters.
    case filter

    /// Runs the body; returns, or traps.
    public func run(_ bytes: [UInt8]) {
        switch self {
        case .der: DERBody.run(bytes)
        case .certificate: CertificateBody.run(bytes)
        case .pem: CertificateBody.runPEM(bytes)
        case .request: CertificateBody.runRequest(bytes)
        case .crl: RevocationBody.runList(bytes)
        case .ocsp: RevocationBody.runResponse(bytes)
        case .status: RevocationBody.runStatus(bytes)
        case .revocationSet: RevocationBody.runSet(bytes)
        case .timestamps: TransparencyBody.runTimestamps(bytes)
        case .logList: TransparencyBody.runLogList(bytes)
        case .nameConstraints: NameConstraintsBody.run(bytes)
        case .evaluation: EvaluationBody.run(bytes)
        case .syntax: PolicyBody.runSyntax(bytes)
        case .format: PolicyBody.runFormatter(bytes)
        case .policy: PolicyBody.runCompiler(bytes)
        case .lint: LintBody.run(bytes)
        case .scalars: PolicyBody.runScalars(bytes)
        case .table: TableBody.run(bytes)
        case .receipt: ReceiptBody.run(bytes)
        case .signedTable: SignedTableBody.run(bytes)
        case .rootStore: RootStoreBody.run(bytes)
        case .foreignFile: ForeignFileBody.run(bytes)
        case .mldsa: MLDSABody.run(bytes)
        case .filter: FilterBody.run(bytes)
        }
    }

    /// Inputs to begin with: good ones, from which a fuzzer finds bad ones soonest.
    public var seeds: [[UInt8]] {
        switch self {
        case .der, .certificate: return Seeds.certificates
        case .pem: return [Seeds.pem]
        case .request: return [Seeds.request]
        case .crl: return Seeds.revocationLists
        case .ocsp: return Seeds.responses
        case .status: return Seeds.revocationLists + Seeds.responses
        case .revocationSet: return Seeds.revocationSets
        case .timestamps: return Seeds.timestamps
        case .logList: return Seeds.logLists
        case .nameConstraints: return Seeds.constrainedPairs
        case .evaluation: return Seeds.chains
        case .syntax, .format, .policy: return Seeds.policies
        case .lint: return Seeds.policies + [LintBody.seed]
        case .scalars: return Seeds.scalars
        case .table: return Seeds.tables
        case .receipt: return ReceiptBody.seeds
        case .signedTable: return SignedTableBody.inputs
        case .rootStore: return RootStoreBody.seeds
        case .foreignFile: return ForeignFileBody.seeds
        case .mldsa: return MLDSABody.seeds
        case .filter: return FilterBody.seeds
        }
    }
}

/// A property that must hold whatever the input; named in the trap's message.
func require(_ condition: Bool, _ property: String) {
    if !condition { fatalError("does not hold: \(property)") }
}

/// Several byte strings in one input: each with its length in two octets, big-endian, before it.
/// A string that is cut off is taken as far as it goes, so that every input has a meaning.
enum Framing {
    static func split(_ bytes: [UInt8], atMost limit: Int) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var position = 0
        while position + 2 <= bytes.count, parts.count < limit {
            let count = Int(bytes[position]) << 8 | Int(bytes[position + 1])
            position += 2
            let end = min(bytes.count, position + count)
            parts.append(Array(bytes[position..<end]))
            position = end
        }
        return parts
    }

    static func join(_ parts: [[UInt8]]) -> [UInt8] {
        parts.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
    }
}
