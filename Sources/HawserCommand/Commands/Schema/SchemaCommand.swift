import ArgumentParser

/// `hawser schema`: prints the JSON Schema of policies, or of JSON that the command prints.
struct SchemaCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of policies, or of what the command prints.",
        discussion: """
            Without a name, the schema of the language (draft-07), which gives editors completion and \
            hover; the checks of `hawser check` are stricter. Editors that know the YAML language \
            server read it from the first line of a policy:

            # yaml-language-server: $schema=policy.schema.json

            `allow` is for the files that `diff --allow` reads, `test` for test files and the \
            `request.yaml` of a case, `assert` for files of assertions. The others: `diagnostics` of \
            check and lint, `rules` of rule, `trace` of explain, `show` of a host, `classes` of show with a \
            pattern, `inspect`, `why-not`, `diff`, `test-report` of test, `assert-report` of assert, each \
            with `--format json`; `error` of any command with `--format json` that \
            has no answer; `baseline` of lint --write-baseline; `receipt` and \
            `report` of what programs write of decisions. `serve` is not a JSON Schema but the OpenAPI document \
            of `hawser serve`.
            """)

    @Argument(help: "What the schema is of.")
    var name: PrintedSchema = .policy

    @Option(
        name: [.short, .customLong("output")],
        help: "A file to write in place of standard output.", completion: .file())
    var output: String?

    func answer() throws(CommandFailure) -> ExitStatus {
        guard let output else {
            try Report.print(name.text)
            return .clean
        }
        try OutputFile.write(Array(name.text.utf8), to: output)
        Report.progress("`\(output)` is written")
        return .clean
    }
}

extension PrintedSchema: ExpressibleByArgument {}
