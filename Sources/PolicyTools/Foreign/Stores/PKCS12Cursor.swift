import PolicyCompiler
import TrustEngine

/// A run of DER elements of a PKCS#12 file, and the words for its faults.
struct PKCS12Cursor {
    let bytes: [UInt8]
    private var reader: DERReader
    /// The part of the file, for messages: empty for the file itself, else `of the encrypted part
    /// at octet 52`.
    let part: String

    init(_ bytes: [UInt8], part: String = "") {
        self.bytes = bytes
        self.part = part
        reader = DERReader(bytes.span)
    }

    private init(_ bytes: [UInt8], _ reader: DERReader, part: String) {
        self.bytes = bytes
        self.reader = reader
        self.part = part
    }

    var isAtEnd: Bool { reader.isAtEnd }
    /// The octet of the next element.
    var position: Int { reader.position }

    /// The place of an octet in words.
    func place(_ offset: Int) -> String { "octet \(offset)\(part.isEmpty ? "" : " \(part)")" }

    func fault(_ message: String, at offset: Int) -> StoreProblem {
        StoreProblem(
            .storeUnreadable, "the PKCS#12 file: \(message), at \(place(offset))", at: offset)
    }

    mutating func next(_ tag: DERTag, _ what: String) throws(StoreProblem) -> DERElement {
        let bytes = bytes
        do throws(DERError) {
            return try reader.next(tag, in: bytes.span)
        } catch {
            throw problem(error, what)
        }
    }

    mutating func nextOfAnyTag(_ what: String) throws(StoreProblem) -> DERElement {
        let bytes = bytes
        do throws(DERError) {
            return try reader.next(in: bytes.span)
        } catch {
            throw problem(error, what)
        }
    }

    mutating func nextIfPresent(
        _ tag: DERTag, _ what: String
    ) throws(StoreProblem) -> DERElement? {
        let bytes = bytes
        do throws(DERError) {
            return try reader.nextIfPresent(tag, in: bytes.span)
        } catch {
            throw problem(error, what)
        }
    }

    func finish(_ what: String) throws(StoreProblem) {
        guard isAtEnd else { throw fault("octets follow \(what)", at: position) }
    }

    private func problem(_ error: DERError, _ what: String) -> StoreProblem {
        guard error.problem != .indefiniteLength else {
            return StoreProblem(
                .storeUnreadable,
                "the PKCS#12 file is in BER, with lengths that are not stated, at "
                    + place(error.offset), at: error.offset,
                help: [
                    "`openssl pkcs12 -in FILE -nokeys -out NEW.pem` writes its certificates as PEM"
                ])
        }
        return fault("\(what): \(error.problem.rawValue)", at: error.offset)
    }

    /// Reads the next element, and returns a cursor over its content.
    mutating func enter(_ tag: DERTag, _ what: String) throws(StoreProblem) -> PKCS12Cursor {
        let element = try next(tag, what)
        return inside(element)
    }

    /// A cursor over the content of an element.
    func inside(_ element: DERElement) -> PKCS12Cursor {
        PKCS12Cursor(bytes, element.reader, part: part)
    }

    /// The content octets of an element.
    func content(_ element: DERElement) -> [UInt8] {
        Array(bytes[element.contentStart..<element.end])
    }

    mutating func identifier(_ what: String) throws(StoreProblem) -> [UInt8] {
        content(try next(.objectIdentifier, what))
    }

    mutating func octets(_ what: String, most: Int) throws(StoreProblem) -> [UInt8] {
        let element = try next(.octetString, what)
        guard element.count <= most else {
            throw fault(
                "\(what) has \(element.count) octets; at most \(most) are read", at: element.start)
        }
        return content(element)
    }

    /// A number of zero or more. Greater numbers than 2³¹ − 1 become this number.
    mutating func number(_ what: String) throws(StoreProblem) -> Int {
        let element = try next(.integer, what)
        do throws(DERError) {
            return Int(try element.nonNegativeInteger(in: bytes.span))
        } catch {
            throw problem(error, what)
        }
    }
}
