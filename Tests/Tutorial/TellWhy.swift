import Hawser

/// What the person on call reads: the verdict, each check, and what would change it.
func tellWhy(_ request: TrustRequest, by store: PolicyStore) -> String {
    let snapshot = store.snapshot
    let explanation = snapshot.explain(request)
    return explanation.rendered(as: .text, table: snapshot.engine.table)
}
