package import PolicyReading
package import TrustEngine

/// The candidate paths as a drawing: a box for each certificate, anchors on top, an arm from each
/// certificate down to the certificate that it issued. The list below it says the same in words.
package struct PathDrawing: Sendable {
    private struct Box {
        let reference: CertificateReference
        var row: Int
        var column = 0
        var failures: [String] = []
    }

    private struct Arm: Hashable {
        let issuer: Digest
        let subject: Digest
    }

    private var boxes: [Digest: Box] = [:]
    private var order: [Digest] = []
    private var arms: [Arm] = []
    private var taken: Set<Arm> = []
    private var failed: Set<Arm> = []
    private var takenBoxes: Set<Digest> = []
    private let facts: [Digest: CertificateFacts]
    private let left: Int

    init(
        _ candidates: [TraceOutline.Candidate], accepted: Int?, decisive: Int?,
        facts: [Digest: CertificateFacts]
    ) {
        self.facts = facts
        let shown = candidates.prefix(PathDrawing.mostPaths)
        left = candidates.count - shown.count
        for candidate in shown {
            let certificates = candidate.path.certificates
            for (position, reference) in certificates.enumerated() {
                let key = reference.fingerprint
                if boxes[key] == nil { order.append(key) }
                boxes[key, default: Box(reference: reference, row: position)].row =
                    max(boxes[key]?.row ?? 0, position)
                if candidate.path.number == accepted { takenBoxes.insert(key) }
                guard position > 0 else { continue }
                let arm = Arm(issuer: key, subject: certificates[position - 1].fingerprint)
                if !arms.contains(arm) { arms.append(arm) }
                if candidate.path.number == accepted { taken.insert(arm) }
                if accepted == nil, candidate.path.number == decisive { failed.insert(arm) }
            }
            for violation in candidate.failures {
                for reference in PathDrawing.failing(violation, certificates) {
                    let key = reference.fingerprint
                    guard boxes[key]?.failures.contains(violation.id) == false else { continue }
                    boxes[key]?.failures.append(violation.id)
                }
            }
        }
        var columns: [Int: Int] = [:]
        for key in order {
            let row = boxes[key]?.row ?? 0
            boxes[key]?.column = columns[row, default: 0]
            columns[row, default: 0] += 1
        }
    }

    /// The paths of an explanation.
    ///
    /// - Parameter certificates: the certificates at hand: presented ones and anchors.
    package init(_ explanation: Explanation, _ certificates: [CertificateFacts]) {
        let outline = TraceOutline(explanation.trace)
        let decisive = outline.decisive(for: explanation.verdict)?.path.number
        self.init(
            outline.candidates, accepted: explanation.verdict.isAccept ? decisive : nil,
            decisive: decisive, facts: CertificateFacts.byFingerprint(certificates))
    }

    /// The certificates of a path, server first, that a violation is about. Pins are about the
    /// certificates that their `at` looks at; names and timestamps are the server's. A violation
    /// about no certificate fails at the path's end.
    package static func failing(
        _ violation: Violation, _ path: [CertificateReference]
    ) -> [CertificateReference] {
        if let own = violation.certificate { return [own] }
        if case .pinMismatch(let mismatch) = violation.reason {
            let positions = Set(mismatch.wanted.filter { !$0.matched }.map(\.position))
            let looked = path.enumerated().filter { index, _ in
                let isLeaf = index == 0
                let isAnchor = index == path.count - 1
                return PinPosition.allCases.contains { position in
                    guard positions.contains(position.name) else { return false }
                    switch position {
                    case .any: return true
                    case .leaf: return isLeaf
                    case .intermediate: return !isLeaf && !isAnchor
                    case .anchor: return isAnchor
                    case .ca: return !isLeaf || isAnchor
                    }
                }
            }
            // A path may have no certificate in the place where the pin looks.
            if !looked.isEmpty { return looked.map(\.element) }
        }
        let isOfServer = ofServer.contains(violation.kind)
        return [isOfServer ? path.first : path.last].compactMap(\.self)
    }

    /// Violations without a certificate of their own that are about what the server presents.
    private static let ofServer: Set<ViolationKind> = [
        .nameMismatch, .transparencyNotMet, .tlsNotSupplied, .tlsVersion, .tlsForwardSecrecy,
        .tlsParameter,
    ]

    /// Whether it has no path to draw.
    package var isEmpty: Bool { order.isEmpty }

    /// What the drawing shows, as JSON.
    package var json: JSONValue {
        .object([
            (
                "certificates",
                .array(
                    order.compactMap { boxes[$0] }.map { box in
                        let own = facts[box.reference.fingerprint]
                        return .object([
                            ("fingerprint", .string(box.reference.fingerprint.text)),
                            ("subject", .string(box.reference.subject)),
                            ("kind", .string(PathDrawing.kind(box.reference))),
                            ("notBefore", .optional(own?.notBefore.description)),
                            ("notAfter", .optional(own?.notAfter.description)),
                            (
                                "onAcceptedPath",
                                .bool(takenBoxes.contains(box.reference.fingerprint))
                            ),
                            ("violations", .array(box.failures.map { .string($0) })),
                        ])
                    })
            ),
            (
                "issued",
                .array(
                    arms.map {
                        .object([
                            ("issuer", .string($0.issuer.text)),
                            ("subject", .string($0.subject.text)),
                        ])
                    })
            ), ("pathsNotDrawn", .integer(left)),
        ])
    }

    /// The kind of a certificate on a path.
    static func kind(_ reference: CertificateReference) -> String {
        switch reference.origin {
        case .anchor(let set): return "anchor of \(set)"
        case .offered(let set): return "offered by \(set)"
        case .presented where reference.position == 0: return "server certificate"
        case .presented: return "issuer"
        }
    }

    /// - Parameter id: the beginning of the ids, where a page has several drawings.
    package func figure(_ id: String = "paths") -> HTML {
        let rows = (boxes.values.map(\.row).max() ?? 0) + 1
        let columns = (boxes.values.map(\.column).max() ?? 0) + 1
        let width = columns * PathDrawing.width + (columns - 1) * PathDrawing.gap + 4
        let height = rows * PathDrawing.height + (rows - 1) * PathDrawing.rise + 4
        func x(_ box: Box) -> Int { 2 + box.column * (PathDrawing.width + PathDrawing.gap) }
        func y(_ box: Box) -> Int {
            2 + (rows - 1 - box.row) * (PathDrawing.height + PathDrawing.rise)
        }
        var parts: [HTML] = [
            .element("title", ["id": "\(id)-drawing"], "The certificates and who issued them"),
            .element(
                "desc", ["id": "\(id)-words"],
                words),
        ]
        for arm in arms {
            guard let issuer = boxes[arm.issuer], let subject = boxes[arm.subject] else { continue }
            let (fromX, fromY) = (x(issuer) + PathDrawing.width / 2, y(issuer) + PathDrawing.height)
            let (toX, toY) = (x(subject) + PathDrawing.width / 2, y(subject))
            let middle = (fromY + toY) / 2
            let mark =
                taken.contains(arm) ? "arm taken" : failed.contains(arm) ? "arm failed" : "arm"
            parts.append(
                .element(
                    "path",
                    [
                        "class": mark,
                        "d": "M\(fromX) \(fromY)C\(fromX) \(middle) \(toX) \(middle) \(toX) \(toY)",
                    ], []))
        }
        for key in order {
            guard let box = boxes[key] else { continue }
            parts += self.box(box, x(box), y(box))
        }
        let words =
            left > 0
            ? Cut.rest(left, after: " paths are in the list")
            : "anchors on top; each arm leads to what was issued"
        return .element(
            "figure", ["tabindex": "0", "role": "group", "aria-label": "paths, drawn"],
            [
                .element(
                    "svg",
                    [
                        "xmlns": "http://www.w3.org/2000/svg", "width": String(width),
                        "height": String(height), "viewBox": "0 0 \(width) \(height)",
                        "role": "img",
                        "aria-labelledby": "\(id)-drawing \(id)-words",
                    ], parts), .element("figcaption", words),
            ])
    }

    /// The drawing in words: each certificate with what stands in its box, and its issuers.
    private var words: String {
        order.compactMap { boxes[$0] }.map { box in
            let issuers = arms.filter { $0.subject == box.reference.fingerprint }
                .compactMap { boxes[$0.issuer] }
                .map { Words.shortSubject($0.reference.subject) }
            let issued =
                issuers.isEmpty ? [] : ["issued by \(issuers.joined(separator: " and by "))"]
            return (lines(box).map(\.text) + issued).joined(separator: ", ")
        }.joined(separator: "; ")
    }

    /// What stands in a box, with the class of each line.
    private func lines(_ box: Box) -> [(text: String, mark: StaticString?)] {
        let key = box.reference.fingerprint
        var lines: [(text: String, mark: StaticString?)] = [
            (PathDrawing.kind(box.reference), "soft"),
            (Words.shortSubject(box.reference.subject), nil),
        ]
        if let own = facts[key] {
            let days =
                "\(Words.day(own.notBefore)) – \(Words.day(own.notAfter))"
            lines.append((days, "soft"))
        }
        if takenBoxes.contains(key) {
            lines.append(("✓ on the accepted path", "good"))
        } else if !box.failures.isEmpty {
            lines.append(("✗ " + box.failures.joined(separator: ", "), "bad"))
        }
        return lines
    }

    private func box(_ box: Box, _ x: Int, _ y: Int) -> [HTML] {
        var mark = "box"
        if case .anchor = box.reference.origin { mark += " anchor" }
        if takenBoxes.contains(box.reference.fingerprint) {
            mark += " taken"
        } else if !box.failures.isEmpty {
            mark += " failed"
        }
        var parts: [HTML] = [
            .element(
                "rect",
                [
                    "class": mark, "x": String(x), "y": String(y),
                    "width": String(PathDrawing.width), "height": String(PathDrawing.height),
                    "rx": "8",
                ], [])
        ]
        for (number, line) in lines(box).enumerated() {
            parts.append(
                .element(
                    "text",
                    [
                        "x": String(x + 12), "y": String(y + 20 + number * 18),
                        "class": line.mark.map { "\($0)" },
                    ], TextWrap.shortened(line.text, to: PathDrawing.characters)))
        }
        return parts
    }

    private static let width = 250
    private static let height = 88
    private static let gap = 24
    private static let rise = 40
    /// Characters of a line in a box.
    private static let characters = 29
    /// Paths that are drawn; more of them would be a thicket.
    private static let mostPaths = 8
}
