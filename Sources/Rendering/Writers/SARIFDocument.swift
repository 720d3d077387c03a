/// What all SARIF documents of the command share (SARIF 2.1.0, OASIS, 2020): one run of the driver
/// `hawser`, whose paths are relative to one folder.
package struct SARIFDocument {
    /// How bad a result is.
    package typealias Level = FindingLevel

    /// The version of the tool, by Semantic Versioning.
    let version: String
    /// The descriptions of the rules that results name.
    let rules: [JSONValue]
    /// Nil where the run says nothing about how it went.
    let invocation: JSONValue?
    /// Nil where the run came to no result.
    let results: [JSONValue]?

    /// A run with its results.
    package init(
        version: String, rules: [JSONValue], invocation: JSONValue? = nil, results: [JSONValue]?
    ) {
        self.version = version
        self.rules = rules
        self.invocation = invocation
        self.results = results
    }

    /// The whole document, with a line end at its end.
    package func render() -> String {
        let driver = JSONValue.object([
            "name": "hawser", "semanticVersion": version, "rules": rules,
        ])
        let root = JSONValue.object([
            "description": SARIFDocument.text("The folder that paths are relative to.")
        ])
        let run = JSONValue.object([
            "tool": JSONValue.object(["driver": driver]),
            "invocations": invocation.map { JSONValue.array([$0]) },
            "originalUriBaseIds": JSONValue.object([(SARIFDocument.root, root)]),
            "columnKind": "unicodeCodePoints", "results": results.map { JSONValue.array($0) },
        ])
        return JSONValue.object([
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [run],
        ]).render(.pretty) + "\n"
    }

    /// The name of the folder that relative URIs start from.
    private static let root = "POLICYROOT"

    package static func text(_ text: String) -> JSONValue { .object(["text": text]) }

    /// A message that says exactly this: square brackets, which would begin a link (section
    /// 3.11.6), are escaped where a text has what looks like one.
    package static func message(_ text: String) -> JSONValue {
        let scalars = text.unicodeScalars
        guard zip(scalars, scalars.dropFirst()).contains(where: { $0 == "]" && $1 == "(" }) else {
            return SARIFDocument.text(text)
        }
        var escaped = ""
        for scalar in scalars {
            if scalar == "[" || scalar == "]" || scalar == "\\" { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return SARIFDocument.text(escaped)
    }

    /// A file, by its path from the folder that paths are relative to.
    package static func artifact(_ path: String) -> JSONValue {
        .object(["uri": reference(path), "uriBaseId": root])
    }

    /// A path of the unit as a URI reference (RFC 3986 section 4.2). Every character but unreserved
    /// ones and `/` is percent-encoded, so that no file name can be read as a scheme or leave the
    /// root.
    package static func reference(_ path: String) -> String {
        var uri = ""
        for byte in path.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x2F:
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                uri += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return uri
    }
}

extension SARIFDocument {
    /// A run that came to no result, for a reason. It has no `results`, so that no reader takes the
    /// run for one that found nothing.
    package init(version: String, rules: [JSONValue], failure: String) {
        let notification = JSONValue.object([
            "level": Level.error.rawValue, "message": SARIFDocument.message(failure),
        ])
        self.init(
            version: version, rules: rules,
            invocation: .object([
                "executionSuccessful": false, "toolExecutionNotifications": [notification],
            ]), results: nil)
    }
}

extension FindingLevel {
    /// The properties by which GitHub's code scanning sorts alerts about trust. The scores are the
    /// middle of GitHub's high, medium and low (https://docs.github.com/code-security: SARIF
    /// support for code scanning).
    package var securityProperties: JSONValue {
        let score: String
        switch self {
        case .error: score = "8.0"
        case .warning: score = "5.5"
        case .note: score = "2.0"
        }
        return .object(["tags": ["security"], "security-severity": score])
    }
}
