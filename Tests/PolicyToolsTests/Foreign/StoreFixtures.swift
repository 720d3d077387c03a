import LibCrypto
import PolicyCompiler
import PolicyTools
import TrustEngine

/// Trust stores in octets: files that keytool and OpenSSL wrote, and a writer of small stores.
enum StoreFixtures {
    /// A self-signed CA `CN=Acme Root` with an Ed25519 key: `openssl req -x509 -newkey ed25519`.
    static let acme = octets(
        """
        MIIBGTCBzKADAgECAgJawTAFBgMrZXAwFDESMBAGA1UEAwwJQWNtZSBSb290MB4XDTI2MTEyOTA1
        Mjg1MVoXDTQ2MTEyNDA1Mjg1MVowFDESMBAGA1UEAwwJQWNtZSBSb290MCowBQYDK2VwAyEAq46y
        eQGeBbjfCf+1mjc+/3da6MRqirFodTwpv9bpbkGjQjBAMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0P
        AQH/BAQDAgEGMB0GA1UdDgQWBBTSGFAdp7bcI2IAMOBVVf5UC2afuzAFBgMrZXADQQC0C6VktHjY
        RZIU1CVJbggPJ8zpon1zhSCZ72cpkH/yUf1Q40A/t/XRIHqpoeKphYWQwhDtlmoShMgjdMC0PbwP
        """)

    /// Its store by keytool of OpenJDK 17, with 100 iterations: PBES2 with AES-256, Java's mark.
    /// `keytool -J-Dkeystore.pkcs12.certPbeIterationCount=100
    /// -J-Dkeystore.pkcs12.macIterationCount=100 -importcert -storetype PKCS12`
    static let keytool = octets(
        """
        MIICkAIBAzCCAjsGCSqGSIb3DQEHAaCCAiwEggIoMIICJDCCAiAGCSqGSIb3DQEHBqCCAhEwggIN
        AgEAMIICBgYJKoZIhvcNAQcBMGUGCSqGSIb3DQEFDTBYMDcGCSqGSIb3DQEFDDAqBBT9pQ7njqIP
        Rf0WFMa5luZSOiq2dAIBZAIBIDAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQl/bmd4iHj0so
        IhtxcKZvMICCAZDHjXbmuQO2BWND1KfVyXy2XN4D6gd8xt6DaWtzt7qFuebRrTL9Wi7JW3dvjrqq
        9LUb7hnbQebqEzVTMyZY8GwogCZCLmYorO8YNy+MHvbfP8XDwAnbVgujQPFtveP5ilewwfq9AujF
        5rW+Bojn82L+EoUeh6FW7/0vmfRs+8/hyxgpLW5SX94n8OP6O6ARpjUPeGCIYoq3AmNYMrVcpdvQ
        4fgcZ/yncoQukHeuUHWYKdooURG/s7l4BtJRPGGA7/O9FztYJbb3p3vyNMrDZ9eQ6+gvFd8lF69a
        +GHAkJe5kwqjnSZjI96rrrAxZSBrzvwrziwQA09G8/d/0qF39d0w+KIPTRNPRIlh2RfiEL7feOQ1
        r2AD7AvIk7CHoH2aGxjN+vUqv5Ihd3AgsYPWlYqfrvNZ7l3psGHWeu5m8iHXfKv5tg6A562JAlA3
        tOJdofRFt7dHREyyoniJyCPGqcL46leCbBBpuC10NPg8P1+0jXF4ift0Yt/5rVrFVkGbD9cGv2wv
        rMeq+baEzdHfBV1LMEwwMTANBglghkgBZQMEAgEFAAQg4SzuyNAku0Vv/4RGEPOnykbSyT+qhruv
        jiF//hNsb6QEFJbib0Oy15mO4EMOCnIfySbq8dTHAgFk
        """)

