import Rendering
import TrustEngine

/// The sentences about the hosts of a change.
extension DiffSentences {
    /// Hosts as a pattern with its exceptions: `**.cdn.example except static.cdn.example`. Each
    /// pattern goes through `quoted`.
    package static func text(
        _ hosts: PolicyDiff.HostText, exceptions: Bool = true,
        quoted: (String) -> String = { $0 }
    ) -> String {
        var text = hosts.pattern.map(quoted) ?? HostClass.others
        if let port = hosts.port { text += " on port \(port)" }
        if let spelling = hosts.spelling { text += spelling.text(quoted: quoted) }
        guard exceptions, !hosts.exceptions.isEmpty else { return text }
        let more =
            hosts.omitted > 0 ? [Words.count(hosts.omitted, "more pattern", "more patterns")] : []
        return text + " except " + (hosts.exceptions.map(quoted) + more).joined(separator: ", ")
    }

    /// The first hosts of a change, the number of the others, and an example, in one sentence.
    package static func hosts(_ change: PolicyDiff.Change, most: Int) -> String {
        let hosts = change.hosts.prefix(most).map { text($0) { "`\($0)`" } }
        let more = change.hosts.count - hosts.count
        let rest =
            more > 0 ? " and \(Words.count(more, "more class", "more classes")) of hosts" : ""
        return hosts.joined(separator: ", ") + rest + " (for example `\(change.witness.text)`)"
    }

    /// The number of a change's classes: as hosts where each is one.
    package static func classes(_ change: PolicyDiff.Change) -> String {
        change.classes.allSatisfy(\.isOneHost)
            ? Words.count(change.classes.count, "host", "hosts")
            : Words.count(change.classes.count, "class", "classes") + " of hosts"
    }

    /// The owners of the rules with the number of their hosts, the fewest first: "1 of treasury,
    /// 97 of web"; nil where there is one owner.
    package static func hostsOfOwners(_ change: PolicyDiff.Change) -> String? {
        guard change.owners.count > 1 else { return nil }
        var parts: [(number: Int, names: [String])] = []
        for one in change.owners {
            if parts.last?.number != one.classes { parts.append((one.classes, [])) }
            parts[parts.count - 1].names.append(one.owner ?? "no owner")
        }
        return parts.map { number, names in
            let each = names.count > 1 ? "\(number) each" : "\(number)"
            return "\(each) of \(names.joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    /// How many hosts and for whom: "98 hosts: 1 of treasury; 97 of web".
    package static func ownedHosts(_ change: PolicyDiff.Change) -> String {
        "\(classes(change))" + (hostsOfOwners(change).map { ": \($0)" } ?? "")
    }

    /// Every host of a change, the hosts of one domain in one sentence; each pattern goes through
    /// `quoted`.
    package static func hostParts(
        _ change: PolicyDiff.Change, quoted: (String) -> String = { $0 }
    ) -> [[String]] {
        HostGroups.parts(change).flatMap { part -> [[String]] in
            // A host with exceptions stands alone: what follows would be one of them.
            var parts: [[String]] = []
            var isOpen = false
            for hosts in part {
                let isAlone = !hosts.exceptions.isEmpty
                if isAlone || !isOpen { parts.append([]) }
                parts[parts.count - 1].append(text(hosts, quoted: quoted))
                isOpen = !isAlone
            }
            return parts
        }
    }

    /// Every host of a change in lines, as many as have room in a number of octets. Where that cuts
    /// the list, the last line counts the hosts that are left out, and names the command that shows
    /// them.
    package static func allHosts(
        _ change: PolicyDiff.Change, octets: Int, command: String
    ) -> [String] {
        var lines = ["\(ownedHosts(change)):"]
        var left = octets
        var shown = 0
        for part in hostParts(change, quoted: { "`\($0)`" }) {
            var own: [String] = []
            for host in part {
                left -= host.utf8.count + 2
                guard left > 0 else { break }
                own.append(host)
            }
            shown += own.count
            if !own.isEmpty { lines.append(own.joined(separator: ", ")) }
            guard left > 0 else { break }
        }
        let more = change.hosts.count - shown
        return lines
            + (more > 0
                ? ["\(Words.count(more, "more is", "more are")) left out; all of them: \(command)"]
                : [])
    }
}
