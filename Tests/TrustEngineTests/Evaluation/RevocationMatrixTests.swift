import Foundation
import TestPKI
import Testing
import TrustEngine

/// What every cause does under every preset and scope, by running the engine: a table that is
/// checked in, `Goldens/revocation-matrix.txt`, and what must hold in each of its cells.
@Suite("the matrix of revocation") struct RevocationMatrixTests {
    private static let root = Scenario().root("Root M", key: .p256("revocation matrix root"))
    private static let issuing = root.issueCA(
        "Issuing M", key: .p256("revocation matrix issuing"), points(_:))
    private static let leaf = issuing.issueLeaf(dns: [World.host], points(_:))

    /// Names a CRL and a responder.
    private static func points(_ recipe: inout CertificateRecipe) {
        recipe.extensions += [
            .crlDistributionPoints(["http://crl.example/"]),
            .authorityInfoAccess(ocsp: ["http://ocsp.example/"], issuers: []),
        ]
    }

    // MARK: What varies

    /// Which certificate the evidence of a row is about. The others' status is good.
    private enum Place: String, CaseIterable {
        case leaf, intermediate
        case anchor = "intermediate anchor"
    }

    /// The evidence about it.
    private struct Situation: Sendable {
        let name: String
        /// Nil when an answer says good or revoked.
        var cause: RevocationCause?
        var isRevoked = false
        /// Whether the certificate names where evidence is.
        var hasPoints = true
        let evidence: @Sendable (_ subject: Minted, _ issuer: Authority, inout Evidence) -> Void
    }

    private static let revokedAt = UTCInstant.at("2026-05-01T12:00:00Z")

    private static let situations: [Situation] = [
        Situation(name: "good by CRL") { $2.crls.append($1.revocationList()) },
        Situation(name: "good by response") {
            $2.ocspResponses.append($1.ocspResponse(for: $0))
        },
        Situation(name: "revoked by CRL", isRevoked: true) {
            $2.crls.append($1.revocationList([$0]))
        },
        Situation(name: "suspended by CRL", isRevoked: true) {
            $2.crls.append($1.revocationList([$0], reason: .certificateHold))
        },
        Situation(name: "revoked by an expired CRL", isRevoked: true) {
            $2.crls.append($1.revocationList([$0]) { $0.nextUpdate = .day(-2) })
        },
        Situation(name: "revoked by response", isRevoked: true) {
            $2.ocspResponses.append(
                $1.ocspResponse(for: $0, .revoked(.keyCompromise, at: revokedAt)))
        },
        Situation(name: "revoked by response, good by CRL", isRevoked: true) {
            $2.crls.append($1.revocationList())
            $2.ocspResponses.append(
                $1.ocspResponse(for: $0, .revoked(.keyCompromise, at: revokedAt)))
        },
        Situation(name: "unknown to the responder", cause: .unknown) {
            $2.ocspResponses.append($1.ocspResponse(for: $0, .unknown))
        },
        Situation(name: "nothing, and no source named", cause: .noEndpoint, hasPoints: false) {
            _, _, _ in
        },
        Situation(name: "nothing", cause: .unreachable) { _, _, _ in },
        Situation(name: "an expired CRL", cause: .stale) {
            $2.crls.append($1.revocationList { $0.nextUpdate = .day(-2) })
        },
        Situation(name: "an expired response", cause: .stale) {
            $2.ocspResponses.append(
                $1.ocspResponse(for: $0) { $0.singles[0].nextUpdate = .day(-2) })
        },
        Situation(name: "a CRL that nobody signed", cause: .malformed) {
            $2.crls.append($1.revocationList { $0.damage = .flippedBit })
        },
        Situation(name: "a response that nobody signed", cause: .malformed) {
            $2.ocspResponses.append($1.ocspResponse(for: $0) { $0.damage = .flippedBit })
        },
        Situation(name: "a CRL for other certificates", cause: .notCovered) {
            $2.crls.append(
                $1.revocationList {
                    $0.set(
                        .issuingDistributionPoint(TestIssuingPoint { $0.isForAttributes = true }))
                })
        },
    ]

