/// How names of each form lie in the subtrees of name constraints (RFC 5280 section 4.2.1.10).
/// These are pure functions over octets; `NameConstraints` walks names and subtrees.
enum NameForm {
    /// Whether the RFC defines constraints for this form of names.
    static func canBeJudged(_ kind: GeneralName.Kind) -> Bool {
        switch kind {
        case .dns, .ip, .email, .uri, .directory: return true
        case .otherName, .x400Address, .ediPartyName, .registeredID: return false
        }
    }

    /// The part of a presented name that is compared with subtrees: the name behind a wildcard, the
    /// domain of a mailbox, the host of a URI, or the whole name. Nil for a name that no subtree
    /// can hold: a malformed name, or a URI without a host name, whose certificate RFC 5280
    /// rejects.
    static func compared(_ kind: GeneralName.Kind, _ name: Span<UInt8>) -> Range<Int>? {
        switch kind {
        case .dns: return DNSName.presented(name)?.base
        case .ip: return name.count == 4 || name.count == 16 ? name.indices : nil
        case .email: return Mailbox.separator(name).map { $0 + 1..<name.count }
        case .uri: return (try? URIText(name))?.hostName(in: name)
        default: return name.indices
        }
    }

    /// Whether a subtree can be read. An empty DNS, e-mail or URI subtree holds every name. A dot
    /// before an e-mail or URI subtree stands for one or more labels. A dot before a DNS subtree is
    /// not in the RFC, and validators disagree about the name itself. Here it is read in the way
    /// that accepts less (LANGUAGE section 12.10): a permitted subtree holds only the names below,
    /// an excluded subtree the name itself too.
    static func isWellFormedSubtree(_ kind: GeneralName.Kind, _ tree: Span<UInt8>) -> Bool {
        switch kind {
        case .dns:
            return tree.isEmpty || isHostOrDomain(tree)
        case .ip:
            guard tree.count == 8 || tree.count == 32 else { return false }
            let half = tree.count / 2
            return IPAddress(bytes: tree.extracting(half..<tree.count))?.maskLength != nil
        case .email:
            return tree.isEmpty || Mailbox.separator(tree) != nil || isHostOrDomain(tree)
        case .uri:
            return tree.isEmpty || isHostOrDomain(tree)
        default:
            return true
        }
    }

    /// Whether a subtree is a DNS name with a dot before it.
    static func hasLeadingDot(_ kind: GeneralName.Kind, _ tree: Span<UInt8>) -> Bool {
        kind == .dns && !tree.isEmpty && tree[0] == UInt8(ascii: ".")
    }

    /// Whether a subtree holds every name that the presented name covers. Both are well formed.
    /// `part` is the part of the name that is compared.
    static func isInside(
        _ kind: GeneralName.Kind, _ name: Span<UInt8>, part: Range<Int>, subtree tree: Span<UInt8>
    ) -> Bool {
        switch kind {
        case .dns:
            // `*.a.example` is inside when `a.example` is inside, because then every name below it
            // is inside too.
            guard !hasLeadingDot(kind, tree) else {
                let base = tree.extracting(1..<tree.count)
                let isWildcard = part.lowerBound > 0
                return DNSName.isInside(name.extracting(part), base: base)
                    && (isWildcard || part.count > base.count)
            }
            return tree.isEmpty || DNSName.isInside(name.extracting(part), base: tree)
        case .ip:
            let half = tree.count / 2
            guard name.count == half, let address = IPAddress(bytes: name),
                let network = IPAddress(bytes: tree.extracting(0..<half)),
                let mask = IPAddress(bytes: tree.extracting(half..<tree.count))
            else { return false }
            return address.masked(by: mask) == network.masked(by: mask)
        case .email:
            guard !tree.isEmpty else { return true }
            let domain = name.extracting(part)
            guard let treeAt = Mailbox.separator(tree) else {
                return isHost(domain, inside: tree)
            }
            return name.extracting(0..<part.lowerBound - 1)
                .octetsEqual(tree.extracting(0..<treeAt))
                && DNSName.foldedEqual(domain, tree.extracting(treeAt + 1..<tree.count))
        case .uri:
            return tree.isEmpty || isHost(name.extracting(part), inside: tree)
        case .directory:
            // `NameConstraints` compares directory names itself, within its budget.
            return DistinguishedName.isInside(name, base: tree)
        default:
            return false
        }
    }

    /// Whether an excluded subtree holds at least one name that the presented name covers. Both are
    /// well formed. `part` is the part of the name that is compared. Directory names are judged by
    /// `ExcludedDirectoryName`.
    static func touches(
        _ kind: GeneralName.Kind, _ name: Span<UInt8>, part: Range<Int>, subtree: Span<UInt8>
    ) -> Bool {
        let tree = hasLeadingDot(kind, subtree) ? subtree.extracting(1..<subtree.count) : subtree
        if isInside(kind, name, part: part, subtree: tree) { return true }
        guard kind == .dns, part.lowerBound > 0 else { return false }
        // `*.example` covers `a.example`, which the subtree `a.example` holds. It covers no name of
        // the subtree `b.a.example`, because a wildcard is one label.
        let base = name.extracting(part)
        guard DNSName.isInside(tree, base: base), tree.count > base.count + 1 else { return false }
        for index in 0..<tree.count - base.count - 1 where tree[index] == UInt8(ascii: ".") {
            return false
        }
        return true
    }

    /// Whether an e-mail or URI subtree holds a host. A host holds itself; a dot and a domain hold
    /// every host below the domain.
    private static func isHost(_ host: Span<UInt8>, inside tree: Span<UInt8>) -> Bool {
        guard tree[0] == UInt8(ascii: ".") else { return DNSName.foldedEqual(host, tree) }
        guard host.count > tree.count else { return false }
        return DNSName.foldedEqual(host.extracting(host.count - tree.count..<host.count), tree)
    }

    private static func isHostOrDomain(_ tree: Span<UInt8>) -> Bool {
        guard tree[0] == UInt8(ascii: ".") else { return DNSName.problem(tree) == nil }
        return DNSName.problem(tree.extracting(1..<tree.count)) == nil
    }
}
