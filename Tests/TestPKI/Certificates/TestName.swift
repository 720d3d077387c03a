/// A distinguished name (RFC 5280 section 4.1.2.4), hostile ones included: any octets under any
/// tag. A string literal is a name with only that common name.
public struct TestName: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// One attribute.
    public struct Attribute: Hashable, Sendable {
        /// The attribute type in dotted text.
        public var type: String
        /// The value, tag and length included.
        public var value: [UInt8]

        /// An attribute from a type and a finished value.
        public init(type: String, value: [UInt8]) {
            self.type = type
            self.value = value
        }

        /// An attribute holding a UTF8String, or a string under another tag.
        public static func text(_ type: String, _ text: String, tag: UInt8 = 0x0c) -> Attribute {
            Attribute(type: type, value: DER.element(tag, Array(text.utf8)))
        }
        /// commonName.
        public static func commonName(_ value: String) -> Attribute { text("2.5.4.3", value) }
        /// organizationName.
        public static func organization(_ value: String) -> Attribute { text("2.5.4.10", value) }
        /// organizationalUnitName.
        public static func unit(_ value: String) -> Attribute { text("2.5.4.11", value) }
        /// countryName, a PrintableString.
        public static func country(_ value: String) -> Attribute {
            text("2.5.4.6", value, tag: 0x13)
        }
        /// emailAddress of PKCS #9, an IA5String.
        public static func email(_ value: String) -> Attribute {
            text("1.2.840.113549.1.9.1", value, tag: 0x16)
        }
    }

    /// The relative distinguished names in order, each a set of attributes.
    public var relativeNames: [[Attribute]]

    /// A name of one attribute per relative name, in the order of the encoding.
    public init(_ attributes: Attribute...) {
        self.relativeNames = attributes.map { [$0] }
    }

    /// A name from relative names.
    public init(relativeNames: [[Attribute]]) {
        self.relativeNames = relativeNames
    }

    /// A name with only this common name.
    public init(stringLiteral value: String) {
        self.init(.commonName(value))
    }

    /// A name with only this common name.
    public init(_ commonName: String) {
        self.init(.commonName(commonName))
    }

    /// The name without any attribute.
    public static let empty = TestName(relativeNames: [])

    /// Name, DER.
    public var der: [UInt8] {
        DER.sequence(
            of: relativeNames.map { attributes in
                DER.set(of: attributes.map { DER.sequence(DER.oid($0.type), $0.value) })
            })
    }
}
