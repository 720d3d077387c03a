import ArgumentParser
import Hawser
import PolicyCompiler
import TrustEngine

/// The option for certificates that a file names and does not hold.
struct ForeignCertificatesOption: ParsableArguments {
    @Option(
        name: .customLong("certificates"),
        help: ArgumentHelp(
            "A folder with the CA certificates that FILE names by path or by object.",
            valueName: "folder"), completion: .directory)
    var certificatesFolder: String?

    /// The file in the folder with the last part of a path, as it is or with the ending of PEM; nil
    /// if there is none.
    func file(_ path: String) throws(CommandFailure) -> String? {
        guard let certificatesFolder, let name = path.split(separator: "/").last, name != "..",
            name != "."
        else { return nil }
        return ["", ".pem", ".crt"].map { "\(certificatesFolder)/\(name)\($0)" }.first(
            where: NamedPath.isFile)
    }

    /// The certificates of the files that are in the folder, by the paths that name them.
    func certificates(
        of paths: [String]
    ) throws(CommandFailure) -> [String: [Certificate]] {
        var certificates: [String: [Certificate]] = [:]
        for path in paths {
            guard let found = try file(path) else { continue }
            certificates[path] = try CertificateFile.withoutKey(found, Self.advice)
        }
        return certificates
    }

    /// What to do about a private key.
    static let advice = "; give a file that holds certificates only"
}

/// The option for the domain of a cluster of Kubernetes.
struct ClusterDomainOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The domain of the cluster, which ends the names of services.", valueName: "domain"))
    var clusterDomain = "cluster.local"

    /// The domain.
    ///
    /// - Throws: for a text that is not a name in its canonical form.
    func domain() throws(CommandFailure) -> String {
        guard (try? ExactNameScanner.scan(clusterDomain))?.canonicalText == clusterDomain else {
            throw .couldNotAsk(
                "`--cluster-domain` takes a name such as `cluster.local`; found `\(clusterDomain)`")
        }
        return clusterDomain
    }
}
