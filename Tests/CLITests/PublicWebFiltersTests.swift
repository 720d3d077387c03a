import Foundation
import Testing

/// The chains of real sites in `policies/public-web`, judged with the recipe's CRLite filters.
@Suite("explain of real sites with CRLite filters")
struct PublicWebFiltersTests {
    /// A copy of the recipe. A checkout may be writable for a group, and filters must not be.
    private static func copy() throws -> Workshop {
        let workshop = try Workshop()
        let recipe = workshop.folder.appending(path: "recipe")
        try FileManager.default.copyItem(
            at: CommandRun.repository.appending(path: "policies/public-web"), to: recipe)
        for folder in ["filters", "filters-before"] {
            for (name, mode) in [("", 0o755), ("/index.bin", 0o644), ("/public.filter", 0o644)] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: mode],
                    ofItemAtPath: recipe.appending(path: folder + name).path)
            }
        }
        return workshop
    }

    private static let revoked = (
        host: "revoked.gtsr4.demosite.pki.goog", chain: "revoked-without-filters"
    )
    private static let young = (
        host: "revoked.x2.test-certs.letsencrypt.org", chain: "young-without-filters"
    )

    @Test(
        "what the page of the recipe says of the sites",
        arguments: [
            ("revoked", revoked, "2026-07-08T10:47:35Z", "filters", 1),
            ("before", revoked, "2026-07-08T10:47:35Z", "filters-before", 0),
            ("within-grace", young, "2026-07-08T10:47:35Z", "filters", 0),
            ("after-grace", young, "2026-07-09T12:00:00Z", "filters", 1),
            ("too-old", revoked, "2026-07-11T12:00:00Z", "filters-before", 1),
        ] as [(String, (host: String, chain: String), String, String, Int32)])
    func explained(
        name: String, site: (host: String, chain: String), at: String, filters: String,
        status: Int32
    ) throws {
        let run = try Self.copy().run([
            "explain", site.host, "--policy", "recipe", "--chain",
            "recipe/cases/\(site.chain)/chain.pem", "--at", at, "--evidence", "recipe/\(filters)",
        ])
        #expect(run.status == status)
        try expectGolden("explain-public-web-\(name)", run)
    }
}
