import PolicyCompiler
import TrustEngine

/// Makes keys from the password of a PKCS#12 file, and decrypts and checks with them. The file
/// states how much work that is; the work for one file is bounded.
struct PKCS12Keys {
    private let password: StorePassword
    private let crypto: any PasswordCryptography
    /// The iterations that are left.
    private var iterations = PKCS12Keys.mostIterations

    /// The most iterations of all derivations of one file. Java refuses a derivation with more
    /// (`MAX_ITERATION_COUNT` in OpenJDK's `sun.security.pkcs12.PKCS12KeyStore`).
    static let mostIterations = 5_000_000
    /// The longest salt, in octets. Files have 8 to 20.
    private static let longestSalt = 1024

    init(_ password: StorePassword, _ crypto: any PasswordCryptography) {
        self.password = password
        self.crypto = crypto
    }

    /// Takes iterations from the bound.
    private mutating func spend(
        _ count: Int, _ cursor: PKCS12Cursor, at offset: Int
    ) throws(StoreProblem) {
        guard count >= 1, count <= iterations else {
            throw cursor.fault(
                "\(count) iterations of a key derivation; 1 to \(Self.mostIterations) are made "
                    + "for a file", at: offset)
        }
        iterations -= count
    }

    // MARK: Decryption

    /// The plain octets of a message under an AlgorithmIdentifier (RFC 7292 appendix C, RFC 8018
    /// section 6.2).
    mutating func decrypt(
        _ message: [UInt8], _ algorithm: PKCS12Cursor
    ) throws(StoreProblem) -> [UInt8] {
        var algorithm = algorithm
        let start = algorithm.position
        let identifier = try algorithm.identifier("the encryption")
        var parameters = try algorithm.enter(.sequence, "the parameters of the encryption")
        let cipher: PasswordCipher
        let key: [UInt8]?
        let vector: [UInt8]?
        if identifier == PKCS12Identifier.pbes2 {
            var derivation = try parameters.enter(.sequence, "the key derivation")
            var scheme = try parameters.enter(.sequence, "the cipher")
            guard let found = PKCS12Identifier.cipher(try scheme.identifier("the cipher")) else {
                throw unknown("cipher", algorithm, at: start)
            }
            cipher = found
            vector = try scheme.octets("the vector", most: 16)
            key = try derive(&derivation, octets: cipher.keyOctets)
        } else if identifier.dropLast().elementsEqual(PKCS12Identifier.oldEncryption),
            identifier.last == 3
        {
            cipher = .tripleDES
            let salt = try parameters.octets("the salt", most: Self.longestSalt)
            let count = try parameters.number("the iterations")
            // The key and the vector are derived each.
            try spend(2 * count, parameters, at: start)
            key = crypto.pkcs12Key(
                .sha1, .key, password: password.terminated, salt: salt, iterations: count,
                octets: cipher.keyOctets)
            vector = crypto.pkcs12Key(
                .sha1, .vector, password: password.terminated, salt: salt, iterations: count,
                octets: cipher.blockOctets)
        } else {
            throw unknown("encryption", algorithm, at: start)
        }
        guard let key, let vector,
            let plain = crypto.decrypt(cipher, key: key, vector: vector, message: message)
        else {
            throw StoreProblem(
                .storePassword, "the encrypted part does not open with this password", at: start)
        }
        return plain
    }

    private func unknown(
        _ what: String, _ cursor: PKCS12Cursor, at offset: Int
    ) -> StoreProblem {
        StoreProblem(
            .storeUnreadable,
            "the PKCS#12 file: its \(what) is not one that is read (AES and triple DES are), at "
                + cursor.place(offset), at: offset,
            help: [
                "files of older programs have RC2; write the file anew with `keytool "
                    + "-importkeystore -srckeystore FILE -destkeystore NEW -deststoretype PKCS12`"
            ])
    }

    /// A key by PBKDF2 as the file describes it (RFC 8018 appendix A.2). The length is the one of
    /// the cipher; a file that states another is refused.
    private mutating func derive(
        _ cursor: inout PKCS12Cursor, octets: Int
    ) throws(StoreProblem) -> [UInt8]? {
        let start = cursor.position
        guard try cursor.identifier("the key derivation") == PKCS12Identifier.pbkdf2 else {
            throw unknown("key derivation", cursor, at: start)
        }
        var parameters = try cursor.enter(.sequence, "the parameters of PBKDF2")
        let salt = try parameters.octets("the salt", most: Self.longestSalt)
        let count = try parameters.number("the iterations")
        if !parameters.isAtEnd, parameters.bytes[parameters.position] == DERTag.integer.rawValue {
            let stated = try parameters.number("the length of the key")
            guard stated == octets else {
                throw parameters.fault(
                    "a key of \(stated) octets for a cipher that takes \(octets)", at: start)
            }
        }
        var hash = PasswordHash.sha1
        if let element = try parameters.nextIfPresent(.sequence, "the function of PBKDF2") {
            var function = parameters.inside(element)
            guard
                let found = PKCS12Identifier.hmac(
                    try function.identifier("the function of PBKDF2"))
            else { throw unknown("function of PBKDF2", cursor, at: start) }
            hash = found
        }
        try spend(count, cursor, at: start)
        return crypto.pbkdf2(
            hash, password: password.utf8, salt: salt, iterations: count, octets: octets)
    }

    // MARK: Integrity

    /// Checks the MAC of a file (RFC 7292 appendix A).
    mutating func check(_ message: [UInt8], _ macData: PKCS12Cursor) throws(StoreProblem) {
        var macData = macData
        let start = macData.position
        var digest = try macData.enter(.sequence, "the MAC")
        var algorithm = try digest.enter(.sequence, "the algorithm of the MAC")
        let code = try digest.octets("the MAC", most: 64)
        let salt = try macData.octets("the salt of the MAC", most: Self.longestSalt)
        let count = macData.isAtEnd ? 1 : try macData.number("the iterations of the MAC")
        let identifier = try algorithm.identifier("the algorithm of the MAC")
        guard let hash = PKCS12Identifier.hash(identifier) else {
            throw StoreProblem(
                .storeUnreadable,
                "the PKCS#12 file: its MAC is not one that is read (HMAC with SHA-1 or SHA-2 is), at "
                    + macData.place(start), at: start)
        }
        try spend(count, macData, at: start)
        let key = crypto.pkcs12Key(
            hash, .integrity, password: password.terminated, salt: salt, iterations: count,
            octets: hash.octets)
        guard let key, let own = crypto.hmac(hash, key: key, message: message), own == code else {
            throw StoreProblem(
                .storePassword,
                "the MAC of the file does not fit: the password is wrong, or the file was changed",
                at: start)
        }
    }
}