    /// Its store by OpenSSL 3.0, without Java's mark: `openssl pkcs12 -export -nokeys -certpbe
    /// PBE-SHA1-3DES -macalg sha1 -iter 100`.
    static let tripleDES = octets(
        """
        MIIB6gIBAzCCAbEGCSqGSIb3DQEHAaCCAaIEggGeMIIBmjCCAZYGCSqGSIb3DQEHBqCCAYcwggGD
        AgEAMIIBfAYJKoZIhvcNAQcBMBsGCiqGSIb3DQEMAQMwDQQIvH4A8pvgSpcCAWSAggFQI1FTr21Y
        l/1LCCaBImBmjp2prTC74RB7/DNxpsW5cmLEjjlVke3tjPWPgMO1PAP5ABbjgMyN94SpgRuYvt9I
        eCAZVgywMPquiE86/fSJ4c68qXEvKt06b3pxzyq1zxiasVfbHIunQ9f4RKumGSP1Lmkef8Yqtt9a
        3Aqn0bQH5cVJG+vBdTZxm7cqT+Q3iclv2k7cp316hwae8ORy5bsNnMYWx+XZ1nXtAj/L8cypLL2S
        ALe/W/1VIZ0c4K889fQaC3954uU1C+eSVYe0SINy2mQjalpu4HJtw3jKNbOO2l2nLmqZtjJBUoX9
        EDP+vr8EOw96cayKgmOOFTbQGXRw200KhtGc0cREHiQRFNardhoW1LXc6frRpyU+hNOSVjOgPk/X
        s5TZlLchwwdEahjT4gGuZQrogZFT0OGpK0vjNKbTkW/xTr8zAKgPMNWGzRNIMDAwITAJBgUrDgMC
        GgUABBT1lKhgzdhqc3AiHzQBMzB+totcZwQIEFyQmL/GSAECAWQ=
        """)

    /// Likewise, with `-certpbe PBE-SHA1-RC2-40 -legacy`.
    static let rc2 = octets(
        """
        MIIB7AIBAzCCAbIGCSqGSIb3DQEHAaCCAaMEggGfMIIBmzCCAZcGCSqGSIb3DQEHBqCCAYgwggGE
        AgEAMIIBfQYJKoZIhvcNAQcBMBwGCiqGSIb3DQEMAQYwDgQIYpXvRhCOftYCAggAgIIBUDAGt6hs
        DXD8BeaOeJzoL1IX4P+7Lgw2IY0aWynq8ZUYWJTKdfn+FIXJ7h8yvjPO3AXQWMlv0ouKA3HoHT24
        cfH1CDf0Es19W6UgchAc6nZ7yTreAQPFtHjbUj0ZQ8WPSiCkGdYTCeeP7mbdcepfCrH07Nu2RLvo
        BlfHaugyWdov++qSywSm4fBl7EsMzV+mEDPUKAQuQJiNw8rhtYo3OIIKeybZc5zjpQmdaHnR4ghy
        RTZdQvZQsJ1wi6fTlwm9fUGyCx6L5qIOQimJhB4UTH0vl7nglwR2dNBMb6PC2VG7uhOF2b0pztCJ
        yEY+uMFNvKNcYNF7ayK5AUGyjsxFTIVTpJ2HlWgX4nI4z6ghz+8M84LLLZvr/G76UPnwO0eXvNG+
        qIy5cVMZHBYrREtP6+kur9zOIextC4rrJ9UV310VwmGz+U4Qbnn5Sz8lJ6N3izAxMCEwCQYFKw4D
        AhoFAAQUwFKbfKYVEDIJ+jXk6Nuq9ES1Z10ECJZqHtsm2Q3jAgIIAA==
        """)

    private static func octets(_ text: String) -> [UInt8] {
        Base64.decode(text.utf8.filter { $0 > 0x20 }) ?? []
    }

    // MARK: JKS

    /// A number in network order.
    static func number(_ value: Int, _ octets: Int) -> [UInt8] {
        (0..<octets).map { UInt8(value >> (8 * (octets - 1 - $0)) & 0xFF) }
    }

    static func text(_ text: String) -> [UInt8] { number(text.utf8.count, 2) + Array(text.utf8) }

    static func trusted(
        _ alias: String, _ der: [UInt8], type: String? = "X.509"
    ) -> [UInt8] {
        number(2, 4) + text(alias) + number(0, 8) + (type.map(text) ?? []) + number(der.count, 4)
            + der
    }

    static func key(_ alias: String, tag: Int = 1) -> [UInt8] {
        number(tag, 4) + text(alias) + number(0, 8) + number(16, 4)
            + [UInt8](repeating: 7, count: 16) + number(0, 4)
    }

    static func java(
        _ entries: [[UInt8]], magic: Int = 0xFEED_FEED, version: Int = 2, count: Int? = nil,
        password: String = "changeit"
    ) -> [UInt8] {
        let store =
            number(magic, 4) + number(version, 4) + number(count ?? entries.count, 4)
            + entries.flatMap { $0 }
        let digested =
            password.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            + Array("Mighty Aphrodite".utf8) + store
        return store + (crypto.identifierSHA1(of: digested.span)?.octets ?? [])
    }

    // MARK: PKCS#12