    private static func world(_ situation: Situation, at place: Place) -> World {
        func change(_ recipe: inout CertificateRecipe) {
            if situation.hasPoints { points(&recipe) }
        }
        let authority =
            place == .leaf
            ? issuing : root.issueCA("Issuing M", key: .p256("revocation matrix issuing"), change)
        let leaf =
            place == .leaf ? authority.issueLeaf(dns: [World.host], change) : Self.leaf
        var world = World([leaf.der, authority.der], roots: [root.der])
        if place == .anchor {
            world = World([leaf.der, root.der], roots: [])
            world.sets = []
            world.trust("issuing", [authority.der], kind: .intermediate)
        }
        if place == .leaf {
            situation.evidence(leaf, authority, &world.evidence)
            world.evidence.crls.append(root.revocationList())
        } else {
            situation.evidence(authority.certificate, root, &world.evidence)
            world.evidence.crls.append(issuing.revocationList())
        }
        return world
    }

    // MARK: The table

    /// Whether a rule demands a status at a place (LANGUAGE section 8, `scope`).
    private static func isDemanded(_ place: Place, _ scope: RevocationScope) -> Bool {
        switch place {
        case .leaf: return true
        case .intermediate: return scope != .leaf
        case .anchor: return scope == .chain
        }
    }

    @Test("every cell, as it stands in the checked-in table")
    func matrix() throws {
        let scopes: [(RevocationScope, String)] = [
            (.leaf, "leaf"), (.leafAndIntermediates, "leaf-and-intermediates"), (.chain, "chain"),
        ]
        let presets: [(RevocationPreset, String)] = [
            (.bestEffort, "best-effort"), (.require, "require"),
        ]
        var cells = 0
        var text = ""
        for place in Place.allCases {
            for situation in Self.situations {
                let world = Self.world(situation, at: place)
                for (preset, presetName) in presets {
                    for (scope, scopeName) in scopes {
                        var words: [String] = []
                        for isWaived in [false, true] {
                            let judged = try world.with {
                                $0.requirements.revocation.preset = preset
                                $0.requirements.revocation.causes = RevocationCauses(preset)
                                $0.requirements.revocation.scope = scope
                                if isWaived { $0.waive(.revocation) }
                            }.judge()
                            cells += 1
                            words.append(
                                (judged.outcome + judged.reported.map { "reported \($0)" })
                                    .joined(separator: ", "))
                            check(
                                judged.outcome == ["accept"], situation, place, preset, scope,
                                isWaived)
                        }
                        text +=
                            [
                                place.rawValue, situation.name, situation.cause?.name ?? "-",
                                presetName, scopeName, words[0], words[1],
                            ].joined(separator: " | ") + "\n"
                    }
                }
            }
        }
        let head = "\(cells) cells: about | what is at hand | cause | preset | scope | verdict | "
        try expectGolden("revocation-matrix", head + "verdict under a waiver\n" + text)
        #expect(cells == Place.allCases.count * Self.situations.count * 12)
    }

    /// What must hold whatever the table says. The anchor is its own authority: evidence about an
    /// anchor revokes nothing below it, unless the scope asks about the anchor.
    private func check(
        _ isAccept: Bool, _ situation: Situation, _ place: Place, _ preset: RevocationPreset,
        _ scope: RevocationScope, _ isWaived: Bool
    ) {
        let cell: Comment = "\(place) \(situation.name) \(preset) \(scope) waived: \(isWaived)"
        let isAsked = Self.isDemanded(place, scope)
        if isWaived {
            #expect(isAccept, cell)
        } else if situation.isRevoked {
            #expect(isAccept == (place == .anchor && !isAsked), cell)
        } else if let cause = situation.cause, isAsked {
            #expect(isAccept == (RevocationCauses(preset)[cause] != .fail), cell)
        } else {
            #expect(isAccept, cell)
        }
    }

    private func expectGolden(_ name: String, _ text: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Goldens/\(name).txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: file)
            return
        }
        let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(
            text == golden,
            "\(name) differs; look at it, then `UPDATE_GOLDEN=1 swift test --filter RevocationMatrixTests`"
        )
    }
}
