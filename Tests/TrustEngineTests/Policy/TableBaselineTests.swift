import Testing
import TrustEngine

/// The baseline of the version of tables. A table holds only the fields that differ from it, so
/// another value here changes the meaning of every table that was compiled before, and needs
/// another version of the format (`grammar/versions.md`). A field that is added under this version
/// gets the value here that means what tables without the field meant.
@Suite("Baseline of tables")
struct TableBaselineTests {
    private static let version1: [ProfileField: FieldValue] = [
        .maximumIntermediates: .integer(8),
        .keyPurposes: .purposes(KeyPurposes(serverAuth: true)),
        .certificatePolicies: .objectIdentifiers([]),
        .requiresExplicitPolicy: .word(0),
        .inhibitsPolicyMapping: .word(0),
        .inhibitsAnyPolicy: .word(0),
        .enforcesIssuance: .word(0),
        .keyTypes: .words(0b1_1111_1111),
        .leafKeyTypes: .words(0b1_1111_1111),
        .rsaMinimum: .integer(2048),
        .minimumHash: .word(1),
        .signatureSchemes: .words(0b11_1111),
        .clockSkew: .seconds(0),
        .maximumLifetime: .unwritten,
        .lifetimeSteps: .steps([]),
        .revocationPreset: .word(0),
        .revocationCausesUnknown: .word(1),
        .revocationCausesNoEndpoint: .word(2),
        .revocationCausesUnreachable: .word(1),
        .revocationCausesStale: .word(1),
        .revocationCausesMalformed: .word(1),
        .revocationCausesNotCovered: .word(1),
        .revocationCausesNotEnrolled: .word(1),
        .revocationSources: .ranking([0, 2, 1]),
        .revocationScope: .word(1),
        .revocationNetwork: .word(0),
        .revocationMaximumAge: .unwritten,
        .revocationShortLived: .unwritten,
        .revocationCrliteMaximumAge: .seconds(604_800),
        .revocationCrliteGrace: .seconds(0),
        .transparencyPreset: .word(0),
        .transparencyMinimumSCTs: .unwritten,
        .transparencyMinimumOperators: .unwritten,
        .transparencyLogList: .unwritten,
        .transparencyLogListMaximumAge: .seconds(6_048_000),
        .transparencyWhenStale: .word(0),
        .transparencyExemptAnchors: .names([]),
        .tlsMinimumVersion: .word(771),
        .tlsMaximumVersion: .word(772),
        .tlsRequiresForwardSecrecy: .word(0),
        .tlsCipherSuites: .preferences([]),
        .tlsGroups: .preferences([]),
        .tlsSignatureSchemes: .preferences([]),
        .tlsAlpn: .preferences([]),
        .forbiddenKeys: .forbiddenKeys([]),
        .checks: .names([]),
    ]

    @Test("the value of version 1", arguments: ProfileField.allCases)
    func value(_ field: ProfileField) {
        #expect(TableSamples.table.bytes[8..<12].elementsEqual([1, 0, 0, 0]))
        #expect(Requirements.baseline.value(of: field) == Self.version1[field])
    }
}