    static func der(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        let content = parts.flatMap { $0 }
        switch content.count {
        case ..<0x80: return [tag, UInt8(content.count)] + content
        case ..<0x100: return [tag, 0x81, UInt8(content.count)] + content
        case ..<0x1_0000: return [tag, 0x82] + number(content.count, 2) + content
        default: return [tag, 0x83] + number(content.count, 3) + content
        }
    }

    private static let rsadsi: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1]
    static func identifier(_ arcs: [UInt8]) -> [UInt8] { der(6, rsadsi + arcs) }
    static let data = identifier([7, 1])

    static func info(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
        der(0x30, type, der(0xA0, content))
    }

    /// A part that stands open.
    static func part(_ bags: [[UInt8]]) -> [UInt8] {
        info(data, der(4, der(0x30, bags.flatMap { $0 })))
    }

    static func pkcs12(_ parts: [[UInt8]]) -> [UInt8] {
        der(0x30, [2, 1, 3], info(data, der(4, der(0x30, parts.flatMap { $0 }))))
    }

    static func bag(_ type: UInt8, _ content: [UInt8], _ attributes: [UInt8] = []) -> [UInt8] {
        der(0x30, identifier([12, 10, 1, type]), der(0xA0, content), attributes)
    }

    /// The bag of a certificate, with a name and, if it is trusted, Java's mark.
    static func bag(certificate: [UInt8], named name: String, isTrusted: Bool) -> [UInt8] {
        let units = name.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        var attributes = der(0x30, identifier([9, 20]), der(0x31, der(0x1E, units)))
        if isTrusted {
            let mark: [UInt8] = [
                0x60, 0x86, 0x48, 0x01, 0x86, 0xF9, 0x66, 0xAD, 0xCA, 0x7B, 1, 1,
            ]
            attributes += der(
                0x30, der(6, mark), der(0x31, der(6, [0x55, 0x1D, 0x25, 0])))
        }
        return bag(
            3, der(0x30, identifier([9, 22, 1]), der(0xA0, der(4, certificate))),
            der(0x31, attributes))
    }

    /// A part that PBES2 encrypts, with octets that no password opens.
    static func locked(iterations: Int, saltOctets: Int = 8, keyOctets: Int? = nil) -> [UInt8] {
        let derivation = der(
            0x30, identifier([5, 12]),
            der(
                0x30, der(4, [UInt8](repeating: 1, count: saltOctets)),
                der(2, [0] + number(iterations, 4)).shortest,
                keyOctets.map { der(2, [UInt8($0)]) } ?? []))
        let cipher = der(
            0x30, der(6, [0x60, 0x86, 0x48, 0x01, 0x65, 3, 4, 1, 42]),
            der(4, [UInt8](repeating: 2, count: 16)))
        let algorithm = der(0x30, identifier([5, 13]), der(0x30, derivation, cipher))
        let message = der(0x80, [UInt8](repeating: 3, count: 32))
        return info(
            identifier([7, 6]), der(0x30, [2, 1, 0], der(0x30, data, algorithm, message)))
    }

    // MARK: Reading

    static let crypto = LibCryptoBackend()
    static let changeit = StorePassword.javaDefault

    /// Reads a store.
    static func read(
        _ bytes: [UInt8], _ password: StorePassword? = changeit
    ) throws -> (file: StoreFile, listing: SourceFile) {
        var listing = StoreListing()
        let file = try StoreReader.read(
            bytes, password: password, listing: &listing, crypto: crypto,
            passwords: LibCryptoPasswords())
        return (file, SourceFile(path: "store", bytes: listing.octets))
    }

    /// Imports a store.
    static func imported(
        _ bytes: [UInt8], _ password: StorePassword? = changeit, takesAll: Bool = false
    ) throws -> ForeignImport {
        let read = try read(bytes, password)
        return StoreImport.policy(
            of: read.file, takesAll: takesAll, source: read.listing, owner: "web", crypto: crypto)
    }

    /// The code, the words and the line of a refusal; nil for a store that is read.
    static func refusal(
        _ bytes: [UInt8], _ password: StorePassword? = changeit
    ) -> (code: String, message: String)? {
        do {
            _ = try read(bytes, password)
            return nil
        } catch let error as ForeignError {
            return (error.code.rawValue, error.message)
        } catch {
            return nil
        }
    }
}

extension [UInt8] {
    /// An INTEGER without zero octets that it does not need.
    fileprivate var shortest: [UInt8] {
        var content = self[2...]
        while content.count > 1, content[content.startIndex] == 0,
            content[content.startIndex + 1] < 0x80
        {
            content = content.dropFirst()
        }
        return [2, UInt8(content.count)] + content
    }
}
