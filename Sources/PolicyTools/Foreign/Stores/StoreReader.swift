import PolicyCompiler
package import TrustEngine

/// Reads a trust store: JKS, JCEKS or PKCS#12. The octets decide which form it is, because the
/// names do not: a file `cacerts` is any of the three.
package enum StoreReader {
    /// Reads a store.
    ///
    /// - Parameters:
    ///   - password: checks the store's digest, and opens encrypted parts; nil if none was given.
    ///   - listing: gets the entries as text; spans are places in it.
    /// - Throws: HX601 to HX604. The place is the last line of the listing.
    package static func read(
        _ bytes: [UInt8], password: StorePassword?, listing: inout StoreListing,
        crypto: any CryptoBackend, passwords: any PasswordCryptography
    ) throws(ForeignError) -> StoreFile {
        do throws(StoreProblem) {
            switch try format(bytes) {
            case .pkcs12:
                var reader = PKCS12Reader(bytes, password: password, crypto: passwords)
                defer { listing = reader.listing }
                return try reader.read()
            case let format:
                var reader = JavaStoreReader(
                    bytes, format: format, password: password, crypto: crypto)
                defer { listing = reader.listing }
                return try reader.read()
            }
        } catch {
            let line = listing.add("octet \(error.offset): refused here")
            throw ForeignError(error.code, error.message, at: line, help: error.help)
        }
    }

    private static func format(_ bytes: [UInt8]) throws(StoreProblem) -> KeyStoreFile.Format {
        func begins(_ octets: [UInt8]) -> Bool { bytes.starts(with: octets) }
        if begins([0xFE, 0xED, 0xFE, 0xED]) { return .jks }
        if begins([0xCE, 0xCE, 0xCE, 0xCE]) { return .jceks }
        if begins([0x30]) { return .pkcs12 }
        func refusal(_ message: String, _ help: String) -> StoreProblem {
            StoreProblem(.storeUnreadable, message, at: 0, help: [help])
        }
        // A version, then the length of a salt, which is 20.
        if begins([0, 0, 0, 1, 0, 0, 0, 20]) || begins([0, 0, 0, 2, 0, 0, 0, 20]) {
            throw refusal(
                "a store of Bouncy Castle (BKS or UBER), which is not read",
                "`keytool -importkeystore -srckeystore FILE -srcstoretype BKS -providerclass "
                    + "org.bouncycastle.jce.provider.BouncyCastleProvider -providerpath bcprov.jar "
                    + "-destkeystore NEW -deststoretype PKCS12` copies it")
        }
        if begins(Array("-----BEGIN ".utf8)) {
            throw refusal(
                "PEM, which a policy reads as it is",
                "name the file under `files` of an anchor set")
        }
        throw refusal(
            "neither a Java key store (JKS, JCEKS) nor PKCS#12",
            "the first octets of a JKS file are fe ed fe ed, of a JCEKS file ce ce ce ce; a "
                + "PKCS#12 file is DER and begins with 30")
    }
}
