/// Reads an OCSP response's DER (RFC 6960 section 4.2.1).
///
/// *Deviations*: the version 1, which is the default, may be written out; a GeneralizedTime must
/// have no fraction of a second, as RFC 5280 demands and RFC 6960 section 4.2.2.1 repeats.
package struct OCSPResponseParser {
    /// The field being read, in RFC 6960's words.
    private var field: StaticString = "ocspResponse"
    private var layout = OCSPResponseLayout()

    /// Parses one response. `der` holds the response and nothing else.
    package static func parse(_ der: Span<UInt8>) throws(EvidenceError) -> OCSPResponse.Contents {
        var parser = OCSPResponseParser()
        do {
            return try parser.read(der)
        } catch {
            throw EvidenceError(
                field: parser.field.description, reason: error.problem.rawValue,
                offset: error.offset)
        }
    }

    private mutating func read(_ der: Span<UInt8>) throws(DERError) -> OCSPResponse.Contents {
        guard der.count <= OCSPResponse.maximumSize else {
            throw DERError(.evidenceTooLarge, at: OCSPResponse.maximumSize)
        }
        var outer = DERReader(der)
        var response = try outer.next(.sequence, in: der).reader
        try outer.finish()
        field = "responseStatus"
        let status = try response.next(.enumerated, in: der)
        guard status.count == 1 else { throw DERError(.badResponseStatus, at: status.start) }
        let value = der[status.contentStart]
        guard value == 0 else {
            guard let error = OCSPErrorStatus(rawValue: value) else {
                throw DERError(.badResponseStatus, at: status.start)
            }
            return .error(error)
        }
        field = "responseBytes"
        var wrapper = try response.next(.constructed(0), in: der).reader
        try response.finish()
        var bytes = try wrapper.next(.sequence, in: der).reader
        try wrapper.finish()
        field = "responseBytes.responseType"
        let type = try bytes.next(.objectIdentifier, in: der)
        guard ObjectIdentifier.code(type.content, in: der) == ObjectIdentifier.ocspBasic else {
            throw DERError(.unknownResponseType, at: type.start)
        }
        field = "responseBytes.response"
        let content = try bytes.next(.octetString, in: der)
        try bytes.finish()
        try readBasic(content, der)
        return .basic(layout)
    }

    private mutating func readBasic(
        _ content: DERElement, _ der: Span<UInt8>
    ) throws(DERError) {
        var outer = content.reader
        var basic = try outer.next(.sequence, in: der).reader
        try outer.finish()
        field = "tbsResponseData"
        let tbs = try basic.next(.sequence, in: der)
        layout.tbs = tbs.whole
        field = "signatureAlgorithm"
        layout.signatureAlgorithm = SignatureAlgorithm.parse(
            algorithmIdentifier: der.extracting(
                try CertificateParser.readAlgorithm(&basic, der).indices))
        field = "signature"
        layout.signature = try basic.next(.bitString, in: der).wholeOctets(in: der)
        field = "certs"
        if let wrapper = try basic.nextIfPresent(.constructed(0), in: der) {
            var inner = wrapper.reader
            layout.certificates = try inner.next(.sequence, in: der).content
            try inner.finish()
        }
        field = "basicOCSPResponse"
        try basic.finish()
        try readData(tbs, der)
    }

    private mutating func readData(
        _ tbs: DERElement, _ der: Span<UInt8>
    ) throws(DERError) {
        var reader = tbs.reader
        field = "tbsResponseData.version"
        if let wrapper = try reader.nextIfPresent(.constructed(0), in: der) {
            var inner = wrapper.reader
            guard try inner.next(.integer, in: der).nonNegativeInteger(in: der) == 0 else {
                throw DERError(.badResponseVersion, at: wrapper.start)
            }
            try inner.finish()
        }
        field = "tbsResponseData.responderID"
        try readResponder(&reader, der)
        field = "tbsResponseData.producedAt"
        layout.producedAt = try ASN1Time.instant(reader.next(.generalizedTime, in: der), in: der)
        field = "tbsResponseData.responses"
        let responses = try reader.next(.sequence, in: der)
        guard responses.count > 0 else { throw DERError(.emptySequence, at: responses.start) }
        layout.responses = responses.content
        var singles = responses.reader
        while !singles.isAtEnd {
            _ = try OCSPResponseParser.readSingle(singles.next(.sequence, in: der), der)
        }
        field = "tbsResponseData.responseExtensions"
        if let wrapper = try reader.nextIfPresent(.constructed(1), in: der) {
            var inner = wrapper.reader
            var extensions = try ExtensionReader(inner.next(.sequence, in: der))
            try inner.finish()
            while let item = try extensions.next(in: der) { try readExtension(item, der) }
        }
        field = "tbsResponseData"
        try reader.finish()
    }

    private mutating func readResponder(
        _ reader: inout DERReader, _ der: Span<UInt8>
    ) throws(DERError) {
        let choice = try reader.next(in: der)
        var inner = choice.reader
        switch choice.tag {
        case .constructed(1):
            let name = try inner.next(.sequence, in: der)
            try DistinguishedName.check(name, in: der)
            layout.responder = .name(name.whole)
        case .constructed(2):
            let hash = try inner.next(.octetString, in: der)
            layout.responder = .keyHash(hash.content)
        default: throw DERError(.unexpectedTag, at: choice.start)
        }
        try inner.finish()
    }

    /// Reads one extension of the response. A responder puts the nonce's octets in an OCTET STRING,
    /// as RFC 8954 asks, or writes them without it.
    private mutating func readExtension(
        _ item: ExtensionReader.Item, _ der: Span<UInt8>
    ) throws(DERError) {
        switch item.code {
        case ObjectIdentifier.ocspNonce:
            if let inner = try? item.element(.octetString, in: der) {
                layout.nonce = inner.content
            } else {
                layout.nonce = item.value
            }
        case ObjectIdentifier.ocspExtendedRevoke: break
        default:
            if item.isCritical, layout.unknownCritical.isEmpty {
                layout.unknownCritical = item.identifier
            }
        }
    }

    /// Reads a SingleResponse. `element` is its SEQUENCE.
    static func readSingle(
        _ element: DERElement, _ der: Span<UInt8>
    ) throws(DERError) -> OCSPSingleResponse {
        var reader = element.reader
        let certificate = try readCertificateID(reader.next(.sequence, in: der), der)
        let status = try readStatus(reader.next(in: der), der)
        let thisUpdate = try ASN1Time.instant(reader.next(.generalizedTime, in: der), in: der)
        var nextUpdate: UTCInstant?
        if let wrapper = try reader.nextIfPresent(.constructed(0), in: der) {
            var inner = wrapper.reader
            nextUpdate = try ASN1Time.instant(inner.next(.generalizedTime, in: der), in: der)
            try inner.finish()
        }
        var unknownCritical = ByteRange(start: 0, count: 0)
        var timestamps = ByteRange(start: 0, count: 0)
        if let wrapper = try reader.nextIfPresent(.constructed(1), in: der) {
            var inner = wrapper.reader
            var extensions = try ExtensionReader(
                inner.next(.sequence, in: der), atMost: ExtensionReader.maximumOfEntry)
            try inner.finish()
            while let item = try extensions.next(in: der) {
                if item.code == ObjectIdentifier.ocspSignedCertificateTimestamps,
                    let list = try? item.element(.octetString, in: der)
                {
                    timestamps = list.content
                }
                if item.isCritical, unknownCritical.isEmpty,
                    !ObjectIdentifier.isUnderstoodInSingleResponse(item.code)
                {
                    unknownCritical = item.identifier
                }
            }
        }
        try reader.finish()
        return OCSPSingleResponse(
            certificate: certificate, status: status, thisUpdate: thisUpdate,
            nextUpdate: nextUpdate, unknownCritical: unknownCritical, timestamps: timestamps)
    }

    private static func readCertificateID(
        _ element: DERElement, _ der: Span<UInt8>
    ) throws(DERError) -> OCSPCertificateID {
        var reader = element.reader
        let algorithm = try CertificateParser.readAlgorithm(&reader, der)
        var fields = DERReader(algorithm)
        fields = try fields.next(.sequence, in: der).reader
        let identifier = try fields.next(.objectIdentifier, in: der)
        let name = try reader.next(.octetString, in: der)
        let key = try reader.next(.octetString, in: der)
        let serial = try reader.next(.integer, in: der)
        try serial.checkInteger(in: der)
        try reader.finish()
        let hash: OCSPCertificateID.Hash?
        switch ObjectIdentifier.code(identifier.content, in: der) {
        case ObjectIdentifier.sha1: hash = .sha1
        case ObjectIdentifier.sha256: hash = .sha2(.sha256)
        case ObjectIdentifier.sha384: hash = .sha2(.sha384)
        case ObjectIdentifier.sha512: hash = .sha2(.sha512)
        default: hash = nil
        }
        return OCSPCertificateID(
            hash: hash, issuerName: name.content, issuerKey: key.content, serial: serial.content)
    }

    private static func readStatus(
        _ element: DERElement, _ der: Span<UInt8>
    ) throws(DERError) -> OCSPSingleResponse.Status {
        switch element.tag {
        case .primitive(0):
            guard element.count == 0 else { throw DERError(.badNull, at: element.start) }
            return .good
        case .primitive(2):
            guard element.count == 0 else { throw DERError(.badNull, at: element.start) }
            return .unknown
        case .constructed(1):
            var fields = element.reader
            let date = try ASN1Time.instant(fields.next(.generalizedTime, in: der), in: der)
            var reason = RevocationReason.unspecified
            if let wrapper = try fields.nextIfPresent(.constructed(0), in: der) {
                var inner = wrapper.reader
                reason = try RevocationReason.read(inner.next(.enumerated, in: der), in: der)
                try inner.finish()
            }
            try fields.finish()
            return .revoked(reason, at: date)
        default: throw DERError(.unexpectedTag, at: element.start)
        }
    }
}

extension ObjectIdentifier {
    /// Whether a critical extension of a single response does not change the meaning of that
    /// response: SCTs (RFC 6962 section 3.3), a CRL reference (RFC 6960 section 4.4.2), the archive
    /// cutoff (section 4.4.4), and the CRL entry extensions that give reason and time (section
    /// 4.4.5).
    static func isUnderstoodInSingleResponse(_ code: UInt128) -> Bool {
        switch code {
        case ocspSignedCertificateTimestamps, ocspCRLReference, ocspArchiveCutoff, reasonCode,
            invalidityDate:
            return true
        default: return false
        }
    }
}
