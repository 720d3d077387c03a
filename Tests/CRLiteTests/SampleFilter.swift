import CRLite
import TestPKI

/// A filter of ours with all shapes of blocks, and the questions to it.
enum SampleFilter {
    static let larch = TestHash.sha256.digest(Array("log larch".utf8))
    static let maple = TestHash.sha256.digest(Array("log maple".utf8))

    /// The numbers of revoked certificates, and of all certificates, by issuer.
    static let shapes = [
        (0, 50), (60, 60), (1, 200), (5, 400), (40, 400), (100, 200), (180, 200), (1, 1), (0, 1),
    ]

    static let recipe = FilterRecipe(
        shapes.indices.map(issuer),
        coverage: [
            .init(log: maple, low: 2_000, high: 3_000), .init(log: larch, low: 1_000, high: 5_000),
        ])

    private static let written = [3, 4].map { recipe.octets(version: $0) }

    /// The octets of the filter in a format.
    static func octets(version: UInt8) -> [UInt8] { written[Int(version) - 3] }

    static func issuer(_ index: Int) -> FilterRecipe.Issuer {
        let (revoked, all) = shapes[index]
        let serials = (0..<all).map { serial(index, $0) }
        return FilterRecipe.Issuer(
            issuerDigest(index), revoked: Array(serials[..<revoked]),
            good: Array(serials[revoked...]))
    }

    static func issuerDigest(_ index: Int) -> [UInt8] {
        TestHash.sha256.digest(Array("issuer \(index)".utf8))
    }

    /// Serial numbers of 1 to 20 octets.
    static func serial(_ issuer: Int, _ index: Int) -> [UInt8] {
        let octets = TestHash.sha256.digest(Array("serial \(issuer) \(index)".utf8))
        return index == 0 ? [0x00] : Array(octets.prefix(4 + index % 17))
    }

    static func question(
        _ issuer: [UInt8], _ serial: [UInt8], _ times: [(log: [UInt8], milliseconds: UInt64)]
    ) -> FilterQuestion {
        FilterQuestion(
            issuer: digest(issuer), serial: serial,
            timestamps: times.map { LogTime(log: digest($0.log), milliseconds: $0.milliseconds) },
            sha256: sha256)
    }

    /// The answer of a filter in `version` to a question.
    static func ask(
        _ octets: [UInt8], _ question: FilterQuestion
    ) throws(FilterDamage) -> FilterAnswer {
        let bytes = octets.span
        return try ClubcardFilter(reading: bytes).answer(question, in: bytes)
    }
}
