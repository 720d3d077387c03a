import PolicyCompiler
import TrustEngine

/// Reads the records of Mozilla's `certdata.txt`. A record is the attributes from `CKA_CLASS` to
/// the next `CKA_CLASS`.
package struct CertdataReader {
    private var scanner: CertdataScanner
    private var file = CertdataFile()

    /// The most records. The real file has 335.
    private static let mostRecords = 20_000
    /// The most attributes of a record. Records have at most 17.
    private static let mostAttributes = 64

    /// Reads a file.
    ///
    /// - Throws: HX611, with the place.
    package static func read(_ bytes: [UInt8]) throws(ForeignError) -> CertdataFile {
        var reader = CertdataReader(scanner: CertdataScanner(bytes))
        try reader.readRecords()
        return reader.file
    }

    private init(scanner: CertdataScanner) { self.scanner = scanner }

    private typealias Attribute = CertdataScanner.Attribute

    /// A record that is being read.
    private struct Record {
        let start: Attribute
        var attributes: [String: Attribute] = [:]

        func octets(_ name: String) -> [UInt8]? {
            guard case .octets(let octets) = attributes[name]?.value else { return nil }
            return octets
        }

        func word(_ name: String) -> String? {
            guard case .word(let word) = attributes[name]?.value else { return nil }
            return word
        }

        var label: String {
            guard case .text(let text) = attributes["CKA_LABEL"]?.value else { return "" }
            return StoreListing.safe(text)
        }
    }

    private mutating func readRecords() throws(ForeignError) {
        var record: Record?
        var records = 0
        while let attribute = try scanner.next() {
            if attribute.name == "CKA_CLASS" {
                if let record { try add(record) }
                records += 1
                guard records <= Self.mostRecords else {
                    throw scanner.fault(
                        "more than \(Self.mostRecords) records", at: attribute.range)
                }
                record = Record(start: attribute)
            }
            guard record != nil else {
                throw scanner.fault("a record begins with `CKA_CLASS`", at: attribute.range)
            }
            guard record?.attributes.updateValue(attribute, forKey: attribute.name) == nil else {
                throw scanner.fault(
                    "`\(attribute.name)` stands twice in a record", at: attribute.range)
            }
            guard record?.attributes.count ?? 0 <= Self.mostAttributes else {
                throw scanner.fault(
                    "a record of more than \(Self.mostAttributes) attributes", at: attribute.range)
            }
        }
        guard let record else {
            throw scanner.fault("the file has no record; each begins with `CKA_CLASS`", at: 0..<0)
        }
        try add(record)
    }

    // MARK: Records

    private mutating func add(_ record: Record) throws(ForeignError) {
        switch record.word("CKA_CLASS") {
        case "CKO_CERTIFICATE": try addCertificate(record)
        case "CKO_NSS_TRUST", "CKO_TRUST": try addTrust(record)
        // The name of the whole list.
        case "CKO_NSS_BUILTIN_ROOT_LIST": break
        case let other:
            unknown("a record of the class `\(other ?? "")` is left out", record.start.whole)
        }
    }

    private mutating func addCertificate(_ record: Record) throws(ForeignError) {
        let name = try name(of: record)
        guard let value = record.octets("CKA_VALUE") else {
            throw scanner.fault(
                "this certificate has no octets `CKA_VALUE`", at: record.start.range)
        }
        var isUnclear = false
        for attribute in unknownAttributes(of: record) {
            isUnclear = true
            unknown(
                "`\(attribute.name)` is not known to this version and may limit the certificate, "
                    + "which is left out", attribute.range)
        }
        file.certificates.append(
            CertdataFile.Certificate(
                range: record.start.whole, label: record.label, name: name, value: value,
                distrust: distrust(of: record), isUnclear: isUnclear))
    }

    private mutating func addTrust(_ record: Record) throws(ForeignError) {
        let name = try name(of: record)
        for attribute in unknownAttributes(of: record) {
            unknown("`\(attribute.name)` is not known to this version", attribute.range)
        }
        file.trusts.append(
            CertdataFile.Trust(
                range: record.start.whole, label: record.label, name: name,
                digest: record.octets("CKA_CERT_SHA1_HASH")
                    ?? record.octets("CKA_HASH_OF_CERTIFICATE"),
                servers: servers(of: record), distrust: distrust(of: record)))
    }

    private func name(of record: Record) throws(ForeignError) -> CertdataFile.RecordName {
        guard let issuer = record.octets("CKA_ISSUER"),
            let serial = record.octets("CKA_SERIAL_NUMBER")
        else {
            throw scanner.fault(
                "this record has no octets `CKA_ISSUER` and `CKA_SERIAL_NUMBER`, by which records "
                    + "find each other", at: record.start.range)
        }
        return CertdataFile.RecordName(issuer: issuer, serial: serial)
    }

    /// The words of NSS's `pkcs11n.h`, and of PKCS #11 3.2.
    private func servers(of record: Record) -> CertdataFile.ServerTrust {
        let names = ["CKA_TRUST_SERVER_AUTH", "CKA_PKCS_TRUST_SERVER_AUTH"]
        guard let attribute = names.lazy.compactMap({ record.attributes[$0] }).first else {
            return .none
        }
        guard case .word(let word) = attribute.value else {
            return .unknown(attribute.name, attribute.whole)
        }
        switch word {
        case "CKT_NSS_TRUSTED_DELEGATOR", "CKT_TRUST_ANCHOR": return .anchor
        case "CKT_NSS_TRUSTED", "CKT_TRUSTED": return .server
        case "CKT_NSS_MUST_VERIFY_TRUST", "CKT_TRUST_MUST_VERIFY_TRUST", "CKT_NSS_TRUST_UNKNOWN",
            "CKT_TRUST_UNKNOWN", "CKT_NSS_VALID_DELEGATOR":
            return .none
        case "CKT_NSS_NOT_TRUSTED", "CKT_NOT_TRUSTED": return .distrusted
        default: return .unknown(word, attribute.whole)
        }
    }

    /// A UTCTime without tag and length, as NSS reads it (`pki3hack.c`), or `CK_FALSE`.
    private func distrust(of record: Record) -> CertdataFile.Distrust {
        guard let attribute = record.attributes["CKA_NSS_SERVER_DISTRUST_AFTER"] else {
            return .never
        }
        switch attribute.value {
        case .word("CK_FALSE"): return .never
        case .octets(let octets) where octets.count == 13:
            let time = [DERTag.utcTime.rawValue, 13] + octets
            do throws(DERError) {
                var reader = DERReader(time.span)
                let element = try reader.next(.utcTime, in: time.span)
                return .after(try ASN1Time.instant(element, in: time.span), attribute.whole)
            } catch {
                return .unreadable(attribute.whole)
            }
        case .word, .text, .octets: return .unreadable(attribute.whole)
        }
    }

    // MARK: Unknown parts

    private mutating func unknown(_ message: String, _ range: Range<Int>) {
        file.findings.append(
            Diagnostic(.certdataUnknown, message, at: Diagnostic.Label(range.foreignSpan)))
    }

    /// The attributes of the record that are not known, in the order of the file.
    private func unknownAttributes(of record: Record) -> [Attribute] {
        record.attributes.values
            .filter { !Self.known.contains($0.name) && !Self.isPurpose($0.name) }
            .sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Whether an attribute is the trust for a purpose.
    private static func isPurpose(_ name: String) -> Bool {
        name.hasPrefix("CKA_TRUST_") || name.hasPrefix("CKA_PKCS_TRUST_")
    }

    private static let known: Set<String> = [
        "CKA_CLASS", "CKA_TOKEN", "CKA_PRIVATE", "CKA_MODIFIABLE", "CKA_LABEL",
        "CKA_CERTIFICATE_TYPE", "CKA_SUBJECT", "CKA_ID", "CKA_ISSUER", "CKA_SERIAL_NUMBER",
        "CKA_VALUE", "CKA_NSS_EMAIL", "CKA_NSS_MOZILLA_CA_POLICY", "CKA_NSS_SERVER_DISTRUST_AFTER",
        "CKA_NSS_EMAIL_DISTRUST_AFTER", "CKA_CERT_SHA1_HASH", "CKA_CERT_MD5_HASH", "CKA_EXPIRES",
        "CKA_HASH_OF_CERTIFICATE", "CKA_NAME_HASH_ALGORITHM",
    ]
}
