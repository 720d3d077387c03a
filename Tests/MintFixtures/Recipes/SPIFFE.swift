import TestPKI
import TrustEngine

/// A trust domain whose root is being replaced, workloads in two of its namespaces, and another
/// domain that is trusted for its own names.
let spiffe = FixtureRecipe(
    "spiffe", intent: "workloads are who their URI says, within the domain that vouches for them"
) { files in
    let pki = Scenario()
    let old = pki.root("Mesh Root 1", key: .p256("spiffe root 1"))
    let new = pki.root("Mesh Root 2", key: .p256("spiffe root 2"))
    let partner = pki.root("Partner Mesh Root", key: .p256("spiffe partner root"))

    files.text("bundles/mesh.example/root-1.pem", old.pem)
    files.text("bundles/mesh.example/root-2.pem", new.pem)
    files.text("bundles/partner.example/root.pem", partner.pem)
    func chain(
        _ name: String, _ uri: String, dns: String? = nil, by root: Authority, hours: Int = 12,
        also other: String? = nil, change: (inout CertificateRecipe) -> Void = { _ in }
    ) {
        let from = Scenario.judgedAt
        let workload = root.issueLeaf(
            subject: .empty, key: .p256("spiffe \(uri)"), notBefore: from,
            notAfter: from.advanced(bySeconds: Int64(hours) * 3_600)
        ) {
            // RFC 5280 section 4.2.1.6: critical where the subject is empty.
            let others: [TestGeneralName] =
                (other.map { [.uri($0)] } ?? []) + (dns.map { [.dns($0)] } ?? [])
            $0.set(.subjectAltName([.uri(uri)] + others).critical(true))
            change(&$0)
        }
        files.chain("cases/\(name)/chain.pem", [workload])
    }
    chain("workload", "spiffe://mesh.example/ns/pay/sa/ledger", by: old)
    chain("workload-new-root", "spiffe://mesh.example/ns/pay/sa/ledger", by: new)
    chain("another-workload", "spiffe://mesh.example/ns/pay/sa/reports", by: old)
    chain("namespace", "spiffe://mesh.example/ns/pay/sa/reports", by: old)
    chain("another-namespace", "spiffe://mesh.example/ns/shop/sa/reports", by: old)
    chain("encoded-segment", "spiffe://mesh.example/ns/pay/..%2fshop", by: old)
    chain("no-uri", #"spiffe://partner.example\@mesh.example/ns/pay/sa/reports"#, by: old)
    chain("lives-too-long", "spiffe://mesh.example/ns/pay/sa/ledger", by: old, hours: 72)
    chain(
        "host-and-workload", "spiffe://mesh.example/ns/edge/sa/front", dns: "front.svc.internal",
        by: old)
    chain("workload-without-host", "spiffe://mesh.example/ns/edge/sa/front", by: old)
    chain(
        "two-workloads", "spiffe://mesh.example/ns/pay/sa/ledger", by: old,
        also: "spiffe://mesh.example/ns/shop/sa/basket")
    chain("signing-certificate", "spiffe://mesh.example/ns/pay/sa/ledger", by: old) {
        // A CA has a name (RFC 5280 section 4.1.2.6).
        $0.subject = TestName("Mesh Issuing 1")
        $0.set(.basicConstraints(ca: true))
        $0.set(.keyUsage([.digitalSignature, .keyCertSign]))
    }
    chain("federated", "spiffe://partner.example/rates", by: partner)
    chain("federated-as-ours", "spiffe://mesh.example/ns/pay/sa/rates", by: partner)
    chain("ours-as-federated", "spiffe://partner.example/rates", by: old)
}
