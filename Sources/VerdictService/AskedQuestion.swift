import Hawser
import Rendering
package import TrustEngine

/// What a body asks, by `grammar/serve.openapi.json`: host and port, and for a verdict the chain,
/// the TLS parameters and the evidence, all inline. Nothing in a body is a path or an address that
/// the service would open.
///
/// The body comes from a stranger. Every object and list has a maximum number of members, and
/// nesting ends at 64. Unknown members, repeated members and wrong types are refused with a pointer
/// to their place.
package struct AskedQuestion: Hashable, Sendable {
    package let host: String
    package let port: UInt16
    /// Whether the body names no port.
    package let isPortAssumed: Bool
    package let chain: [[UInt8]]
    package let tls: TLSState
    package let evidence: Evidence
    /// The instant to judge at; nil for the service's clock.
    package let time: UTCInstant?
    /// Sentences about what was assumed.
    package let assumptions: [String]

    /// The port of HTTPS (RFC 9110 section 4.2.2), for a body without a port.
    private static let defaultPort: UInt16 = 443
    /// The most members of an object; the largest that is known has eight.
    private static let mostMembers = 32
    /// The most certificates, CRLs or responses in a list.
    package static let mostItems = 1_000

    /// Reads the body of a request.
    package init(_ body: [UInt8], for endpoint: Endpoint) throws(ServiceProblem) {
        do throws(StrictJSON.Problem) {
            self = try StrictJSON(body, subject: "the body").object(
                most: AskedQuestion.mostMembers
            ) { (members) throws(StrictJSON.Problem) in
                try AskedQuestion(&members, for: endpoint)
            }
        } catch {
            switch error.kind {
            case .notJSON:
                throw ServiceProblem(.notJSON, "the body: " + error.context)
            case .malformed, .otherFormat:
                throw ServiceProblem(.malformed, error.context, pointer: error.pointer)
            }
        }
    }

    private init(
        _ members: inout StrictJSON.Members, for endpoint: Endpoint
    ) throws(StrictJSON.Problem) {
        host = try members.take("host").text()
        if let port = members.takeIfPresent("port") {
            self.port = try port.integer(UInt16.self)
            guard self.port > 0 else { throw port.problem("is no port; a port is 1 to 65535") }
            (isPortAssumed, assumptions) = (false, [])
        } else {
            (port, isPortAssumed) = (AskedQuestion.defaultPort, true)
            assumptions = ["port \(port) is assumed, as none was given"]
        }
        switch endpoint {
        case .evaluate: time = nil
        case .explain: time = try members.takeIfPresent("time")?.instant()
        case .show, .health, .ready, .metrics:
            (time, chain, tls, evidence) = (nil, [], .notSupplied, Evidence())
            return
        }
        tls =
            try members.takeIfPresent("tls")?.tlsState(most: AskedQuestion.mostMembers) {
                (members) throws(StrictJSON.Problem) in
                try members.tlsParameters()
            } ?? .notSupplied
        if case .cleartext = tls {
            if let chain = members.takeIfPresent("chain") {
                throw chain.problem("has no place: a connection in clear text shows no chain")
            }
            if let evidence = members.takeIfPresent("evidence") {
                throw evidence.problem("has no place: a connection in clear text shows no chain")
            }
            (chain, evidence) = ([], Evidence())
            return
        }
        chain = try members.take("chain").octets(PEM.certificateLabels)
        evidence = try members.takeIfPresent("evidence")?.evidence() ?? Evidence()
    }

    fileprivate static func object<Value>(
        _ value: StrictJSON,
        _ read: (inout StrictJSON.Members) throws(StrictJSON.Problem) -> Value
    ) throws(StrictJSON.Problem) -> Value {
        try value.object(most: mostMembers, read)
    }
}

extension StrictJSON {
    /// Reads a list of base64 texts, or one text of PEM blocks, in their order.
    ///
    /// - Parameter labels: the labels of the blocks that are taken. Other blocks are left out, but
    ///   a private key is refused: it must not be sent to anybody.
    fileprivate func octets(_ labels: Set<String>) throws(Problem) -> [[UInt8]] {
        guard isText else {
            return try list(most: AskedQuestion.mostItems) { (item) throws(Problem) in
                try item.base64()
            }
        }
        let text = Array(try text().utf8)
        let blocks: [PEMBlock]
        do throws(PEMError) {
            blocks = try PEM.decode(text.span)
        } catch {
            throw problem(
                "is PEM that cannot be read, at octet \(error.offset): \(error.problem.rawValue)")
        }
        if let key = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) {
            throw problem("has a `\(key.label)`, which nobody else may see; send it without")
        }
        let found = blocks.filter { labels.contains($0.label) }.map(\.der)
        guard !found.isEmpty else {
            let wanted = labels.sorted().map { "`\($0)`" }.joined(separator: " or ")
            throw problem("has no PEM block \(wanted); or send a list of base64 texts of DER")
        }
        guard found.count <= AskedQuestion.mostItems else {
            throw problem("has more than \(AskedQuestion.mostItems) blocks")
        }
        return found
    }

    fileprivate func evidence() throws(Problem) -> Evidence {
        try AskedQuestion.object(self) { (members) throws(Problem) in
            Evidence(
                stapledOCSP: try members.takeIfPresent("staple")?.base64(),
                ocspResponses: try members.takeIfPresent("ocspResponses")?.list(
                    most: AskedQuestion.mostItems
                ) { (item) throws(Problem) in try item.base64() } ?? [],
                crls: try members.takeIfPresent("crls")?.octets([PEM.crlLabel]) ?? [],
                sctList: try members.takeIfPresent("sctList")?.base64())
        }
    }

    fileprivate func instant() throws(Problem) -> UTCInstant {
        guard let instant = UTCInstant(text: try text()) else {
            throw problem(
                "is no instant; write 2026-11-21 or 2026-11-21T12:00:00Z, in UTC")
        }
        return instant
    }
}

extension StrictJSON.Members {
    /// The parameters that are there; the others are unknown.
    fileprivate mutating func tlsParameters() throws(StrictJSON.Problem) -> TLSParameters {
        TLSParameters(
            version: try takeIfPresent("version")?.tlsVersion(),
            cipherSuite: try takeIfPresent("cipherSuite")?.text(),
            group: try takeIfPresent("group")?.text(),
            signatureScheme: try takeIfPresent("signatureScheme")?.text(),
            alpn: try takeIfPresent("alpn")?.text())
    }
}
