/// Walks the extensions of a CRL, of a CRL entry or of an OCSP response (RFC 5280 section 4.1). It
/// refuses too many extensions, and an extension that occurs twice.
package struct ExtensionReader: Sendable, BitwiseCopyable {
    /// One extension: the ranges of its identifier and of the content of its OCTET STRING.
    package struct Item: Sendable, BitwiseCopyable {
        /// The identifier's content octets.
        package let identifier: ByteRange
        /// The identifier as one number (`ObjectIdentifier.code`).
        package let code: UInt128
        package let isCritical: Bool
        /// The content of the OCTET STRING.
        package let value: ByteRange
    }

    private let start: Int
    private let limit: Int
    private var reader: DERReader
    private var count = 0

    /// The most extensions of an entry of a CRL and of a single response. RFC 5280 and RFC 6960
    /// define four and six. A list may have many entries, and each extension is compared with those
    /// before it.
    package static let maximumOfEntry = 16

    /// Begins a walk over an `Extensions` SEQUENCE, which has at least one extension and at most
    /// `limit`.
    package init(
        _ sequence: DERElement, atMost limit: Int = CertificateParser.maximumExtensions
    ) throws(DERError) {
        guard sequence.tag == .sequence else {
            throw DERError(.unexpectedTag, at: sequence.start)
        }
        guard sequence.count > 0 else { throw DERError(.emptySequence, at: sequence.start) }
        self.start = sequence.contentStart
        self.limit = limit
        self.reader = sequence.reader
    }

    /// The next extension; nil at the end.
    package mutating func next(in bytes: Span<UInt8>) throws(DERError) -> Item? {
        guard !reader.isAtEnd else { return nil }
        count += 1
        guard count <= limit else {
            throw DERError(
                limit == ExtensionReader.maximumOfEntry
                    ? .tooManyEntryExtensions : .tooManyExtensions, at: reader.position)
        }
        let element = try reader.next(.sequence, in: bytes)
        let item = try ExtensionReader.read(element, in: bytes)
        var earlier = DERReader(ByteRange(start: start, count: element.start - start))
        while !earlier.isAtEnd {
            var fields = try earlier.next(.sequence, in: bytes).reader
            let other = try fields.next(.objectIdentifier, in: bytes)
            guard
                !bytes.extracting(other.content.indices)
                    .octetsEqual(bytes.extracting(item.identifier.indices))
            else { throw DERError(.duplicateExtension, at: element.start) }
        }
        return item
    }

    private static func read(
        _ element: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) -> Item {
        var fields = element.reader
        let identifier = try fields.next(.objectIdentifier, in: bytes)
        try ObjectIdentifier.check(identifier, in: bytes)
        let isCritical = try fields.nextIfPresent(.boolean, in: bytes)?.boolean(in: bytes) ?? false
        let value = try fields.next(.octetString, in: bytes)
        try fields.finish()
        return Item(
            identifier: identifier.content,
            code: ObjectIdentifier.code(identifier.content, in: bytes), isCritical: isCritical,
            value: value.content)
    }
}

extension ExtensionReader.Item {
    /// The one element inside the value.
    func element(in bytes: Span<UInt8>) throws(DERError) -> DERElement {
        var reader = DERReader(value)
        let element = try reader.next(in: bytes)
        try reader.finish()
        return element
    }

    /// The one element inside the value. It must have this tag.
    func element(_ tag: DERTag, in bytes: Span<UInt8>) throws(DERError) -> DERElement {
        let element = try element(in: bytes)
        guard element.tag == tag else { throw DERError(.unexpectedTag, at: element.start) }
        return element
    }
}
