import Foundation
import MLDSA
import Testing

@Suite("signatures of ML-DSA (FIPS 204 Algorithm 3)")
struct SignatureTests {
    @Test("what cryptography signs is valid")
    func minted() throws {
        let vectors = try VectorFile.read(VectorFile.minted)
        for set in MLDSAParameterSet.allCases {
            #expect(vectors.count { $0.parameterSet == set } == 4)
        }
        for vector in vectors {
            #expect(vector.isValid() == true, "\(vector.parameter_set) \(vector.message.prefix(8))")
        }
    }

    @Test(
        "Project Wycheproof's vectors",
        .enabled(
            if: FileManager.default.fileExists(atPath: VectorFile.wycheproof.path),
            "../shared/mldsa is absent"))
    func wycheproof() throws {
        let vectors = try VectorFile.read(VectorFile.wycheproof)
        #expect(vectors.count == 381)
        for vector in vectors {
            let expected = try #require(vector.result) == "valid"
            #expect(
                vector.isValid() == expected, "\(vector.id ?? "") \(vector.flags ?? [])")
        }
    }

    @Test("sizes of keys and signatures (FIPS 204 Table 2)")
    func sizes() {
        #expect(MLDSAParameterSet.allCases.map(\.publicKeyBytes) == [1312, 1952, 2592])
        #expect(MLDSAParameterSet.allCases.map(\.signatureBytes) == [2420, 3309, 4627])
    }
}
