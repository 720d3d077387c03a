/// The files that `hawser init` writes. They pass `check`, `lint --level strict`, `assert` and
/// `fmt --check` unchanged.
enum StarterFiles {
    /// A unit of one file: hosts that no rule matches are refused, and one rule shows the parts of
    /// a rule.
    static let policy = """
        # yaml-language-server: $schema=policy.schema.json
        #
        # Which hosts are trusted, through which anchors, with which pins. A rule says
        # who; a profile says how strictly; only a dated waiver goes below the baseline.
        # Order has no meaning: the narrowest pattern decides.
        # `hawser help language` explains every key, and `hawser rule hosts` one.
        hawser: 1

        # Every host that no rule matches is refused. To trust those as browsers do,
        # put a rule's body here:
        #   default:
        #     anchors: [system]
        #     owner: platform
        default: deny

        rules:
          # The id is yours; verdicts, traces and reports cite it.
          website:
            # `**.` is one or more labels, `*.` exactly one; the name itself is neither.
            hosts:
              - "example.com"
              - "**.example.com"
            # `system` is the machine's trust store. An authority of your own is a set
            # of its own above `rules`, and named here:
            #   anchors:
            #     corp:
            #       files:
            #         - anchors/corp.pem
            anchors: [system]
            # Who is asked when a connection is refused.
            owner: platform

        """

    /// The tests of a unit of one file: a host of its rule.
    ///
    /// - Parameters:
    ///   - name: the name of the first case.
    ///   - host: a host that the rule decides, with its port where the pattern has one.
    ///   - anchors: the anchor set of the rule.
    static func tests(_ name: String, host: String, rule: String, anchors: String) -> String {
        """
        # What the policy must say of hosts, and the engine of chains. `hawser test` runs
        # these cases, and `hawser test --update` writes what comes out into them.
        hawser-test: 1

        # The clock of every case, so that a test says the same on every day.
        at: 2027-01-01

        cases:
          \(name):
            host: "\(host)"
            expect: { rule: \(rule), anchors: [\(anchors)] }
          # `hawser show HOST --all` prints every field that a case can expect. With
          # `chain: fixtures/site.pem` the engine judges, and `verdict: accept` is expected.

        """
    }

    /// What must stay true of the policy, whatever is changed.
    static let assertions = """
        # What must stay true of this policy whatever is changed: `hawser assert` proves
        # it for every host and every day, and `hawser lint` reports what does not hold.
        hawser-assert: 1

        assertions:
          # No host is ever reached by an older TLS, not even under a waiver.
          tls-is-modern:
            hosts: all
            at-least: { tls.minimum-version: tls1.2 }
            owner: platform
          # Every certificate is for the host that was asked for. No exception is in
          # force. A waiver that is needed is written here, with its last day:
          # `exceptions: { waivers.expired: 2027-01-31 }`.
          nothing-is-excepted:
            hosts: all
            identity: host
            exceptions: none
            owner: platform

        """

    /// Hooks that run the `hawser` on the PATH, however it was installed.
    static let hooks = """
          - repo: local
            hooks:
              - id: hawser-fmt
                name: hawser fmt
                entry: hawser fmt
                language: system
                files: '(^|/)(([^/]+\\.)?policy|[^/]+\\.(test|assert))\\.yaml$'
              - id: hawser-lint
                name: hawser lint
                entry: hawser lint --format concise
                language: system
                files: '(?i)((^|/)([^/]+\\.)?policy\\.ya?ml|\\.(pem|crt|cer|der))$'
                pass_filenames: false
              - id: hawser-test
                name: hawser test
                entry: hawser test
                language: system
                files: '(?i)((^|/)([^/]+\\.)?(policy|test)\\.ya?ml|(^|/)request\\.yaml|\\.(pem|crt|cer|der|crl|ocsp|ndjson))$'
                pass_filenames: false
              - id: hawser-assert
                name: hawser assert
                entry: hawser assert
                language: system
                files: '(?i)((^|/)([^/]+\\.)?(policy|assert)\\.ya?ml|\\.(pem|crt|cer|der))$'
                pass_filenames: false

        """

    /// A whole `.pre-commit-config.yaml`.
    static let hookConfiguration = """
        # Hooks of https://pre-commit.com; after `pre-commit install` every commit runs
        # them.
        repos:

        """ + hooks
}
