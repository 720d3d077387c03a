import TrustEngine

/// Tables without the pin that no key has.
///
/// An import writes it as the backup of a file with one pin, because each pin set of a policy has a
/// backup. The order of pins takes it for the digest of a key, and would say that the file accepts
/// another key. A second entry with the key of the first demands the same as one entry.
enum SparePins {
    /// The table with the first key of the set in place of each backup that no key can match.
    static func replaced(in table: PolicyTable, crypto: any CryptoBackend) -> PolicyTable {
        var contents = table.contents()
        var isChanged = false
        for index in contents.pinSets.indices {
            let set = contents.pinSets[index]
            guard let own = set.keys.first(where: { !isSpare($0) }) else { continue }
            for entry in set.backups.indices where isSpare(set.backups[entry]) {
                contents.pinSets[index].backups[entry].matches = own.matches
                contents.pinSets[index].backups[entry].position = own.position
                isChanged = true
            }
        }
        guard isChanged else { return table }
        return PolicyTable.encode(contents, provenance: table.provenance(), crypto: crypto)
    }

    private static func isSpare(_ entry: PinContents) -> Bool {
        entry.matches.allSatisfy { $0.digest.bytes.allSatisfy { $0 == 0 } }
    }
}
