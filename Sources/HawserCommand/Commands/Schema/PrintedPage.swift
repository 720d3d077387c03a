import CSchemas
import PolicyTools

/// The pages of `grammar/` that the command can print, embedded as the schemas are: `hawser help
/// language`, `hawser help diff.md`. So whoever has the executable alone has what its help refers
/// to. `hawser rule` prints the codes of diagnostics.
enum PrintedPage: String, CaseIterable {
    case language
    case allow = "allow.md"
    case assert = "assert.md"
    case audit = "audit.md"
    case chromeRootStore = "chrome-root-store.md"
    case crlite = "crlite.md"
    case demands = "demands.md"
    case diff = "diff.md"
    case exports = "exports.md"
    case forecast = "forecast.md"
    case foreignFiles = "foreign-files.md"
    case report = "report.md"
    case revocationSet = "revocation-set.md"
    case signedTable = "signed-table.md"
    case tableFormat = "table-format.md"
    case test = "test.md"
    case versions = "versions.md"

    /// The page with the name of its file in `grammar/`, or `language`.
    init?(named name: String) {
        if name == "language.md" {
            self = .language
        } else {
            self.init(rawValue: name)
        }
    }

    /// The page without its comments, which are for the generator, with a line end at its end.
    var text: String {
        let page = String(decoding: EmbeddedFile.octets(number), as: UTF8.self)
        var lines: [Substring] = []
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            guard !line.hasPrefix("<!-- ") else { continue }
            // The empty lines on both sides of a comment become one.
            if line.isEmpty, lines.last?.isEmpty == true { continue }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }

    private var number: UInt32 {
        let number =
            switch self {
            case .language: HAWSER_LANGUAGE
            case .allow: HAWSER_PAGE_ALLOW
            case .assert: HAWSER_PAGE_ASSERT
            case .audit: HAWSER_PAGE_AUDIT
            case .chromeRootStore: HAWSER_PAGE_CHROME_ROOT_STORE
            case .crlite: HAWSER_PAGE_CRLITE
            case .demands: HAWSER_PAGE_DEMANDS
            case .diff: HAWSER_PAGE_DIFF
            case .exports: HAWSER_PAGE_EXPORTS
            case .forecast: HAWSER_PAGE_FORECAST
            case .foreignFiles: HAWSER_PAGE_FOREIGN_FILES
            case .report: HAWSER_PAGE_REPORT
            case .revocationSet: HAWSER_PAGE_REVOCATION_SET
            case .signedTable: HAWSER_PAGE_SIGNED_TABLE
            case .tableFormat: HAWSER_PAGE_TABLE_FORMAT
            case .test: HAWSER_PAGE_TEST
            case .versions: HAWSER_PAGE_VERSIONS
            }
        return UInt32(number)
    }
}
