import TestPKI
import TrustEngine

/// A certificate on each side of each step of ballot SC-081v3: issued in the last second before the
/// step and in its first, for as many days as that date allows, both ends included (RFC 5280
/// section 4.1.2.5), and for one second more than the policy's maximum.
let webLifetimes = FixtureRecipe(
    "web-lifetimes", intent: "lifetimes by the date of issue, on both sides of every step"
) { files in
    let root = Scenario().root("Public Root", key: .p256("public root of web-lifetimes"))
    let issuing = root.issueCA("Public Issuing", key: .p256("public issuing of web-lifetimes"))
    files.text("store.pem", root.pem)
    let steps: [(day: String, issued: String, days: Int64)] = [
        ("2026-03-14", "2026-03-14T23:59:59Z", 398), ("2026-03-15", "2026-03-15T00:00:00Z", 200),
        ("2027-03-14", "2027-03-14T23:59:59Z", 200), ("2027-03-15", "2027-03-15T00:00:00Z", 100),
        ("2029-03-14", "2029-03-14T23:59:59Z", 100), ("2029-03-15", "2029-03-15T00:00:00Z", 47),
    ]
    for step in steps {
        let issued = UTCInstant.at(step.issued)
        for (days, end) in [
            (step.days, step.days * 86_400 - 1), (step.days + 1, step.days * 86_400 + 1),
        ] {
            files.chain(
                "cases/issued-\(step.day)-\(days)-days/chain.pem",
                [
                    issuing.issueLeaf(
                        dns: ["www.shop.example"], notBefore: issued,
                        notAfter: issued.advanced(bySeconds: end)), issuing.certificate,
                ])
        }
    }
}
