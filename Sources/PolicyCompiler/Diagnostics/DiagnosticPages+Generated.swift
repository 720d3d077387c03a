// Generated from grammar/diagnostics.yaml by `swift run generate-tables`. Do not edit.

// swift-format-ignore-file

extension DiagnosticCode {
    /// The page that `hawser rule` prints for the code.
    package var page: DiagnosticPage {
        switch self {
        case .syntaxError:
            return DiagnosticPage(
                explanation: #"""
                    The text cannot be read here. The entry around this place is left aside and the rest of the
                    file is checked as usual, so that every other finding is told in the same run.
                    """#,
                bad: #"""
                    rules:
                      api: hosts: ["api.acme.example"]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                    """#,
                fix: #"""
                    Most often a quote or bracket is not closed, a second `:` stands on a line, or a line is
                    indented like nothing above it. Put text that holds `: ` or ` #` in quotes.
                    """#)
        case .tabIndent:
            return DiagnosticPage(
                explanation: #"""
                    Indentation carries the structure of a policy, and a tab is as wide as each editor likes. Two
                    people would see two policies, so only blanks indent.
                    """#,
                bad: #"""
                    rules:
                    	api:
                    	  hosts: ["api.acme.example"]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                    """#,
                fix: #"""
                    Replace the tab by as many blanks as its neighbours have, and tell the editor to insert blanks.
                    """#)
        case .duplicateKey:
            return DiagnosticPage(
                explanation: #"""
                    Readers of YAML differ in which of two equal keys they take, and a reviewer may look at the
                    other one. A policy holds each key of a map once.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        hosts: ["www.acme.example"]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example", "www.acme.example"]
                        anchors: [system]
                    """#,
                fix: #"""
                    Delete one of the two, or join what they hold under one key.
                    """#)
        case .unknownKey:
            return DiagnosticPage(
                explanation: #"""
                    A key that nothing reads would be a demand that nothing enforces. Nothing is skipped in
                    silence: every key must be one of the language's.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        ancors: [system]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                    """#,
                fix: #"""
                    Take the key that the message asks about, or one of those it lists. Remarks belong into `note`
                    or a comment.
                    """#)
        case .ambiguousScalar:
            return DiagnosticPage(
                explanation: #"""
                    In YAML `no`, `on`, `~` or `1.10` may be text, a truth value, nothing or a number, as the
                    reader decides. Here the key decides; but people and other tools read policies too, so such a
                    word is written in quotes where it is meant as text.
                    """#,
                bad: #"""
                    rules:
                      norway:
                        hosts: ["www.acme.example"]
                        anchors: [system]
                        owner: no
                    """#,
                good: #"""
                    rules:
                      norway:
                        hosts: ["www.acme.example"]
                        anchors: [system]
                        owner: "no"
                    """#,
                fix: #"""
                    Put the word in quotes, or choose another.
                    """#)
        case .aliasOrMerge:
            return DiagnosticPage(
                explanation: #"""
                    `&`, `*` and `<<` of YAML make a line mean what stands somewhere else, under rules that readers
                    of YAML do not share. A policy names what it shares: profiles, anchor sets and pin sets.
                    """#,
                bad: #"""
                    rules:
                      api: &shared
                        hosts: ["api.acme.example"]
                        anchors: [system]
                      www:
                        <<: *shared
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example", "www.acme.example"]
                        anchors: [system]
                    """#,
                fix: #"""
                    Give what is shared a name under `profiles`, `anchors` or `pins` and use the name. Put text
                    that begins with `*` or `&` in quotes; host patterns always have them.
                    """#)
        case .manyDocuments:
            return DiagnosticPage(
                explanation: #"""
                    Many tools read the first document of a file and no more. A policy file is one document, with
                    at most one `---` before it and no `...`.
                    """#,
                bad: #"""
                    hawser: 1
                    ---
                    hawser: 1
                    """#,
                good: #"""
                    hawser: 1
                    """#,
                fix: #"""
                    Put the second document into a file of its own, `NAME.policy.yaml`, in the same unit.
                    """#)
        case .encoding:
            return DiagnosticPage(
                explanation: #"""
                    A policy is UTF-8 text whose lines end with a line feed, or with carriage return and line feed.
                    A byte order mark is not shown by editors, a carriage return alone ends a line for some readers
                    and not for others, and bytes that are not UTF-8 are shown by each reader in its own way. Line ends
                    of both kinds in one file are a warning of `lint`.
                    """#,
                bad: #"""
                    \xEF\xBB\xBFhawser: 1
                    """#,
                good: #"""
                    hawser: 1
                    """#,
                fix: #"""
                    Save the file as UTF-8 without a byte order mark and with line feeds.
                    """#)
        case .explicitTag:
            return DiagnosticPage(
                explanation: #"""
                    A tag tells a reader of YAML which type a value has, or which object to make of it. In a policy
                    the key decides.
                    """#,
                bad: #"""
                    hawser: !!int 1
                    """#,
                good: #"""
                    hawser: 1
                    """#,
                fix: #"""
                    Delete the tag. Put text that begins with `!` in quotes.
                    """#)
        case .hiddenText:
            return DiagnosticPage(
                explanation: #"""
                    Characters without width, controls that reorder text, and U+0085, U+2028 and U+2029, at which
                    YAML ends a line while editors go on, can make a policy read one way to a reviewer and another
                    way to the compiler: what looks like a comment becomes a key. None may stand in a policy, not
                    even made by an escape in quotes.

                    A no-break space (U+00A0) and the other spaces of Unicode look like a blank, and YAML reads them
                    as letters: a line that they indent is not indented, and `deny` with one at its end is another
                    word. They may stand only in quotes, literal text and comments.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api\u200B.acme.example"]
                        anchors: [system]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                    """#,
                fix: #"""
                    Delete the character; retyping the text around it is the surest way. Write a name that needs
                    such a character in its ASCII form (`xn--…`). `lint --fix` writes blanks for spaces of Unicode
                    where nothing else can be meant.
                    """#)
        case .limits:
            return DiagnosticPage(
                explanation: #"""
                    Everything has a limit, so that no policy can exhaust the machine that reads it: 16 levels of
                    nesting, 64 MiB a file, 10 million keys and values a unit, 64 octets an id, 1,000 octets a
                    text, 1 MiB of `pem`, 8 profiles that extend one another. A unit whose folders hold more than
                    65,536 files and folders, lie more than 32 deep, or hold files of more than 256 MiB together
                    is not read at all.
                    """#,
                bad: #"""
                    note: [[[[[[[[[[[[[[[[[deep]]]]]]]]]]]]]]]]]
                    """#,
                good: #"""
                    note: deep enough
                    """#,
                fix: #"""
                    Divide what is too long or too deep. A unit may have many files.
                    """#)
        case .pathLeavesUnit:
            return DiagnosticPage(
                explanation: #"""
                    A path in a policy is relative to the file that names it and stays within the unit, so that a
                    unit can be reviewed, moved and compiled anywhere with the same outcome. Absolute paths, `..`
                    beyond the root and symbolic links that lead out of the unit are refused. A link to a file of the
                    unit is followed.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: ["/etc/ssl/certs/corporate.pem"]
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [anchors/corporate.pem]
                    """#,
                fix: #"""
                    Copy the file into the unit and name it from there. Where links are mounted, mount the folder as a
                    whole, so that what they lead to stands in it.
                    """#)
        case .policyFileMisnamed:
            return DiagnosticPage(
                explanation: #"""
                    A unit is `policy.yaml` and every `*.policy.yaml` below it. A file that looks like policy but
                    has another name (`policy.yml`, `api.yaml`), a second `policy.yaml` further down, or a link that
                    leads out of the unit would be left out, and its demands with it. Likewise a test, a file of
                    assertions, of allowances or of exports under another name (`api_test.yaml`, `api.test.yml`):
                    its cases would never run, and everything would pass.
                    """#,
                bad: #"""
                    # in acme/api.yaml, beside acme/policy.yaml
                    hawser: 1
                    """#,
                good: #"""
                    # in acme/api.policy.yaml
                    hawser: 1
                    """#,
                fix: #"""
                    Rename the file to `NAME.policy.yaml`, or to the name of its kind (`NAME.test.yaml`,
                    `NAME.assert.yaml`, `NAME.allow.yaml`, `exports.yaml`), or move it out of the unit.
                    """#)
        case .emptyValue:
            return DiagnosticPage(
                explanation: #"""
                    An empty value can mean nothing, everything or the default, and readers differ. A policy says
                    what it means: a key that is not wanted is left out.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: []
                        owner:
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: team-api
                    """#,
                fix: #"""
                    Write the value; the help has one that is accepted. A key that is not required may be left out.
                    """#)
        case .yamlFeature:
            return DiagnosticPage(
                explanation: #"""
                    A policy uses a small part of YAML: maps, lists, plain, quoted and literal (`|`) text, and
                    comments. Directives (`%`), folded text (`>`), keys after `?` and keys that are maps or lists
                    add nothing to it but other ways to misread.
                    """#,
                bad: #"""
                    rules:
                      api:
                        note: >
                          one long
                          line
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        note: one long line
                    """#,
                fix: #"""
                    Write `|` for text of several lines, `KEY: VALUE` for a key, and delete directives.
                    """#)
        case .typographicQuotes:
            return DiagnosticPage(
                explanation: #"""
                    Word processors, chats and web pages write `“` and `”` where `"` was typed. YAML takes them for
                    letters of the value: a host, a name or a path with them is another one, and a text that looks
                    quoted is not.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: [“api.acme.example”]
                        anchors: [system]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                    """#,
                fix: #"""
                    Write straight quotes: `lint --fix` does. Around a text with a comma or a colon in it
                    `lint --fix-unsafe` writes them. Where a text shall begin and end with typographic quotes, put
                    all of it in straight ones.
                    """#)
        case .notExpanded:
            return DiagnosticPage(
                explanation: #"""
                    Hawser expands nothing in a policy: `${TEAM}` and `{{ .team }}` are letters of the text that has
                    them. Most fields refuse such a text. An owner, a note, a reason, a ticket and the name of a file
                    take any text, so a template that was never filled in passes there, and names an owner whom
                    nobody reaches.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: ${TEAM}
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: payments
                    """#,
                fix: #"""
                    Write the value. Where a template makes the policy, fill it in before Hawser reads the policy, and
                    lint what it makes.
                    """#)
        case .noVersion:
            return DiagnosticPage(
                explanation: #"""
                    Each policy file begins with `hawser: 1`. An engine that does not know a version refuses the
                    file, so that a policy is never judged by the rules of another version.
                    """#,
                bad: #"""
                    default: deny
                    """#,
                good: #"""
                    hawser: 1
                    default: deny
                    """#,
                fix: #"""
                    Write `hawser: 1` as the first entry of the file.
                    """#)
        case .wrongType:
            return DiagnosticPage(
                explanation: #"""
                    Every key has one shape, always: a list stays a list with one item in it.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: "api.acme.example"
                        anchors: [system]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                    """#,
                fix: #"""
                    Write the value as the message shows it.
                    """#)
        case .unknownValue:
            return DiagnosticPage(
                explanation: #"""
                    The field takes one of a few words, a number within bounds, or text of a given form, and this
                    value is none of them. Of words that differ in strength only the one that demands the most is ever
                    proposed: whoever wants less writes it. A waiver takes only what is below the baseline; a rule that
                    demands more than the baseline is excepted from by `report-only`, to its day.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki-file: current.pem, at: root }
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki-file: current.pem, at: anchor }
                        backups:
                          spare: { spki-file: spare.pem }
                    """#,
                fix: #"""
                    Take one of the values that the message lists. Where the message gives the right spelling of the
                    same value, as of a date or a number, `lint --fix-unsafe` writes it.
                    """#)
        case .duplicateId:
            return DiagnosticPage(
                explanation: #"""
                    All files of a unit share their names, and neither the order of files nor of lines means
                    anything: two definitions of one name would leave open which holds. So it is with one id under
                    `forbidden-keys` in two layers of a rule: a nearer layer adds keys and takes none off the list.
                    """#,
                bad: #"""
                    # in a.policy.yaml, and likewise in b.policy.yaml
                    anchors:
                      corporate: { files: [corporate.pem] }
                    """#,
                good: #"""
                    # in b.policy.yaml
                    anchors:
                      corporate-2: { files: [corporate-2.pem] }
                    """#,
                fix: #"""
                    Rename one of the two, or delete it and use the other.
                    """#)
        case .danglingReference:
            return DiagnosticPage(
                explanation: #"""
                    A rule or profile uses an anchor set, a pin set or a profile that no file of the unit defines.
                    Had it been ignored, the rule would demand less than it says. A name that is like it is asked
                    about and never written by a fix: it may trust others than the one that was meant.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corprate]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                    """#,
                fix: #"""
                    Correct the name, or define it under `anchors`, `pins` or `profiles`.
                    """#)
        case .unusedDefinition:
            return DiagnosticPage(
                explanation: #"""
                    An anchor set, a pin set or a profile that no rule uses has no effect. Often a rule was meant
                    to name it.
                    """#,
                bad: #"""
                    pins:
                      spare:
                        keys: { one: { spki-file: one.pem } }
                        backups: { two: { spki-file: two.pem } }
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [spare]
                    """#,
                fix: #"""
                    Name it where it should hold, or delete it. While a part of the unit has errors nothing is deleted
                    by a fix: what cannot be read may use it.
                    """#)
        case .missingKey:
            return DiagnosticPage(
                explanation: #"""
                    What decides whom to trust is always written: nothing is inherited or implied for `anchors`,
                    `hosts`, or the keys and backups of a pin set, and a unit always has a `default`.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                    """#,
                fix: #"""
                    Add the key.
                    """#)
        case .badId:
            return DiagnosticPage(
                explanation: #"""
                    An id is a lower-case letter followed by lower-case letters, digits and hyphens, at most 64,
                    without a hyphen at its end. Built-in ids (`system`, `pinned-keys`, `baseline`, `ats`) mean
                    the same in every policy and cannot be defined anew.
                    """#,
                bad: #"""
                    rules:
                      API_Servers:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                    """#,
                good: #"""
                    rules:
                      api-servers:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                    """#,
                fix: #"""
                    Rename it.
                    """#)
        case .extendsCycle:
            return DiagnosticPage(
                explanation: #"""
                    A field has the value of the nearest layer that writes it. In a circle there is no nearest
                    layer; beyond eight layers nobody finds it. Likewise an anchor set that includes itself, by
                    whatever way, says nothing of its members; sets include through sixteen sets at most.
                    """#,
                bad: #"""
                    profiles:
                      strict: { extends: stricter }
                      stricter: { extends: strict }
                    """#,
                good: #"""
                    profiles:
                      strict: { extends: baseline }
                      stricter: { extends: strict }
                    """#,
                fix: #"""
                    Let one of the profiles extend `baseline`, or nothing; put what two anchor sets share into a
                    third that includes neither.
                    """#)
        case .badHost:
            return DiagnosticPage(
                explanation: #"""
                    A pattern is a DNS name of letters, digits, hyphens and underscores in labels of 1 to 63
                    octets, an IPv4 or IPv6 address, or a range of addresses, each with a port if wanted. Typographic
                    quotes are part of none, as letters or behind `xn--`. A pattern that no host can match protects
                    nothing.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api..acme.example", "10.0.0.300"]
                        anchors: [system]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example", "10.0.0.30"]
                        anchors: [system]
                    """#,
                fix: #"""
                    Correct the characters that are underlined.
                    """#)
        case .hostNotCanonical:
            return DiagnosticPage(
                explanation: #"""
                    Upper case, a dot at the end, Unicode letters and long forms of IPv6 are understood, but two
                    spellings of one host hide that they are the same.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["API.acme.example."]
                        anchors: [system]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                    """#,
                fix: #"""
                    Write the form that the message shows.
                    """#)
        case .urlNotHost:
            return DiagnosticPage(
                explanation: #"""
                    Trust is decided for a host and a port, before any path is known. A scheme, a path or a user
                    in a pattern would suggest a distinction that does not exist.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["https://api.acme.example/v1"]
                        anchors: [system]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                    """#,
                fix: #"""
                    Keep the host, and the port as `:443` where one is meant: a pattern without port is for every port.
                    """#)
        case .badWildcard:
            return DiagnosticPage(
                explanation: #"""
                    `*.` stands for exactly one label and `**.` for one or more, at the left end of a name; the
                    name itself is not included. A star elsewhere, or with letters beside it, has no meaning that
                    everyone agrees on.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api-*.acme.example"]
                        anchors: [system]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["*.api.acme.example"]
                        anchors: [system]
                    """#,
                fix: #"""
                    List the names, or cover the level with `*.` or `**.`.
                    """#)
        case .publicSuffixWildcard:
            return DiagnosticPage(
                explanation: #"""
                    Under a public suffix such as `com` or `co.uk` anyone registers names, so the rule would decide
                    for hosts of strangers. The list is built in and its date is told; compiling does not depend on it.
                    """#,
                bad: #"""
                    rules:
                      britain:
                        hosts: ["**.co.uk"]
                        anchors: [system]
                        owner: web
                    """#,
                good: #"""
                    rules:
                      britain:
                        hosts: ["**.acme.co.uk"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Write the names that are yours. What all other hosts get is written once, in `default`.
                    """#)
        case .apexUncovered:
            return DiagnosticPage(
                explanation: #"""
                    `*.` and `**.` never include the name behind them. Here the name itself is decided by another
                    rule or by `default`, which demands less: most likely the author thought it was covered.
                    """#,
                bad: #"""
                    default: { anchors: [system] }
                    anchors:
                      corporate: { files: [corporate.pem] }
                    rules:
                      internal:
                        hosts: ["**.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    default: { anchors: [system] }
                    anchors:
                      corporate: { files: [corporate.pem] }
                    rules:
                      internal:
                        hosts: ["acme.example", "**.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Add the name to `hosts`, or give it a rule of its own that says what it gets.
                    """#)
        case .depthSurprise:
            return DiagnosticPage(
                explanation: #"""
                    `*.` stands for exactly one label. The rule lists a host further down, so there are such hosts;
                    its neighbours are decided by something that demands less.
                    """#,
                bad: #"""
                    default: { anchors: [system] }
                    rules:
                      internal:
                        hosts: ["acme.example", "*.acme.example", "db.eu.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    default: { anchors: [system] }
                    rules:
                      internal:
                        hosts: ["acme.example", "**.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Write `**.` where hosts of every depth are meant, or a rule for the level below.
                    """#)
        case .samePatternTwice:
            return DiagnosticPage(
                explanation: #"""
                    The most specific pattern decides, and order means nothing: the same pattern in two rules
                    leaves open which of them holds.
                    """#,
                bad: #"""
                    rules:
                      api: { hosts: ["api.acme.example"], anchors: [system] }
                      old: { hosts: ["api.acme.example"], anchors: [corporate] }
                    """#,
                good: #"""
                    rules:
                      api: { hosts: ["api.acme.example"], anchors: [corporate] }
                    """#,
                fix: #"""
                    Take the pattern out of one rule. Where the two become one, it demands what both did: their anchors
                    together would trust more than either.
                    """#)
        case .shadowedRule:
            return DiagnosticPage(
                explanation: #"""
                    Each host that the rule's patterns cover is decided by a more specific pattern of another rule.
                    What the rule demands is demanded of nobody, and a reader would think otherwise.
                    """#,
                bad: #"""
                    rules:
                      racks:
                        hosts: ["192.0.2.0/31"]
                        anchors: [corporate]
                        owner: web
                      servers:
                        hosts: ["192.0.2.0", "192.0.2.1"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    rules:
                      racks:
                        hosts: ["192.0.2.0/24"]
                        anchors: [corporate]
                        owner: web
                      servers:
                        hosts: ["192.0.2.0", "192.0.2.1"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Delete the rule, or widen its patterns to the hosts it was meant for.
                    """#)
        case .redundantRule:
            return DiagnosticPage(
                explanation: #"""
                    Every host that the rule decides would get exactly the same without it: each demand, each set
                    and each exception of the next rule, or of `default`, is equal. Two places that must be kept
                    equal will not stay so.
                    """#,
                bad: #"""
                    default: deny
                    rules:
                      all:
                        hosts: ["**.acme.example"]
                        anchors: [system]
                        owner: web
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                good: #"""
                    default: deny
                    rules:
                      all:
                        hosts: ["**.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Delete the rule, or write the difference that it was made for. `lint --fix-unsafe` deletes it
                    only if what decides its hosts then has the same owner, and says all that the rule's note and
                    exceptions say: who answers for a host is never changed in silence.
                    """#)
        case .weakerInside:
            return DiagnosticPage(
                explanation: #"""
                    The most specific pattern decides, so a host with a rule of its own loses whatever the wildcard
                    around it demands and its own rule does not. So it is with anchors, which are compared as
                    certificates with their terms: an authority besides those of the wildcard, the same one with fewer
                    constraints, public authorities where the wildcard trusts private ones alone, or the machine's
                    whole store where it trusts chosen ones. So it is with lists: another list of suites, groups,
                    schemes, purposes, certificate policies or checks lets something through that the wildcard
                    refuses. Private authorities in place of public ones, or of other private ones, other pins,
                    other listed names, other types of keys and other application protocols are the rule's own
                    matter.
                    A carve-out is sometimes meant; then a comment that says why keeps this quiet. Waivers and
                    `report-only` have their own dates and are not counted here.
                    """#,
                bad: #"""
                    profiles:
                      strict: { keys: { rsa-minimum: 3072 } }
                    rules:
                      all:
                        hosts: ["**.acme.example"]
                        anchors: [system]
                        profile: strict
                        owner: web
                      shop:
                        hosts: ["shop.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                good: #"""
                    profiles:
                      strict: { keys: { rsa-minimum: 3072 } }
                    rules:
                      all:
                        hosts: ["**.acme.example"]
                        anchors: [system]
                        profile: strict
                        owner: web
                      shop:
                        hosts: ["shop.acme.example"]
                        anchors: [system]
                        profile: strict
                        owner: web
                    """#,
                fix: #"""
                    Give the narrower rule the demand that the message names, or the anchors of the wildcard, or say why
                    not: `# hawser:ignore HW211 -- REASON`.
                    """#,
                options: #"""
                    `--level strict` makes it an error.
                    """#)
        case .ipLiteral:
            return DiagnosticPage(
                explanation: #"""
                    An address is matched by an address in the certificate, never by a name, and public CAs certify
                    hardly any. Most likely the server's name was meant.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["203.0.113.10"]
                        anchors: [system]
                        owner: web
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Write the name that clients ask for; or trust the private CA that certifies the address.
                    """#)
        case .privateNamePublicRoots:
            return DiagnosticPage(
                explanation: #"""
                    No public CA may issue for `.internal`, `.local`, a name of one label or a private address
                    (CA/Browser Forum Baseline Requirements section 4.2.2), because anyone can claim them. Where
                    such a host trusts `system`, the only certificates that could come through are wrong ones.
                    """#,
                bad: #"""
                    rules:
                      build:
                        hosts: ["build.internal"]
                        anchors: [system]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate: { files: [corporate.pem] }
                    rules:
                      build:
                        hosts: ["build.internal"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Trust the private CA that issues for it, and it alone.
                    """#)
        case .weakDefault:
            return DiagnosticPage(
                explanation: #"""
                    `default` decides for every host that nobody thought of. Where all rules agree on a demand and
                    `default` lacks it, it was most likely forgotten there.
                    """#,
                bad: #"""
                    default: { anchors: [system] }
                    profiles:
                      strict: { keys: { rsa-minimum: 3072 } }
                    rules:
                      api: { hosts: ["api.acme.example"], anchors: [system], profile: strict, owner: web }
                      www: { hosts: ["www.acme.example"], anchors: [system], profile: strict, owner: web, note: site }
                    """#,
                good: #"""
                    default: { anchors: [system], profile: strict, owner: web }
                    profiles:
                      strict: { keys: { rsa-minimum: 3072 } }
                    rules:
                      api: { hosts: ["api.acme.example"], anchors: [corporate], profile: strict, owner: web }
                      www: { hosts: ["www.acme.example"], anchors: [corporate], profile: strict, owner: web }
                    """#,
                fix: #"""
                    Give `default` the profile that the rules have, or write `default: deny`.
                    """#)
        case .mixedScriptIdn:
            return DiagnosticPage(
                explanation: #"""
                    Letters of different scripts look alike. A label that mixes them, or a name that looks like another
                    one of the same policy, is rarely what its author typed on purpose.
                    """#,
                bad: #"""
                    rules:
                      shop:
                        hosts: ["xn--cme-5cd.example"]
                        anchors: [system]
                        owner: web
                    """#,
                good: #"""
                    rules:
                      shop:
                        hosts: ["acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Retype the name. Names of one script, Cyrillic or any other, are not meant.
                    """#)
        case .patternRepeated:
            return DiagnosticPage(
                explanation: #"""
                    The second has no effect; perhaps another host was meant.
                    """#,
                bad: #"""
                    rules:
                      api: { hosts: ["a.acme.example", "a.acme.example"], anchors: [system] }
                    """#,
                good: #"""
                    rules:
                      api: { hosts: ["a.acme.example", "b.acme.example"], anchors: [system] }
                    """#,
                fix: #"""
                    Delete one, or write the host that was meant.
                    """#)
        case .unreachablePattern:
            return DiagnosticPage(
                explanation: #"""
                    Each host that the pattern covers is decided by a more specific pattern. It suggests a
                    protection that no host gets.
                    """#,
                bad: #"""
                    rules:
                      racks:
                        hosts: ["192.0.2.0/31", "rack.acme.example"]
                        anchors: [corporate]
                        owner: web
                      servers:
                        hosts: ["192.0.2.0", "192.0.2.1"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    rules:
                      racks:
                        hosts: ["rack.acme.example"]
                        anchors: [corporate]
                        owner: web
                      servers:
                        hosts: ["192.0.2.0", "192.0.2.1"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Delete the pattern, or widen it to the hosts it was meant for.
                    """#)
        case .coveredPattern:
            return DiagnosticPage(
                explanation: #"""
                    Without the narrower pattern every host would get the same. A reader takes the two for two
                    decisions; perhaps a rule of its own was meant for one.
                    """#,
                bad: #"""
                    rules:
                      all:
                        hosts: ["api.acme.example", "**.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                good: #"""
                    rules:
                      all:
                        hosts: ["**.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Delete the narrower pattern, or the wider one if less was meant.
                    """#)
        case .everyAddress:
            return DiagnosticPage(
                explanation: #"""
                    A network with the prefix 0 covers every address there is, those of strangers too, and takes all of
                    them away from `default`, which was written for hosts that nobody thought of. In `permitted-names`
                    and `excluded-names` of an anchor set such a network is the way to speak of every address, and is
                    not reported.
                    """#,
                bad: #"""
                    anchors:
                      corporate: { files: [corporate.pem] }
                    rules:
                      plant:
                        hosts: ["0.0.0.0/0"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate: { files: [corporate.pem] }
                    rules:
                      plant:
                        hosts: ["10.20.0.0/16"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Write the networks that are yours. What holds for every other host belongs into `default`.
                    """#)
        case .nearMissName:
            return DiagnosticPage(
                explanation: #"""
                    A pattern with a slip in its name is valid: it waits for a host that does not exist, and the host
                    that was meant falls to another rule, or to `default`. So a label is reported that one edit turns
                    into a label used often, below the same name: a letter replaced, left out or added, or two
                    neighbours exchanged. Often means at least three patterns at or below the label, and at least three
                    times as many as at or below the other. Digits, hyphens and underscores do not count, so `web1`
                    beside `web2` is no slip; nor do words below five letters (six where a letter is replaced), which
                    are more often other words.
                    """#,
                bad: #"""
                    rules:
                      payments:
                        hosts: ["api.payments.example", "web.payments.example", "pay.payments.example"]
                        anchors: [system]
                        owner: web
                      reports:
                        hosts: ["reports.paymnets.example"]
                        anchors: [system]
                        owner: web
                    """#,
                good: #"""
                    rules:
                      payments:
                        hosts: ["api.payments.example", "web.payments.example", "pay.payments.example"]
                        anchors: [system]
                        owner: web
                      reports:
                        hosts: ["reports.payments.example"]
                        anchors: [system]
                        owner: web
                        note: has a rule of its own
                        keys: { rsa-minimum: 3072 }
                    """#,
                fix: #"""
                    Write the name that was meant. If both names exist, say so: `# hawser:ignore HW220 -- REASON`.
                    """#)
        case .anchorUnreadable:
            return DiagnosticPage(
                explanation: #"""
                    A file that is skipped would leave a set of anchors or pins smaller than its author thinks. Each
                    file must be there, be a regular file, and hold what is asked of it, all of it readable.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [anchors/missing.pem]
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [anchors/corporate.pem]
                    """#,
                fix: #"""
                    Put the file in its place, or correct the path, which is relative to the policy file.
                    """#)
        case .anchorExpired:
            return DiagnosticPage(
                explanation: #"""
                    The dates of an anchor's certificate bind: before the first and after the last of them no path ends
                    at it, and a rule with no other anchor accepts nothing. A set that says `ignore-limits: [dates]`
                    trusts the key whatever they are. While the clock skew, or a waiver `expired` that is in force, of
                    every rule that trusts it lets it through, nothing is told.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [expired.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Put the CA's new certificate into the set, and take the old one out.
                    """#,
                options: #"""
                    `--at` is the day that is judged.
                    """#)
        case .anchorExpiring:
            return DiagnosticPage(
                explanation: #"""
                    A new root takes months to reach everything that has to trust it, and the old one does not wait. The
                    new one goes into the set beside it, well before the old one ends. A certificate that is trusted as
                    itself, `kind: leaf`, is told in the last third of its lifetime at the earliest.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [ending.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Ask the CA for its successor's certificate, and name both for as long as both issue.
                    """#,
                options: #"""
                    Told `--horizon` ahead: 90 days by default.
                    """#)
        case .anchorKind:
            return DiagnosticPage(
                explanation: #"""
                    `kind` says what the files of a set hold: `root` a CA certificate issued to itself,
                    `intermediate` a CA certificate issued by another, `leaf` any certificate, which then vouches
                    for itself alone. A certificate of another kind was most likely not meant to be an anchor.
                    """#,
                bad: #"""
                    anchors:
                      appliance:
                        files: [appliance-server.pem]
                    """#,
                good: #"""
                    anchors:
                      appliance:
                        files: [appliance-server.pem]
                        kind: leaf
                    """#,
                fix: #"""
                    Say the kind, or name the file that was meant.
                    """#)
        case .weakAnchor:
            return DiagnosticPage(
                explanation: #"""
                    The key of an anchor is judged like every key of the path: RSA of fewer bits than the baseline has, or a
                    key of a type that no rule may allow, leaves the anchor without paths. A rule or profile that asks for
                    more, so that no anchor of the rule has such a key, accepts nothing at all. And where another CA issued
                    the anchor, a signature with SHA-1 or MD5 does not prove that it did; Hawser verifies no anchor's own
                    signature, so nothing else would notice. Waivers in force that let it through keep this quiet.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [weak.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Trust a root with a key of today. Where a partner has none yet, the waiver `keys` names who takes the
                    risk and until when.
                    """#)
        case .duplicateAnchor:
            return DiagnosticPage(
                explanation: #"""
                    The second one adds nothing, and taking one of the two out, as one does when a CA is no longer trusted,
                    changes nothing either: the other stays. Two certificates with one name and one key are one anchor
                    too; then a path may end at either, and the wider of their dates and limits count.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem, corporate.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Name it once. `hawser lint --fix` removes an item that adds no certificate.
                    """#)
        case .privateKeyPresent:
            return DiagnosticPage(
                explanation: #"""
                    Policies are read by many and kept for long. A private key in a file that a policy names is as
                    good as published, also one that a Java key store or PKCS#12 encrypts with a password. A trust store
                    without a key is HW301.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [corporate-with-key.pem]
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    """#,
                fix: #"""
                    Take the key out of the file, out of the repository's history too, and replace the key.
                    """#)
        case .nameConstraintsExclude:
            return DiagnosticPage(
                explanation: #"""
                    The name constraints in an anchor's certificate say for which names its paths may speak, and so do
                    `permitted-names` and `excluded-names` of a set. A host that all anchors of its rule rule out is
                    refused whatever certificate it has. A wildcard is told when this holds for every host that it covers.
                    A set of kind `leaf` trusts a server's own certificate by its bytes. A host whose name that
                    certificate does not present is refused, too.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                        constraints:
                          permitted-names: ["*.corp.example"]
                    rules:
                      api:
                        hosts: ["api.corp.example", "api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                        constraints:
                          permitted-names: ["*.corp.example", "*.acme.example"]
                    rules:
                      api:
                        hosts: ["api.corp.example", "api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Name an anchor for the host, permit its name, or take the host out of the rule. Limits in the
                    certificate itself do not bind in a set with `ignore-limits: [name-constraints]`. For a server's own
                    certificate, put one with the name into the set, or let `identity` list the name that it presents.
                    """#)
        case .loneAnchorEnding:
            return DiagnosticPage(
                explanation: #"""
                    Somebody decided until when the keys of this rule are pinned, or until when something is let through,
                    and the one certificate that the rule trusts ends before that. Its successor is not in the set yet.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2036-12-31
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        pins: [acme]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2028-12-31
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        pins: [acme]
                        owner: web
                    """#,
                fix: #"""
                    Put the successor into the set once it exists, or end the pins no later than the anchor.
                    """#)
        case .unmatchedEntry:
            return DiagnosticPage(
                explanation: #"""
                    What such an entry was meant to keep or remove is not in the set: the file was replaced, the
                    digest is another certificate's, or an earlier filter has removed it already. Nothing is
                    removed that was not meant to be trusted, but perhaps something stays that was.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                        exclude:
                          retired: { certificate: "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" }
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem, retired.pem]
                        exclude:
                          retired: { certificate-file: retired.pem }
                    """#,
                fix: #"""
                    Name the certificate by the file it stands in, or remove the entry.
                    """#)
        case .anchorDeadEnd:
            return DiagnosticPage(
                explanation: #"""
                    A certificate may be a CA by its basicConstraints and still be of no use: its key usage does not let
                    it sign certificates, it has a critical extension that is not processed, its purposes are others than
                    all its rules want, or it lacks what the standard of its set asks of an anchor. The rule reads as if
                    it trusted the CA, and does not.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [code-only.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Ask the CA for the certificate that its servers' paths end at. Purposes in the certificate do not bind
                    in a set with `ignore-limits: [key-purposes]`.
                    """#)
        case .anchorSetDeadEnd:
            return DiagnosticPage(
                explanation: #"""
                    The set reads as if it trusted its CAs, but a rule accepts nothing through it: every certificate in
                    it may not sign certificates, has a critical extension that is not processed, is for other purposes
                    or has a weaker key than its rules allow, or lacks what the standard of the set asks of an anchor.
                    Dates are left to `hawser lint`, because compiling reads no clock; a waiver counts as in force.
                    `hawser lint` says it of each certificate, with HW312 or HW305.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [code-only.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Ask the CA for the certificate that its servers' paths end at, and put it into the set.
                    """#)
        case .version1Root:
            return DiagnosticPage(
                explanation: #"""
                    A certificate of version 1 has no extensions, so nothing in it tells a CA from a server that signed its
                    own certificate. A set of kind `root` takes it at the policy's word. If it is a server's, whoever holds
                    that server's key may then vouch for every host of every rule that trusts the set.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [version-1.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Write `kind: leaf` for a server's own certificate; it names no host, so that a certificate of version 3
                    is what serves in the end. For a CA ask for a certificate of version 3, or
                    leave it and hide the warning with a comment that says why.
                    """#)
        case .excludedStillReached:
            return DiagnosticPage(
                explanation: #"""
                    `exclude` takes a CA out of the certificates at which a path may end. Where another anchor of the rule
                    has issued a certificate for the same name and key, a path goes on through the CA to that anchor and is
                    accepted. So it is with an intermediate whose root stays in the set, and with a root that another CA
                    has cross-certified. Told are the certificates that the unit names; a peer may send others. A CA
                    that another set of the rule trusts is an anchor on that set's terms and is not told.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem, retired.pem]
                        intermediates: [retired-cross.pem]
                        exclude:
                          retired: { certificate-file: retired.pem }
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem, retired.pem]
                        intermediates: [retired-cross.pem]
                        exclude:
                          retired: { certificate-file: retired.pem }
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                        forbidden-keys:
                          retired: { spki-file: retired.pem }
                    """#,
                fix: #"""
                    Write the key under `forbidden-keys` of the rule or its profile, by `spki-file` or `spki`: then no path
                    that holds it is accepted, whatever certificate carries it.
                    """#)
        case .issuanceBreach:
            return DiagnosticPage(
                explanation: #"""
                    RFC 5280 section 4 and the Baseline Requirements are addressed to those who issue certificates. A
                    breach of such a demand lets nobody vouch for more than was meant, so it is a notice of the accept
                    and rejects only under `path.issuance: enforce`. Told are the certificates in `files`, `pem` and
                    `intermediates`, so that a team can have them issued again and then enforce. Certificates that a
                    server sends are judged with each connection. Members of the machine's store are not told.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                        intermediates: [unmarked.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                        intermediates: [issuing.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Have the CA issue the certificate again so that it meets the demands. `grammar/demands.md` says of
                    each demand where it is from, and what a breach would let an attacker do.
                    """#)
        case .issuanceRefused:
            return DiagnosticPage(
                explanation: #"""
                    The rule has `path.issuance: enforce`, and a certificate of a set that it trusts does not meet a
                    demand on its issuer that no waiver names. So the rule rejects every path through the certificate.
                    It reads as if it trusted the CA, and does not.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                        intermediates: [unmarked.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        path: { issuance: enforce }
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                        intermediates: [unmarked.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        path: { issuance: report }
                        owner: web
                    """#,
                fix: #"""
                    Have the CA issue the certificate again so that it meets the demands. Until then write the waiver
                    `issuance`, which names the demands, or leave `path.issuance` at `report`.
                    """#)
        case .leftOutByUse:
            return DiagnosticPage(
                explanation: #"""
                    OpenSSL's trusted certificates (`TRUSTED CERTIFICATE`) say for which uses they are trusted and for
                    which they are rejected. One that is rejected for servers, or trusted for other uses alone, is no
                    member of the set, and neither is another certificate of a rejected one's name and key.
                    `openssl x509` drops the uses in silence, takes the first certificate of a file alone, and so makes an
                    anchor of what its author rejects.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [bundle.trusted.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Nothing must be done: the certificate is left out. Take it out of the file where the file is yours.
                    A path may still go on through its key to another anchor; to refuse the key on every path write it
                    under `forbidden-keys`.
                    """#)
        case .mootTerms:
            return DiagnosticPage(
                explanation: #"""
                    An anchor in several sets of a rule is tried once per set, each time on that set's terms alone. So a
                    constraint, a stricter standard or an `exclude` of one set decides nothing where another set of the
                    rule holds the same CA without it. The policy reads as if it limited the CA, and does not.
                    """#,
                bad: #"""
                    anchors:
                      bundle:
                        files: [corporate.pem, acme.pem]
                      limited:
                        files: [acme.pem]
                        constraints: { not-before: { until: 2026-04-15 } }
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [bundle, limited]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      bundle:
                        files: [corporate.pem, acme.pem]
                      others:
                        include: [bundle]
                        exclude:
                          apart: { certificate-file: acme.pem }
                      limited:
                        files: [acme.pem]
                        constraints: { not-before: { until: 2026-04-15 } }
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [others, limited]
                        owner: web
                    """#,
                fix: #"""
                    Exclude the CA from the set with the wider terms, in a set of its own that includes the wider one, and
                    name that set in the rule.
                    """#)
        case .termsBesideSystem:
            return DiagnosticPage(
                explanation: #"""
                    The rule trusts a CA on the terms of a set and the machine's store beside it. If the store holds the
                    same CA, paths that the set's terms refuse are accepted through the store (HW319 says why). Which CAs a
                    store holds differs from machine to machine, so that this is a remark.
                    """#,
                bad: #"""
                    anchors:
                      limited:
                        files: [acme.pem]
                        constraints: { not-before: { until: 2026-04-15 } }
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system, limited]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      store:
                        include: [system]
                        exclude:
                          apart: { certificate-file: acme.pem }
                      limited:
                        files: [acme.pem]
                        constraints: { not-before: { until: 2026-04-15 } }
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [store, limited]
                        owner: web
                    """#,
                fix: #"""
                    Exclude the CA from the store, in a set of its own that includes `system`. Leave it where the CA is
                    private and stands in no store.
                    """#)
        case .malformedPin:
            return DiagnosticPage(
                explanation: #"""
                    A key is pinned by the digest of its SubjectPublicKeyInfo, `sha256/` and base64 (RFC 4648
                    section 4, padded); a certificate by that of its bytes, `sha256:` and lower-case hexadecimal.
                    The two forms differ so that one is not taken for the other.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D }
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                    """#,
                fix: #"""
                    Let `hawser pin FILE` print the digest. Where the octets are beyond doubt and only their spelling
                    is another one, `lint --fix-unsafe` writes the right one.
                    """#)
        case .noBackupPin:
            return DiagnosticPage(
                explanation: #"""
                    When a pinned key is lost or replaced, only a backup keeps clients connected. A backup that is
                    the key in service is lost together with it.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                    """#,
                fix: #"""
                    Make the next key now, keep it offline, and pin it under `backups`.
                    """#)
        case .duplicatePin:
            return DiagnosticPage(
                explanation: #"""
                    `match` counts distinct keys, so the second entry adds nothing; perhaps another key was meant.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          one: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                          two: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          one: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                    """#,
                fix: #"""
                    Delete one, or pin the key that was meant.
                    """#)
        case .pinNoEnd:
            return DiagnosticPage(
                explanation: #"""
                    Keys are pinned for a time: until the certificate is renewed, the authority changed, the key
                    replaced. Without a last day nobody is reminded, and the renewal that brings another key cuts the
                    hosts off. The day itself does no harm: past it a pinned key is accepted as before, and `lint` says
                    that it has passed.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                fix: #"""
                    Write the last day that the keys are planned for, such as the end of the certificate in service.
                    """#)
        case .pinExpired:
            return DiagnosticPage(
                explanation: #"""
                    Past its last day a pin set is one that nobody looks after. With `on-expiry: fail`, the default, a
                    new key is still refused, so the next renewal cuts the hosts off; with `report` and `unpinned` any
                    key is accepted already. Which of the two it is, the finding says.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2026-03-31
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                fix: #"""
                    Pin the keys that are in service, and write the day until which they will be.
                    """#,
                options: #"""
                    `--at` is the day that is judged.
                    """#)
        case .pinExpiring:
            return DiagnosticPage(
                explanation: #"""
                    Keys are pinned up to a day, and that day is near. A new set has to reach every client before it:
                    after it the hosts are cut off by the next renewal, or open to any key, as `on-expiry` says.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2026-06-15
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                fix: #"""
                    Pin the keys of the time after it beside the old ones, and write a later `enforce-until`.
                    """#,
                options: #"""
                    Told a third of `--horizon` ahead: 30 days by default.
                    """#)
        case .pinAnchorConflict:
            return DiagnosticPage(
                explanation: #"""
                    A path must end at an anchor of the rule and hold a pinned key. Here every key in service is that of a
                    certificate whose issuers end at another root, or is pinned `at: anchor` and is no anchor of the
                    rule, so no path does both: the rule rejects whatever a server presents. Said only where the unit's
                    own certificates tell all of it: not with `system`, and not where an issuer is missing.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    pins:
                      acme:
                        keys:
                          current: { spki-file: other.pem, at: ca }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        pins: [acme]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    pins:
                      acme:
                        keys:
                          current: { spki-file: corporate.pem, at: ca }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        pins: [acme]
                        owner: web
                    """#,
                fix: #"""
                    Pin a key that the anchors vouch for, or name the anchors that vouch for the pinned one.
                    """#)
        case .leafOnlyPins:
            return DiagnosticPage(
                explanation: #"""
                    Keys of servers change with nearly every renewal. A set that pins nothing else must be told of each new
                    key before it goes into service, by every client; a pin of the issuing authority outlives renewals.
                    In rules under `pinned-keys` that is as meant, and nothing is said.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=, at: leaf }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk=, at: leaf }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          issuing: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=, at: ca }
                        backups:
                          other: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk=, at: ca }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                fix: #"""
                    Keep the server's key at each renewal, and roll each next key out as a backup in time. Or pin the
                    authority's key in place of the servers', with `at: ca`; beside it, the servers' pins refuse nothing
                    (HW418).
                    """#)
        case .placeholderPin:
            return DiagnosticPage(
                explanation: #"""
                    Zeros, a repeated pattern, readable text, text in the place of base64, the digest of nothing or
                    the example of a page stands where the digest of a key should. No key matches it: as the only key in service it cuts the hosts
                    off, and as a backup it saves nobody.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                fix: #"""
                    Let `hawser pin FILE` print the digest of the key.
                    """#)
        case .pinOpenOnExpiry:
            return DiagnosticPage(
                explanation: #"""
                    With `on-expiry: report` or `unpinned` the pins bind up to `enforce-until`, and from the next second any
                    key is accepted. Whoever waits for that day gets in. `fail`, the default, keeps accepting what is
                    pinned, and refuses the rest.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2027-06-30
                        on-expiry: unpinned
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                fix: #"""
                    Leave `on-expiry` out, and renew the set before its last day.
                    """#)
        case .incomparableBackup:
            return DiagnosticPage(
                explanation: #"""
                    A backup has to be another key than those in service (HW402). The two here are known by digests of
                    unlike kind, a key's and a certificate's or of two algorithms, so they may well be of one key, and
                    nobody would notice before the backup is needed.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { certificate: "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b8aa" }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                fix: #"""
                    Write both by the same digest of the key, as `hawser pin FILE` prints it, or name their files.
                    """#)
        case .loneKeyEnding:
            return DiagnosticPage(
                explanation: #"""
                    The set has one key in service, and the last certificate that the unit knows of it ends soon, or has
                    ended. The next certificate may bring another key; then only the backup stands between the renewal and
                    hosts that are cut off.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki-file: ending.pem }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki-file: current.pem }
                        backups:
                          spare: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                fix: #"""
                    Pin the key of the next certificate before it goes into service, or name the new certificate if the key
                    stays.
                    """#,
                options: #"""
                    Told a third of `--horizon` ahead: 30 days by default.
                    """#)
        case .warnFromLate:
            return DiagnosticPage(
                explanation: #"""
                    From `warn-from` on an accept has the notice `pin-ageing`, so that somebody pins the next keys
                    before `enforce-until`. A `warn-from` after that day never warns in time; most often the two dates
                    were exchanged.
                    """#,
                bad: #"""
                    pins:
                      api:
                        keys:
                          now: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        warn-from: 2027-06-30
                        enforce-until: 2027-04-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [api]
                        owner: web
                    """#,
                good: #"""
                    pins:
                      api:
                        keys:
                          now: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        warn-from: 2027-04-30
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [api]
                        owner: web
                    """#,
                fix: #"""
                    Write a `warn-from` before `enforce-until`, early enough for the next keys to reach everyone.
                    """#)
        case .leafCertificatePin:
            return DiagnosticPage(
                explanation: #"""
                    A digest of a certificate matches that certificate alone. A renewal makes another one, even with the
                    same key, and a set whose keys in service are such digests then rejects the server. Public CAs issue
                    for at most 200 days since 2026-03-15, 100 from 2027-03-15 on and 47 from 2029-03-15 on (CA/Browser
                    Forum ballot SC-081v3). It is told where the rule trusts public CAs alone, or has itself a limit of
                    200 days or less for what is issued at the day of the run. Under `pinned-keys`, and in a set that
                    is satisfied without the certificate, nothing is said.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          current: { certificate: sha256:5f4c2cf2a1a7bd2ba7e5c0f4b2a6d1ef03de9c3b88f6f2a0d4b1c7e95a3f6d81, at: leaf }
                        backups:
                          next: { certificate: sha256:a3b7d61f0c9e54820d13fb6e7c2845f9be1d03a7c64f98e25b70d1cf3a86e492, at: leaf }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          current: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=, at: leaf }
                        backups:
                          next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk=, at: leaf }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                fix: #"""
                    Pin the server's key, which vouches for the same server and no other, and have it kept at each renewal.
                    Put the next key into `backups` before the server uses it. A pin of the issuing CA outlives new keys
                    too, and accepts whatever that CA issues for the host.
                    """#)
        case .forbiddenByDigest:
            return DiagnosticPage(
                explanation: #"""
                    A key can stand in a certificate in two encodings: a point of a curve is compressed or not, and RSA
                    has the parameters NULL or none. The digest of the usual encoding, uncompressed or with NULL,
                    forbids the key in both. The digest of the other encoding forbids that one alone, and a digest does
                    not show of which it is. An entry by `certificate` or `certificate-file` forbids those certificates
                    and not their keys: a cross-certificate of a stolen CA still passes, and whoever has a certificate
                    with an ECDSA signature can write that signature in a second way.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                        forbidden-keys:
                          stolen-ca: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                        forbidden-keys:
                          stolen-ca: { spki-file: stolen/ca.pem }
                    """#,
                fix: #"""
                    Keep the certificate, the request or the public key beside the policy and name it by `spki-file`: then
                    the key is forbidden in whatever encoding it is presented. Leave the digest where you know that it is
                    of the usual encoding, as `hawser pin` prints it of nearly every certificate.
                    """#)
        case .voidPin:
            return DiagnosticPage(
                explanation: #"""
                    One entry of a pin set is enough for a match, unless `match` asks for more. If one entry pins a
                    server's key and another one the CA that issued the server's certificate, then every certificate of
                    that CA matches, and the pin of the server's key refuses nothing. It is reported where the unit has
                    both certificates and the signature proves it; digests alone do not show who issued what.
                    """#,
                bad: #"""
                    pins:
                      acme:
                        keys:
                          server: { spki-file: acme-server.pem, at: leaf }
                        backups:
                          issuing: { spki-file: acme-issuing.pem, at: ca }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                good: #"""
                    pins:
                      acme:
                        keys:
                          server: { spki-file: acme-server.pem, at: leaf }
                        backups:
                          next: { spki-file: acme-next.pem, at: leaf }
                        enforce-until: 2027-06-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        owner: web
                    """#,
                fix: #"""
                    Decide which of the two is pinned. For the server: make the next key now, keep it offline, and pin it
                    under `backups`. For the CA: pin the CA under `keys`, another CA under `backups`, and take the server's
                    entry out.
                    """#)
        case .hardFailNoSource:
            return DiagnosticPage(
                explanation: #"""
                    The rule rejects what may be revoked (`no-endpoint: fail`, which `preset: require` sets), and a
                    certificate that the unit knows has neither an OCSP responder nor a CRL in it. Unless the program brings
                    its CRL along with every request, each path with it is rejected.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                        intermediates: [issuing.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                        revocation: { preset: require }
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                        intermediates: [issuing.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                        revocation: { preset: require, scope: leaf }
                    """#,
                fix: #"""
                    Narrow what is demanded (`scope`, `short-lived`, `causes`), or have the certificate issued with a source.
                    """#)
        case .flagConflict:
            return DiagnosticPage(
                explanation: #"""
                    Each field is right by itself, but together they can never be met or undo one another, such as
                    a minimum above its maximum, `pinned-keys` in a rule without `pins`, certificate transparency
                    without a log list, or for anchors that are all private.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [pinned-keys]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [pinned-keys]
                        pins: [acme]
                    """#,
                fix: #"""
                    Decide which of the two holds and change the other.
                    """#)
        case .hollowIdentity:
            return DiagnosticPage(
                explanation: #"""
                    With `waivers.path` any issuer is taken, so anyone can make a certificate with the right name:
                    checking the name proves nothing. Pins that bind make it mean something again.
                    """#,
                bad: #"""
                    rules:
                      lab:
                        hosts: ["lab.acme.example"]
                        anchors: [system]
                        waivers:
                          path: { reason: no CA yet, owner: lab, until: 2027-01-31 }
                    """#,
                good: #"""
                    rules:
                      lab:
                        hosts: ["lab.acme.example"]
                        anchors: [pinned-keys]
                        pins: [lab]
                    """#,
                fix: #"""
                    Pin the key and use `anchors: [pinned-keys]`; or waive `identity` too, and say so.
                    """#)
        case .identityUnclear:
            return DiagnosticPage(
                explanation: #"""
                    Names under `identity` may replace the requested host or be demanded beside it. Which of the
                    two, `reference` says; without it the weaker reading would go unnoticed.
                    """#,
                bad: #"""
                    rules:
                      mail:
                        hosts: ["mail.acme.example"]
                        anchors: [system]
                        identity: { dns: [www.acme.example] }
                    """#,
                good: #"""
                    rules:
                      mail:
                        hosts: ["mail.acme.example"]
                        anchors: [system]
                        identity: { reference: listed, dns: [www.acme.example] }
                    """#,
                fix: #"""
                    Add `reference: listed` or `reference: host-and-listed`, or leave the names out.
                    """#)
        case .weakerThanProfile:
            return DiagnosticPage(
                explanation: #"""
                    A reader of `profile: strict` takes the rule for strict. A field of the rule's own wins over the
                    profile, and here it demands less, or lists other suites, groups, schemes, purposes or checks than
                    the profile does; what is below the baseline takes a waiver, but down to it no word is needed.
                    """#,
                bad: #"""
                    profiles:
                      strict:
                        tls: { minimum-version: tls1.3 }
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        profile: strict
                        owner: web
                        tls: { minimum-version: tls1.2 }
                    """#,
                good: #"""
                    profiles:
                      strict:
                        tls: { minimum-version: tls1.3 }
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        profile: strict
                        owner: web
                    """#,
                fix: #"""
                    Leave the field to the profile; or keep it, with an ignore comment that says why.
                    """#,
                options: #"""
                    `--level strict` makes it an error.
                    """#)
        case .mootWaiver:
            return DiagnosticPage(
                explanation: #"""
                    A waiver tolerates what a check of the rule would refuse. Where the rule has no such check, the
                    waiver stands for a risk that nobody took, or a demand that someone forgot. An entry of
                    `report-only` without such a check is a warning: it reports nothing, and nothing is let through.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        waivers:
                          pins: { reason: rotation, owner: api, until: 2027-01-31 }
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [acme]
                        waivers:
                          pins: { reason: rotation, owner: api, until: 2027-01-31 }
                    """#,
                fix: #"""
                    Delete the entry, or add the demand that it was written for.
                    """#)
        case .ignoredLimits:
            return DiagnosticPage(
                explanation: #"""
                    Limits that an anchor's certificate carries bind its paths: its dates, name constraints, key purposes,
                    path length. `ignore-limits` undoes them for the set. The finding lists what is undone in fact, for
                    `--level audit`.
                    """#,
                bad: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                        ignore-limits: [dates]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate:
                        files: [corporate.pem]
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                fix: #"""
                    Nothing, if it is meant; otherwise delete the limit, or name the certificate that replaces this one.
                    """#)
        case .exceptionInForce:
            return DiagnosticPage(
                explanation: #"""
                    While it lasts, the rule accepts what the finding says. It is complete and ends soon, so nothing is
                    wrong with it; `--level audit` lists every such place, since each is a way in.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                        waivers:
                          expired: { tolerance: 7d, reason: vendor is late, owner: web, until: 2026-08-31 }
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Nothing, or end it sooner: delete the entry once its reason is gone.
                    """#,
                options: #"""
                    `--at` is the day that is judged.
                    """#)
        case .listedOnWildcard:
            return DiagnosticPage(
                explanation: #"""
                    With `reference: listed` a certificate need not name the host that was asked for: one of the listed
                    names suffices. Over a wildcard, or in `default`, whoever holds the certificate of that one service
                    can stand in for every host of the pattern. URI patterns that end in `*` are not reported, since
                    they say themselves that they stand for many; nor are networks, whose addresses have no names.
                    """#,
                bad: #"""
                    anchors:
                      corporate: { files: [corporate.pem] }
                    rules:
                      services:
                        hosts: ["**.svc.acme.example"]
                        anchors: [corporate]
                        identity: { reference: listed, dns: [ledger.svc.acme.example] }
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate: { files: [corporate.pem] }
                    rules:
                      services:
                        hosts: ["**.svc.acme.example"]
                        anchors: [corporate]
                        owner: web
                        keys: { rsa-minimum: 2048 }
                      ledger:
                        hosts: ["ledger.pay.acme.example"]
                        anchors: [corporate]
                        identity: { reference: listed, dns: [ledger.svc.acme.example] }
                        owner: web
                    """#,
                fix: #"""
                    Give the host that shows the name a rule of its own. Where the certificates of all hosts have the
                    name beside their own, write `reference: host-and-listed`.
                    """#,
                options: #"""
                    `--level strict` makes it an error.
                    """#)
        case .unmeetableDemand:
            return DiagnosticPage(
                explanation: #"""
                    Each of these demands is sound, and together they reject every connection: forward secrecy, and
                    listed suites that do not have it; signature schemes that no key of the allowed types can make. It is
                    reported where the second of the two is written.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        tls:
                          maximum-version: tls1.2
                          forward-secrecy: required
                          cipher-suites: [TLS_RSA_WITH_AES_128_GCM_SHA256]
                        owner: web
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        tls:
                          maximum-version: tls1.2
                          forward-secrecy: required
                          cipher-suites: [TLS_RSA_WITH_AES_128_GCM_SHA256, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256]
                        owner: web
                    """#,
                fix: #"""
                    Add to the list what the other demand asks for; the help names a suite or scheme. The list may also
                    be left out: the TLS library then offers its own, and the other demand holds all the same.
                    """#)
        case .idleScheme:
            return DiagnosticPage(
                explanation: #"""
                    The scheme allows nothing, because the same rule or profile allows no key that signs by it. Either
                    the scheme is left over, or a type of key is missing and servers that have it are rejected.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        keys: { types: [p256, p384] }
                        signatures: { schemes: [ecdsa, rsa-pss] }
                        owner: web
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        keys: { types: [p256, p384] }
                        signatures: { schemes: [ecdsa] }
                        owner: web
                    """#,
                fix: #"""
                    Remove the scheme, or allow the keys that it was written for.
                    """#)
        case .requireNothing:
            return DiagnosticPage(
                explanation: #"""
                    `preset: require` makes every cause reject. Where each of them is then set to `pass`, a certificate
                    without any evidence is accepted, and a reader of the first line believes the opposite. What is
                    proved revoked is rejected all the same.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        revocation:
                          preset: require
                          causes: { unknown: pass, no-endpoint: pass, unreachable: pass, stale: pass, malformed: pass, not-covered: pass }
                        owner: web
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        revocation:
                          preset: require
                          causes: { no-endpoint: pass }
                        owner: web
                    """#,
                fix: #"""
                    Leave out each cause that is to reject. Where no evidence is required, write `preset: best-effort`.
                    """#,
                options: #"""
                    `--level strict` makes it an error.
                    """#)
        case .publicClientAuth:
            return DiagnosticPage(
                explanation: #"""
                    Public CAs certify servers. By the Chrome Root Program Policy 1.8, section 1.3.2, an issuing CA that
                    is disclosed from 2026-06-15 on has `server-auth` as its only purpose, and so has every certificate
                    that is issued from 2027-03-15 on; most public CAs left `client-auth` out during 2026, Let's Encrypt
                    on 2026-02-11. A rule that asks them for `client-auth` alone rejects more certificates with each
                    renewal, and in the end all.
                    """#,
                bad: #"""
                    rules:
                      clients:
                        hosts: ["clients.acme.example"]
                        anchors: [system]
                        path: { key-purposes: [client-auth] }
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      corporate: { files: [corporate.pem] }
                    rules:
                      clients:
                        hosts: ["clients.acme.example"]
                        anchors: [corporate]
                        path: { key-purposes: [client-auth] }
                        owner: web
                    """#,
                fix: #"""
                    Trust the private CA that issues to the clients, and it alone.
                    """#)
        case .ocspNotPublished:
            return DiagnosticPage(
                explanation: #"""
                    CAs may leave OCSP out (CA/Browser Forum ballot SC-063, in force since March 2024), and Let's Encrypt
                    ended it on 2025-08-06. A rule whose `revocation.sources` has no `crl` looks for no evidence that
                    such a CA publishes. What follows is what `revocation.causes.no-endpoint` says: `pass`, which
                    `best-effort` stands for, accepts without a word; `fail` rejects every path. It is told where it is
                    known from the unit: an anchor is a root of Let's Encrypt, or a certificate that the unit names below
                    an anchor has a CRL in it and no responder. Of other anchors and of `system` nothing is said.
                    """#,
                bad: #"""
                    anchors:
                      letsencrypt: { files: [isrg-root-x1.pem], standard: web-pki }
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [letsencrypt]
                        revocation: { sources: [stapled, ocsp] }
                        owner: web
                    """#,
                good: #"""
                    anchors:
                      letsencrypt: { files: [isrg-root-x1.pem], standard: web-pki }
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [letsencrypt]
                        revocation: { sources: [stapled, crl, ocsp] }
                        owner: web
                    """#,
                fix: #"""
                    Add `crl` to the sources, or leave `sources` out.
                    """#)
        case .logListStale:
            return DiagnosticPage(
                explanation: #"""
                    Timestamps are judged by the log list that is compiled in. It is older than
                    `transparency.log-list-maximum-age` allows at the time of the run, and `transparency.when-stale` is
                    `fail`, so that every connection that must have timestamps is rejected.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                        transparency: { preset: chrome, log-list: ct/old_log_list.json }
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                        transparency: { preset: chrome, log-list: ct/log_list.json }
                    """#,
                fix: #"""
                    Put the present list in the place of the old one, and have that done at each release. A program may
                    hand a newer list over when it loads the table; then this finding says nothing of that program.
                    """#)
        case .logListAgeing:
            return DiagnosticPage(
                explanation: #"""
                    Within the horizon the log list that is compiled in becomes older than
                    `transparency.log-list-maximum-age` allows. From then on every connection that must have timestamps is
                    rejected (HW520).
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                        transparency: { preset: chrome, log-list: ct/ageing_log_list.json }
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                        transparency: { preset: chrome, log-list: ct/log_list.json }
                    """#,
                fix: #"""
                    Put the present list in the place of the old one before that day. A longer
                    `log-list-maximum-age` trusts logs for longer that have been found at fault since.
                    """#)
        case .versionWithoutSuite:
            return DiagnosticPage(
                explanation: #"""
                    TLS 1.2 and TLS 1.3 share no cipher suite. Lists for Go (`CipherSuites`), nginx (`ssl_ciphers`) and
                    OpenSSL (`-cipher`) name suites of TLS 1.2 only, and these programs accept TLS 1.3 all the same.
                    Here the list is the whole of what is accepted: without a suite of TLS 1.3 every connection over
                    TLS 1.3 is rejected, which is what most servers speak.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                        tls:
                          cipher-suites:
                            - TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
                            - TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                        tls:
                          cipher-suites:
                            - TLS_AES_128_GCM_SHA256
                            - TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
                            - TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
                    """#,
                fix: #"""
                    Add the suites that the help names. A rule that shall accept TLS 1.3 and nothing older says so with
                    `minimum-version: tls1.3`. Do not lower `maximum-version` to make the list fit: that keeps TLS 1.3 out.
                    """#)
        case .noOwner:
            return DiagnosticPage(
                explanation: #"""
                    `owner` is printed wherever the rule is: in `show`, in `explain`, in reports. It is who is asked when
                    the rule rejects at night, and who may say that it can go. A rule without one is never deleted.
                    `default` needs one too, unless it denies.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Add `owner` with the name of a team, better than a person's.
                    """#,
                options: #"""
                    `--level strict` makes it an error.
                    """#)
        case .noReason:
            return DiagnosticPage(
                explanation: #"""
                    A waiver goes below the baseline. Who takes the risk and why is part of it, for those who find
                    it later.
                    """#,
                bad: #"""
                    waivers:
                      expired: { until: 2027-01-31, tolerance: 7d }
                    """#,
                good: #"""
                    waivers:
                      expired: { reason: vendor is late, owner: api, until: 2027-01-31, tolerance: 7d }
                    """#,
                fix: #"""
                    Add `reason` and `owner`.
                    """#)
        case .exceptionEnded:
            return DiagnosticPage(
                explanation: #"""
                    The rule is judged as if the entry were not there, in every command and in every service. It tells
                    its readers of a tolerance that no longer exists, and whoever renews it by its date alone takes the
                    risk again without a decision. No comment hides this.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                        waivers:
                          expired: { tolerance: 7d, reason: vendor is late, owner: web, until: 2026-03-31 }
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Delete the entry; if the risk is taken again, write it anew, with its owner, reason and last day.
                    An entry of `report-only` stands in front of those of the profiles below it, ended or not: where one
                    of them is in force, end that one first.
                    """#,
                options: #"""
                    `--at` is the day that is judged.
                    """#)
        case .exceptionOpenEnded:
            return DiagnosticPage(
                explanation: #"""
                    An exception without an end becomes the rule. A waiver or an entry of `report-only` holds up to
                    the end of its `until` and is judged as absent afterwards.
                    """#,
                bad: #"""
                    waivers:
                      identity: { reason: migration, owner: api }
                    """#,
                good: #"""
                    waivers:
                      identity: { reason: migration, owner: api, until: 2027-01-31 }
                    """#,
                fix: #"""
                    Add `until` with the last day on which the exception is wanted.
                    """#)
        case .exceptionTooLong:
            return DiagnosticPage(
                explanation: #"""
                    An exception is decided by people who know why; after half a year they have moved on, and what it
                    lets through is what the rule is. The language takes any last day, so this is the linter's: what
                    ends later is decided again within 180 days, or carries an ignore comment with its reason.
                    """#,
                bad: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                        waivers:
                          expired: { tolerance: 7d, reason: vendor is late, owner: web, until: 2028-12-31 }
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                        waivers:
                          expired: { tolerance: 7d, reason: vendor is late, owner: web, until: 2026-08-31 }
                    """#,
                fix: #"""
                    Write an earlier `until`, and renew it then if the risk is taken again. `lint --fix-unsafe` writes
                    the last day that is accepted.
                    """#,
                options: #"""
                    Counted from `--at`. `--level strict` makes it an error.
                    """#)
        case .farDate:
            return DiagnosticPage(
                explanation: #"""
                    A date so far away is a slip in its year, or stands for "never": an exception without an end, pins
                    that nobody renews, a limit that never begins. It is judged from the time of linting.
                    """#,
                bad: #"""
                    pins:
                      api:
                        keys:
                          now: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2207-04-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [api]
                        owner: web
                    """#,
                good: #"""
                    pins:
                      api:
                        keys:
                          now: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                        backups:
                          next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                        enforce-until: 2027-04-30
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        pins: [api]
                        owner: web
                    """#,
                fix: #"""
                    Check the year. A date of a policy is the day on which somebody decides again.
                    """#,
                options: #"""
                    `--level strict` makes it an error.
                    """#)
        case .allowanceEnded:
            return DiagnosticPage(
                explanation: #"""
                    An allowance lets one weakening pass until a day. After that day it lets nothing pass, and the
                    comparison is judged as if it were absent. It stands in the file all the same, and a reader may
                    take it for a decision that still holds.
                    """#,
                bad: #"""
                    hawser-allow: 1
                    allowances:
                      slow-responder:
                        hosts: ["**.cdn.example"]
                        field: revocation.preset
                        from: require
                        to: best-effort
                        reason: responder is replaced
                        owner: web
                        until: 2026-03-31
                    """#,
                good: #"""
                    hawser-allow: 1
                    allowances:
                      slow-responder:
                        hosts: ["**.cdn.example"]
                        field: revocation.preset
                        from: require
                        to: best-effort
                        reason: responder is replaced
                        owner: web
                        until: 2026-08-31
                    """#,
                fix: #"""
                    Delete it. If the risk is taken again, write it anew with who takes it and until when.
                    """#,
                options: #"""
                    Judged at `--at`. It ends `diff` with 1.
                    """#)
        case .allowanceTooLong:
            return DiagnosticPage(
                explanation: #"""
                    A decision to let a weakening pass is taken by people who know why. After half a year they have
                    moved on, and the next change of the same kind would pass unread.
                    """#,
                bad: #"""
                    hawser-allow: 1
                    allowances:
                      slow-responder:
                        hosts: ["**.cdn.example"]
                        field: revocation.preset
                        from: require
                        to: best-effort
                        reason: responder is replaced
                        owner: web
                        until: 2028-12-31
                    """#,
                good: #"""
                    hawser-allow: 1
                    allowances:
                      slow-responder:
                        hosts: ["**.cdn.example"]
                        field: revocation.preset
                        from: require
                        to: best-effort
                        reason: responder is replaced
                        owner: web
                        until: 2026-08-31
                    """#,
                fix: #"""
                    Write an earlier `until`. Once the change is merged, the allowance is no longer needed.
                    """#,
                options: #"""
                    Counted from `--at`. It ends `diff` with 1, as a waiver that is too long (HW605) ends `lint`.
                    """#)
        case .allowanceUnused:
            return DiagnosticPage(
                explanation: #"""
                    The comparison has no weakening of exactly this field, from and to exactly these values, for a
                    class of hosts that lies inside the patterns. Either the change is merged, and the allowance
                    would let the next one of its kind pass unread; or the allowance is not what was meant, and the
                    change that it was written for is not allowed.
                    """#,
                bad: #"""
                    hawser-allow: 1
                    allowances:
                      slow-responder:
                        hosts: ["**.cdn.example"]
                        field: revocation.preset
                        from: best-effort
                        to: require
                        reason: responder is replaced
                        owner: web
                        until: 2026-08-31
                    """#,
                good: #"""
                    hawser-allow: 1
                    allowances:
                      slow-responder:
                        hosts: ["**.cdn.example"]
                        field: revocation.preset
                        from: require
                        to: best-effort
                        reason: responder is replaced
                        owner: web
                        until: 2026-08-31
                    """#,
                fix: #"""
                    Delete it, or write field and values as `hawser diff` prints them: `from` is the old value. A
                    class of hosts must lie inside `hosts` as a whole: `*.cdn.example` does not allow what happens to
                    `**.cdn.example`.
                    """#,
                options: #"""
                    It ends `diff` with 1.
                    """#)
        case .unusedSuppression:
            return DiagnosticPage(
                explanation: #"""
                    Nothing with that code is found at the line of the comment or the line below it. The finding was
                    mended, or the comment stands in the wrong place; the next finding there would be hidden unseen.
                    """#,
                bad: #"""
                    rules:
                      api:
                        # hawser:ignore HW211 -- the shop has its own terms
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Delete the comment. In a unit with errors mend these first: what cannot be read is not looked at.
                    """#)
        case .bareSuppression:
            return DiagnosticPage(
                explanation: #"""
                    An ignore comment names what it hides and says why, and where that is an error, until when.
                    Without these it hides nothing, so that no finding disappears for a reason nobody wrote down.
                    """#,
                bad: #"""
                    rules:
                      api:
                        # hawser:ignore
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Write `# hawser:ignore CODE until=YYYY-MM-DD -- REASON`; the date may be left out where the code
                    is a warning or a remark.
                    """#)
        case .suppressionEnded:
            return DiagnosticPage(
                explanation: #"""
                    From the day after `until` the comment hides nothing, in every command, and what it hid is told
                    again beside this.
                    """#,
                bad: #"""
                    rules:
                      api:
                        # hawser:ignore HW211 until=2020-01-31 -- the shop moves in January
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Mend what the comment hid and delete the comment; or decide again, with a new date.
                    """#)
        case .unknownCode:
            return DiagnosticPage(
                explanation: #"""
                    The comment hides nothing, whatever its author meant.
                    """#,
                bad: #"""
                    rules:
                      api:
                        # hawser:ignore HW999 -- a mistyped code
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Write the code as the finding has it; `hawser rule --all` lists them.
                    """#)
        case .notSuppressible:
            return DiagnosticPage(
                explanation: #"""
                    What `check` calls an error no load accepts, whatever a comment says; hidden here, it would be
                    found on the day of the deployment. An ended exception (HW603) and what is wrong with ignore
                    comments themselves cannot be hidden either.
                    """#,
                bad: #"""
                    rules:
                      api:
                        # hawser:ignore HW003 until=2099-12-31 -- two lists are clearer
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                good: #"""
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Mend what the code speaks of and delete the comment.
                    """#)
        case .untestedRule:
            return DiagnosticPage(
                explanation: #"""
                    The unit has tests, and none of their cases has a host that this rule decides. Whatever is changed
                    in the rule, no test fails. The remark is shown by `--level audit`; `hawser test --coverage` lists
                    everything that no case asks.
                    """#,
                bad: #"""
                    hawser-test: 1
                    at: 2026-06-01
                    cases:
                      the-api:
                        host: "api.acme.example"
                        expect:
                          rule: api
                    """#,
                good: #"""
                    hawser-test: 1
                    at: 2026-06-01
                    cases:
                      the-api:
                        host: "api.acme.example"
                        expect:
                          rule: api
                      the-website:
                        host: "www.acme.example"
                        expect:
                          rule: web
                    """#,
                fix: #"""
                    Add a case with a host of the rule's patterns; `hawser test --update` fills in what comes out.
                    """#,
                options: #"""
                    Reported at the level `audit`, and only where the unit has a test file.
                    """#)
        case .emptyTest:
            return DiagnosticPage(
                explanation: #"""
                    A test that nothing can make fail is worse than no test: a reader counts on it. So a case must
                    expect something, and what it expects must be possible: the rule, the pattern, the sets, the
                    fields and the files that it names are there, the value is one that the field can have, and the
                    pattern belongs to the rule. A mistake in a test file is told at its place, and no case is run.
                    """#,
                bad: #"""
                    hawser-test: 1
                    at: 2026-06-01
                    cases:
                      api-has-an-owner:
                        host: "api.acme.example"
                        expect:
                          rule: appi
                          owner: web
                    """#,
                good: #"""
                    hawser-test: 1
                    at: 2026-06-01
                    cases:
                      api-has-an-owner:
                        host: "api.acme.example"
                        expect:
                          rule: api
                          owner: web
                    """#,
                fix: #"""
                    Write what the case is about, or delete the case. `hawser show HOST --all` prints every field that a case
                    can expect, and `hawser explain HOST --chain FILE` what the engine says.
                    """#,
                options: #"""
                    A test file with a mistake ends `hawser test` with 2.
                    """#)
        case .weakerThanBase:
            return DiagnosticPage(
                explanation: #"""
                    Compared with the policy at which the branch left the revision of `--base`, a class of hosts accepts
                    chains that were refused. The comparison is that of `hawser diff`: every host, port and day, field by
                    field. A change to other authorities is reported, too: neither side then accepts less than the other.
                    """#,
                bad: #"""
                    # before: tls: { minimum-version: tls1.3 }
                    hawser: 1
                    default: deny
                    anchors:
                      acme: { files: [anchors/acme.pem] }
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [acme]
                        owner: web
                        tls: { minimum-version: tls1.2 }
                    """#,
                good: #"""
                    # before: tls: { minimum-version: tls1.3 }
                    hawser: 1
                    default: deny
                    anchors:
                      acme: { files: [anchors/acme.pem] }
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [acme]
                        owner: web
                        tls: { minimum-version: tls1.3 }
                    """#,
                fix: #"""
                    Undo the change, or make it for fewer hosts. If it is meant, write `# hawser:ignore HW803 until=DATE --
                    REASON` on the line, or review it by `hawser diff --base REV --allow FILE`.
                    """#,
                options: #"""
                    `--base REV` names the revision; without it nothing is compared.
                    """#)
        case .staleAssertion:
            return DiagnosticPage(
                explanation: #"""
                    No rule of the policy decides a host of the assertion's patterns, so that `default` alone answers for
                    them; or the time that it is about is over. Such an assertion is true whatever the rules say. Most
                    often a pattern was renamed or removed, and what the assertion was written for is no longer asserted.
                    """#,
                bad: #"""
                    # the rules of policy.yaml are for `api.acme.example` and `**.bank.example`
                    hawser-assert: 1
                    assertions:
                      banking-is-strict:
                        hosts: ["**.banking.example"]
                        at-least: { tls.minimum-version: tls1.3 }
                    """#,
                good: #"""
                    # the rules of policy.yaml are for `api.acme.example` and `**.bank.example`
                    hawser-assert: 1
                    assertions:
                      banking-is-strict:
                        hosts: ["**.bank.example"]
                        at-least: { tls.minimum-version: tls1.3 }
                    """#,
                fix: #"""
                    Write the patterns that the hosts have now, a later `until`, or delete the assertion.
                    """#,
                options: #"""
                    `hosts: all` is about every host and is never stale. The end is judged at `--at`. It ends `hawser assert`
                    with 1.
                    """#)
        case .refutedAssertion:
            return DiagnosticPage(
                explanation: #"""
                    The finding names a host, a port and an instant at which the policy does not demand what the assertion
                    says, the rule that decides there, both values and their place. Every class of hosts was compared at
                    every instant of the assertion's time, by the one order of `grammar/diff.md`. Where neither value
                    implies the other, nothing is proved, and the finding says so.
                    """#,
                bad: #"""
                    # the rule of `**.bank.example` demands TLS 1.2
                    hawser-assert: 1
                    assertions:
                      banking-is-strict:
                        hosts: ["**.bank.example"]
                        at-least: { tls.minimum-version: tls1.3 }
                    """#,
                good: #"""
                    # the rule of `**.bank.example` demands TLS 1.3
                    hawser-assert: 1
                    assertions:
                      banking-is-strict:
                        hosts: ["**.bank.example"]
                        at-least: { tls.minimum-version: tls1.3 }
                    """#,
                fix: #"""
                    Mend the policy at the place that is named. If the assertion no longer states what is wanted, change it
                    in a commit of its own, with the agreement of its owner.
                    """#,
                options: #"""
                    `hawser assert` prints every refutation, and ends with 1.
                    """#)
        case .notFormatted:
            return DiagnosticPage(
                explanation: #"""
                    `hawser fmt` would change the file. One layout keeps differences in review to what was meant.
                    The remark is shown by `--level audit`; `hawser fmt --check` is the stricter question.
                    """#,
                bad: #"""
                    rules:
                      api:
                          hosts: ["api.acme.example"]
                          anchors: [system]
                          owner: web
                    """#,
                good: #"""
                    hawser: 1

                    default: deny

                    rules:
                      api:
                        hosts:
                          - "api.acme.example"
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Run `hawser fmt`.
                    """#)
        case .unsortedRules:
            return DiagnosticPage(
                explanation: #"""
                    Order means nothing: the most specific pattern decides. People read from the top all the same,
                    and take a wide pattern above a narrow one for the one that wins.
                    """#,
                bad: #"""
                    default: deny
                    rules:
                      all:
                        hosts: ["**.acme.example"]
                        anchors: [system]
                        owner: web
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                    """#,
                good: #"""
                    default: deny
                    rules:
                      api:
                        hosts: ["api.acme.example"]
                        anchors: [corporate]
                        owner: web
                      all:
                        hosts: ["**.acme.example"]
                        anchors: [system]
                        owner: web
                    """#,
                fix: #"""
                    Move the narrower rule above the wider one.
                    """#)
        }
    }
}
