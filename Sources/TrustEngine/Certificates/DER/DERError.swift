/// Why octets are not the expected DER, and where reading stopped.
package struct DERError: Error, Hashable, Sendable, BitwiseCopyable {
    /// The fault. The raw value is the sentence for people: lower case, no full stop.
    package enum Problem: String, Hashable, Sendable, BitwiseCopyable {
        // X.690: the encoding.
        case truncated = "the element runs past the end"
        case multipleOctetTag = "tag numbers above 30 do not occur here"
        case indefiniteLength = "the length is indefinite, which DER forbids"
        case lengthNotMinimal = "the length is not in its shortest form"
        case lengthTooLong = "the length has more than four octets"
        case unexpectedTag = "another tag was expected"
        case missingElement = "an element is missing"
        case trailingOctets = "octets follow where nothing may"
        case badBoolean = "a BOOLEAN is one octet, 00 or ff"
        case badInteger = "an INTEGER is at least one octet, in its shortest form"
        case negativeInteger = "the number must not be negative"
        case badNull = "a NULL has no content"
        case badBitString = "a BIT STRING names its unused bits, which are zero"
        case unusedBits = "the BIT STRING must hold whole octets"
        case badObjectIdentifier = "the OBJECT IDENTIFIER is malformed"
        case badTime = "the time is not whole seconds in the form of RFC 5280, ending in Z"
        case noSuchTime = "there is no such day or time of day"
        case emptySequence = "the list must hold at least one element"

        // RFC 5280: what the elements say.
        case tooLarge = "certificates above 64 KiB are not read"
        case badVersion = "the version is not 1, 2 or 3"
        case badRequestVersion = "the version of a request is 1, encoded as 0"
        case defaultVersion = "version 1 is the default and must not be written"
        case versionTooLowForExtensions = "extensions need version 3"
        case versionTooLowForUniqueIDs = "unique identifiers need version 2"
        case duplicateExtension = "the extension occurs twice"
        case tooManyExtensions = "more than 64 extensions"
        case tooManyEntryExtensions = "more than 16 extensions in one entry"
        case nameTooLong = "a name above 64 KiB is not read"
        case tooManyAttributes = "more than 32 attributes in one relative distinguished name"
        case tooManyPolicies = "more than 256 certificate policies"
        case duplicatePolicy = "a certificate policy is named twice"
        case emptyKeyUsage = "no key usage bit is set"
        case badNameForm = "the tag is not one of GeneralName's"
        case badKey = "the key's octets do not fit its algorithm"
        case badKeyParameters = "the key's parameters do not fit its algorithm"
        case noPoint = "the key names no point of its curve"
        case smallOrder = "the key is a point of small order, under which anybody can sign"
        case nearZero = "the key's numbers are next to zero, so that anybody can sign under it"
        case badRSANumbers = "an RSA key has an odd modulus and an odd exponent from 3 on"

        // RFC 5280 section 5 and RFC 6960: what revocation evidence says.
        case evidenceTooLarge = "it is larger than anything of its kind that is read"
        case badListVersion = "the version of a CRL is 1, not written, or 2, encoded as 1"
        case versionTooLowForListExtensions = "extensions of a CRL need version 2"
        case versionTooLowForEntryExtensions = "extensions of an entry need version 2"
        case badReason = "the reason is not one that is defined"
        case removalOutsideDelta = "removeFromCRL stands in delta CRLs only"
        case foreignEntryInDirectList = "an entry names its issuer and the CRL is not indirect"
        case listNumberTooLong = "a CRL number has at most 20 octets"
        case contradictoryScope =
            "the CRL says of two kinds of certificates that it lists only them"
        case badResponseStatus = "the status is not one that is defined"
        case unknownResponseType = "the response is not a basic one"
        case badResponseVersion = "the version of a response is 1, encoded as 0"

        /// The problems of keys whose DER structure is right.
        package static let ofKeys: Set<Problem> = [
            .badKey, .badKeyParameters, .noPoint, .smallOrder, .nearZero, .badRSANumbers,
        ]
    }

    /// The problem.
    package let problem: Problem
    /// Offset in the buffer at which reading stopped.
    package let offset: Int

    /// Makes an error from a problem and an offset.
    package init(_ problem: Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }
}
