/// Whether `hawser run` can judge the connections of a program, by its file. What only the
/// libraries that a program loads can tell, the preloaded library says when the program starts.
enum ProgramReach {
    /// Why a program's connections cannot be judged; nil where nothing in its file says so.
    struct Obstacle: Hashable, Sendable {
        /// The file that it is about: the program, its interpreter, or a helper.
        let file: String
        /// A few words, such as `statically linked`.
        let reason: String
    }

    /// Interpreters of interpreters that are followed; the kernel follows as many.
    private static let mostInterpreters = 5

    /// Looks at a program. Scripts are followed to their interpreter.
    ///
    /// - Parameter path: `PATH`, for what `env` starts.
    static func obstacle(of file: String, path: String?) -> Obstacle? {
        var file = file
        for _ in 0..<mostInterpreters {
            // What may be executed and not read is left to the preloaded library.
            guard let program = ProgramFile(file) else { return nil }
            guard let line = program.interpreterLine else {
                return obstacle(of: program, file) ?? helperObstacle(of: file)
            }
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
            guard let interpreter = words.first else { return nil }
            file = interpreter
            // `#!/usr/bin/env node`: the program that it starts is looked at, as `env` does not
            // hinder.
            if name(of: interpreter) == "env",
                let started = words.dropFirst().first(where: {
                    !$0.hasPrefix("-") && !$0.contains("=")
                }),
                case .file(let found) = ProgramFile.find(started, path: path)
            {
                file = found
            }
        }
        return nil
    }

    private static func obstacle(of program: ProgramFile, _ file: String) -> Obstacle? {
        if let elevation = program.elevation { return Obstacle(file: file, reason: elevation) }
        let parsed: ELFFile
        do throws(ELFFile.Problem) {
            parsed = try ELFFile(program)
        } catch {
            switch error {
            // A text without `#!`: a shell reads it.
            case .notELF: return nil
            case .damaged(let part):
                return Obstacle(file: file, reason: "a damaged ELF file (\(part))")
            }
        }
        if let reason = reason(of: parsed) { return Obstacle(file: file, reason: reason) }
        guard !parsed.needed.contains(openSSL) else { return nil }
        return program.inside.map { Obstacle(file: file, reason: $0) }
    }

    private static let openSSL = "libssl.so.3"

    /// What the parsed file alone says.
    static func reason(of file: ELFFile) -> String? {
        guard file.machine == ProgramFile.machine else { return "made for another processor" }
        // Go links statically by default, and its reason says more.
        if file.isGo { return "Go's own TLS" }
        guard let loader = file.interpreter else { return "statically linked" }
        if loader.contains("ld-musl") { return "another C library (musl)" }
        return file.needed.lazy.compactMap(ProgramFile.unreached).first
    }

    /// Programs whose connections another program makes for them, and where that stands from the
    /// program's folder.
    private static let helpers = [
        "git": [
            "../lib/git-core/git-remote-https", "../libexec/git-core/git-remote-https",
        ]
    ]

    private static func helperObstacle(of file: String) -> Obstacle? {
        guard let places = helpers[name(of: file)], let slash = file.lastIndex(of: "/") else {
            return nil
        }
        for place in places {
            let helper = file[...slash] + place
            guard let program = ProgramFile(String(helper)) else { continue }
            return obstacle(of: program, String(helper))
        }
        return nil
    }

    private static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
}
