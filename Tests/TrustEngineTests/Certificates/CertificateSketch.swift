import TrustEngine

/// DER written by hand for tests: enough of a certificate to be parsed, with a signature of
/// nothing.
enum DER {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        if count < 0x80 { return [tag, UInt8(count)] + content }
        if count < 0x100 { return [tag, 0x81, UInt8(count)] + content }
        if count < 0x1_0000 {
            return [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + content
        }
        return [tag, 0x83, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
            + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }
    static func set(_ parts: [UInt8]...) -> [UInt8] { element(0x31, parts.flatMap { $0 }) }
    static func text(_ tag: UInt8, _ text: String) -> [UInt8] { element(tag, Array(text.utf8)) }
    static func oid(_ content: UInt8...) -> [UInt8] { element(0x06, content) }
    static func integer(_ value: UInt8) -> [UInt8] { element(0x02, [value]) }
    static let isTrue: [UInt8] = [0x01, 0x01, 0xFF]

    static let ecdsaSHA256 = sequence(oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02))
    static let ed25519Key = sequence(
        sequence(oid(0x2B, 0x65, 0x70)),
        element(0x03, [0x00] + [UInt8](repeating: 9, count: 32)))

    /// DER with one element changed, and every length around it made right again.
    ///
    /// `path` has the place of the element among its neighbours, from the outermost inward; an
    /// OCTET STRING is opened as well.
    static func changing(
        _ der: [UInt8], at path: [Int], _ change: (inout [UInt8]) -> Void
    ) throws -> [UInt8] {
        var changed = der
        guard let place = path.first else {
            change(&changed)
            return changed
        }
        var outer = DERReader(der.span)
        let element = try outer.next(in: der.span)
        var inner = element.reader
        var parts: [[UInt8]] = []
        while !inner.isAtEnd {
            let part = try inner.next(in: der.span)
            parts.append(Array(der[part.start..<part.end]))
        }
        parts[place] = try changing(parts[place], at: Array(path.dropFirst()), change)
        return self.element(element.tag.rawValue, parts.flatMap { $0 })
    }

    /// An attribute in a relative name of its own.
    static func attribute(_ type: [UInt8], _ value: [UInt8]) -> [UInt8] {
        set(sequence(element(0x06, type), value))
    }

    /// A Name of one common name, as UTF8String.
    static func commonName(_ name: String) -> [UInt8] {
        sequence(attribute([0x55, 0x04, 0x03], text(0x0C, name)))
    }
}

/// A certificate in parts; `der` puts them together.
struct CertificateSketch {
    var version: [UInt8] = DER.element(0xA0, DER.integer(2))
    var serial: [UInt8] = DER.integer(1)
    var innerAlgorithm = DER.ecdsaSHA256
    var outerAlgorithm = DER.ecdsaSHA256
    var issuer = DER.commonName("issuer")
    var validity = DER.sequence(
        DER.text(0x17, "260101000000Z"), DER.text(0x17, "271231235959Z"))
    var subject = DER.commonName("subject")
    var key = DER.ed25519Key
    var uniqueIDs: [UInt8] = []
    var extensions: [[UInt8]] = []
    var signature = DER.element(0x03, [0x00, 0x30, 0x00])

    static func fieldExtension(
        _ number: UInt8, _ value: [UInt8], isCritical: Bool = false
    ) -> [UInt8] {
        DER.sequence(
            DER.oid(0x55, 0x1D, number), isCritical ? DER.isTrue : [], DER.element(0x04, value))
    }

    var der: [UInt8] {
        let list = DER.element(0x30, extensions.flatMap { $0 })
        let wrapped = extensions.isEmpty ? [] : DER.element(0xA3, list)
        return DER.sequence(
            DER.sequence(
                version, serial, innerAlgorithm, issuer, validity, subject, key, uniqueIDs, wrapped),
            outerAlgorithm, signature)
    }

    func certificate() throws -> Certificate { try Certificate(der: der) }
}

/// GeneralNames for sketches.
enum Names {
    static func dns(_ name: String) -> [UInt8] { DER.text(0x82, name) }
    static func email(_ name: String) -> [UInt8] { DER.text(0x81, name) }
    static func uri(_ name: String) -> [UInt8] { DER.text(0x86, name) }
    static func ip(_ text: String) -> [UInt8] {
        DER.element(0x87, IPAddress(text: text)?.bytes ?? [])
    }
    static func directory(_ name: [UInt8]) -> [UInt8] { DER.element(0xA4, name) }
    static let other = DER.element(
        0xA0, DER.oid(0x2A, 0x03) + DER.element(0xA0, DER.text(0x0C, "x")))

    static func network(_ address: String, _ mask: String) -> [UInt8] {
        DER.element(
            0x87, (IPAddress(text: address)?.bytes ?? []) + (IPAddress(text: mask)?.bytes ?? []))
    }

    static func subjectAltName(_ names: [[UInt8]]) -> [UInt8] {
        CertificateSketch.fieldExtension(0x11, DER.element(0x30, names.flatMap { $0 }))
    }

    static func constraints(permitted: [[UInt8]] = [], excluded: [[UInt8]] = []) -> [UInt8] {
        func trees(_ tag: UInt8, _ bases: [[UInt8]]) -> [UInt8] {
            bases.isEmpty ? [] : DER.element(tag, bases.flatMap { DER.sequence($0) })
        }
        return CertificateSketch.fieldExtension(
            0x1E, DER.sequence(trees(0xA0, permitted), trees(0xA1, excluded)), isCritical: true)
    }
}
