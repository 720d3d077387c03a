import Hawser

/// What the person on call reads: the verdict, each check, and what would change it.
func tellWhy(_ request: TrustRequest, by store: PolicyStore) -> String {
    store.explain(request).rendered(as: .text)
}
