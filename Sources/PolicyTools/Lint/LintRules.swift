package import PolicyCompiler

/// Every rule of the linter, in the order of the codes. `lint` also reports the diagnostics of
/// `check`, whose codes have no rule here. The codes of ignore comments (HW701 to HW705) are found
/// in `Suppressions`.
package enum LintRules {
    /// Every rule, in the order of the codes.
    package static let all: [LintRule] = [
        // Text.
        .mixedLineEnds, .notExpanded,
        // Hosts.
        .publicSuffixWildcard, .apexUncovered, .depthSurprise, .shadowedRule, .redundantRule,
        .weakerInside, .ipLiteral,
        .privateNamePublicRoots, .weakDefault, .mixedScripts, .unreachablePattern, .coveredPattern,
        .everyAddress, .nearMissName,
        // Anchors.
        .anchorExpired, .anchorExpiring, .weakAnchor, .duplicateAnchor, .nameConstraintsExclude,
        .loneAnchorEnding, .anchorDeadEnd, .excludedStillReached, .issuanceBreach, .issuanceRefused,
        .leftOutByUse, .mootTerms, .termsBesideSystem,
        // Pins.
        .pinNoEnd, .pinExpired, .pinExpiring, .pinAnchorConflict, .leafOnlyPins, .placeholderPin,
        .pinOpenOnExpiry, .incomparableBackup, .loneKeyEnding, .warnFromLate,
        .leafCertificatePin, .forbiddenByDigest, .voidPin,
        // Demands.
        .hardFailNoSource, .weakerThanProfile, .ignoredLimits,
        .exceptionInForce, .listedOnWildcard, .unmeetableDemand, .idleScheme, .requireNothing,
        .publicClientAuth, .ocspNotPublished, .logListStale, .logListAgeing, .filtersBeyondLeaf,
        .filtersOfPrivateAnchors, .filtersWithoutTimestamps,
        // Owners and exceptions.
        .noOwner, .exceptionEnded, .exceptionTooLong, .farDate,
        // Tests.
        .untestedRule,
        // Comparison.
        .weakerThanBase,
        // Layout.
        .notFormatted, .unsortedRules,
    ]

    /// The codes of findings about ignore comments themselves.
    package static let ofSuppressions: [DiagnosticCode] = [
        .unusedSuppression, .bareSuppression, .suppressionEnded, .unknownCode, .notSuppressible,
    ]

    /// Whether an ignore comment or a baseline may hide a finding with this code. They may not hide
    /// what a load refuses, an exception that has ended, a mistake in an ignore comment, or a
    /// finding of `diff`, `import` or `export`, which read neither. What an assertion says does not
    /// hold because it is inconvenient.
    package static func isSuppressible(_ code: DiagnosticCode) -> Bool {
        switch code.finder {
        case .check: return code.severity < .error
        case .lint: return !ofSuppressions.contains(code) && code.rawValue != "HW603"
        case .base: return true
        case .diff, .assert, .import, .export: return false
        case .test: return code.severity < .error
        }
    }
}
