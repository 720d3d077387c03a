// Generated from grammar/test-report.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file
import Rendering

/// The objects of `grammar/test-report.schema.json`; `Document` is the whole.
enum TestJSON {
    struct Document: JSONObject {
        let json: JSONValue

        init(totals: Totals, files: [File], units: [Unit]) {
            json = .object([
                ("schema", .string("hawser/test/1")),
                ("totals", totals.json),
                ("files", files.json),
                ("units", units.json),
            ])
        }

        struct Totals: JSONObject {
            let json: JSONValue

            init(cases: some BinaryInteger, failed: some BinaryInteger, files: some BinaryInteger, filesNotRun: some BinaryInteger) {
                json = .object([
                    ("cases", cases.json),
                    ("failed", failed.json),
                    ("files", files.json),
                    ("filesNotRun", filesNotRun.json),
                ])
            }
        }
    }

    struct Covered: JSONObject {
        let json: JSONValue

        init(covered: some BinaryInteger, all: some BinaryInteger) {
            json = .object([
                ("covered", covered.json),
                ("all", all.json),
            ])
        }
    }

    struct Unit: JSONObject {
        let json: JSONValue

        init(folder: String, coverage: Coverage, mutation: Mutation?) {
            json = .object([
                ("folder", folder.json),
                ("coverage", coverage.json),
                ("mutation", mutation?.json),
            ])
        }

        struct Coverage: JSONObject {
            let json: JSONValue

            init(tenthsOfPercent: some BinaryInteger, total: Covered, rules: Covered, hosts: Covered, outcomes: Covered, since: String, tooManyClasses: Int?, gaps: [Gaps]) {
                json = .object([
                    ("tenthsOfPercent", tenthsOfPercent.json),
                    ("total", total.json),
                    ("rules", rules.json),
                    ("hosts", hosts.json),
                    ("outcomes", outcomes.json),
                    ("since", since.json),
                    ("tooManyClasses", tooManyClasses?.json ?? .null),
                    ("gaps", gaps.json),
                ])
            }

            struct Gaps: JSONObject {
                let json: JSONValue

                init(kind: String, sentence: String, rule: String, location: JSONValue, host: String, port: some BinaryInteger, at: String, count: some BinaryInteger) {
                    json = .object([
                        ("kind", kind.json),
                        ("sentence", sentence.json),
                        ("rule", rule.json),
                        ("location", location.json),
                        ("host", host.json),
                        ("port", port.json),
                        ("at", at.json),
                        ("count", count.json),
                    ])
                }
            }
        }

        struct Mutation: JSONObject {
            let json: JSONValue

            init(mutants: some BinaryInteger, noticed: some BinaryInteger, notNoticed: some BinaryInteger, equal: some BinaryInteger, omitted: some BinaryInteger, list: [List]) {
                json = .object([
                    ("mutants", mutants.json),
                    ("noticed", noticed.json),
                    ("notNoticed", notNoticed.json),
                    ("equal", equal.json),
                    ("omitted", omitted.json),
                    ("list", list.json),
                ])
            }

            struct List: JSONObject {
                let json: JSONValue

                init(change: String, location: JSONValue, host: String, port: some BinaryInteger, at: String, noticedBy: [String]) {
                    json = .object([
                        ("change", change.json),
                        ("location", location.json),
                        ("host", host.json),
                        ("port", port.json),
                        ("at", at.json),
                        ("noticedBy", noticedBy.json),
                    ])
                }
            }
        }
    }

    struct Place: JSONObject {
        let json: JSONValue

        init(file: String, line: some BinaryInteger, column: some BinaryInteger) {
            json = .object([
                ("file", file.json),
                ("line", line.json),
                ("column", column.json),
            ])
        }
    }

    struct File: JSONObject {
        let json: JSONValue

        init(file: String, cases: [Case], problems: [Problems]) {
            json = .object([
                ("file", file.json),
                ("cases", cases.json),
                ("problems", problems.json),
            ])
        }

        struct Problems: JSONObject {
            let json: JSONValue

            init(code: String, message: String, place: Place) {
                json = .object([
                    ("code", code.json),
                    ("message", message.json),
                    ("place", place.json),
                ])
            }
        }
    }

    struct Case: JSONObject {
        let json: JSONValue

        init(name: String, passed: Bool, place: Place, host: String, port: some BinaryInteger, at: String, verdict: String?, differences: [Differences], explain: String?, command: String) {
            json = .object([
                ("name", name.json),
                ("passed", passed.json),
                ("place", place.json),
                ("host", host.json),
                ("port", port.json),
                ("at", at.json),
                ("verdict", verdict?.json),
                ("differences", differences.json),
                ("explain", explain?.json),
                ("command", command.json),
            ])
        }

        struct Differences: JSONObject {
            let json: JSONValue

            init(field: String, expected: String, got: String, origins: [String], place: Place) {
                json = .object([
                    ("field", field.json),
                    ("expected", expected.json),
                    ("got", got.json),
                    ("origins", origins.json),
                    ("place", place.json),
                ])
            }
        }
    }
}
