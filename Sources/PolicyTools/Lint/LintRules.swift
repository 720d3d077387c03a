package import PolicyCompiler

/// Every rule of the linter, in the order of their codes. What `check` finds, `lint` tells too; those codes
/// have no rule here, and those of ignore comments (HW701 to HW705) are found in `Suppressions`.
package enum LintRules {
    package static let all: [LintRule] = [
        // Text.
        .mixedLineEnds,
        // Hosts.
        .publicSuffixWildcard, .apexUncovered, .depthSurprise, .shadowedRule, .redundantRule,
        .weakerInside, .ipLiteral,
        .privateNamePublicRoots, .weakDefault, .mixedScripts, .unreachablePattern, .coveredPattern,
        // Anchors.
        .anchorExpired, .anchorExpiring, .weakAnchor, .duplicateAnchor, .nameConstraintsExclude,
        .loneAnchorEnding, .anchorDeadEnd,
        // Pins.
        .pinNoEnd, .pinExpired, .pinExpiring, .pinAnchorConflict, .leafOnlyPins, .placeholderPin,
        .pinOpenOnExpiry, .incomparableBackup, .loneKeyEnding,
        // Demands.
        .hardFailNoSource, .weakerThanProfile, .ignoredLimits,
        // Exceptions.
        .exceptionInForce,
        .noOwner,
        .exceptionEnded,
        .exceptionTooLong,
        // Layout.
        .notFormatted, .unsortedRules,
    ]

    /// The codes that ignore comments themselves can have.
    package static let ofSuppressions: [DiagnosticCode] = [
        .unusedSuppression, .bareSuppression, .suppressionEnded, .unknownCode, .notSuppressible,
    ]

    /// Whether a finding with this code may be hidden by an ignore comment or a baseline: what a load
    /// refuses may not, nor an ended exception, nor what is wrong with ignore comments.
    package static func isSuppressible(_ code: DiagnosticCode) -> Bool {
        guard code.isOfLint else { return code.severity < .error }
        return !ofSuppressions.contains(code) && code.rawValue != "HW603"
    }
}
