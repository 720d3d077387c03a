import TestPKI
import Testing
import TrustEngine

/// CRLite filters in verdicts (LANGUAGE section 8): which certificates they are asked about, by
/// which timestamps, and what follows from their answers.
@Suite("CRLite filters in verdicts") struct FilterTests {
    private static let acme = Acme()
    private static let larch = TestLog("Larch 1", of: "Larch")
    private static let maple = TestLog("Maple 1", of: "Maple")
    /// Requests are judged on 2026-06-01; the filters reach to noon of the day before.
    private static let reach = UTCInstant.at("2026-05-31T12:00:00Z")

    /// How timestamps come.
    private enum Delivery { case embedded, tls, ocsp }

    /// A certificate with timestamps, and its world: a rule that demands a good answer of filters
    /// for the end entity. The log list has both logs.
    private struct Case {
        var leaf: Minted
        var world: World

        init(
            _ timestamps: [TestTimestamp], by delivery: Delivery = .embedded,
            notBefore: UTCInstant = .at("2026-05-01"), logs: [TestLog] = [larch, maple],
            _ change: (inout CertificateRecipe) -> Void = { _ in }
        ) {
            leaf = acme.issuing.issueLeaf(dns: [World.host]) { recipe in
                recipe.notBefore = notBefore
                recipe.notAfter = notBefore.advanced(bySeconds: 90 * 86_400)
                change(&recipe)
                if delivery == .embedded, !timestamps.isEmpty {
                    recipe.embed(timestamps, issuedBy: acme.issuing.key)
                }
            }
            world = World([leaf.der, acme.issuing.der], roots: [acme.root.der])
            world.logList = TestLogList.json(logs)
            world.keepsLogList = true
            world.requirements.revocation.causes = .require
            world.requirements.revocation.sources = [.crlite]
            world.requirements.revocation.scope = .leaf
            let list = TestTimestamp.list(timestamps, over: leaf)
            switch delivery {
            case .embedded: break
            case .tls: world.evidence.sctList = list
            case .ocsp:
                world.evidence.ocspResponses = [
                    acme.issuing.ocspResponse(for: leaf) {
                        $0.singles[0].extensions = [.ocspSCTList(list)]
                    }
                ]
            }
        }

        func recipe(
            isRevoked: Bool = false, logs: [TestLog] = [larch],
            from: UTCInstant = .at("2026-01-01"),
            until: UTCInstant = reach, of issuer: TestKey = acme.issuing.key
        ) -> FilterRecipe {
            FilterRecipe(
                of: issuer, revoked: isRevoked ? [leaf] : [], good: isRevoked ? [] : [leaf],
                logs: logs, from: from, until: until)
        }

        func asking(
            _ recipes: [FilterRecipe], _ change: (inout World) -> Void = { _ in }
        ) -> World {
            asking(MemoryFilters(recipes), change)
        }

        func asking(_ filters: MemoryFilters, _ change: (inout World) -> Void = { _ in }) -> World {
            world.with {
                $0.evidence.filters = SuppliedFilters(filters)
                change(&$0)
            }
        }
    }

    /// The verdict, with the causes of the violations: `accept`, `revoked`, `fail stale`,
    /// `report not-covered`.
    private func told(_ world: World) throws -> [String] {
        let judged = try world.judge()
        func words(_ violation: Violation, _ word: String) -> String {
            guard case .revocationUndetermined(_, let cause, _) = violation.reason else {
                return violation.id
            }
            return "\(word) \(cause.name)"
        }
        let reported = judged.acceptance?.reported.map { words($0.violation, "report") } ?? []
        return (judged.verdict.isAccept ? [] : judged.verdict.violations.map { words($0, "fail") })
            + (judged.verdict.isAccept && reported.isEmpty ? ["accept"] : reported)
    }

    private func answers(_ world: World) throws -> [RevocationAnswer] {
        for case .check(let step) in try world.judge().trace.steps where step.check == .revocation {
            switch step.outcome {
            case .passed(.revocation(let standings)?): return standings.flatMap(\.answers)
            case .failed(let found): return found.flatMap { $0.fields.flatMap { $0.answers ?? [] } }
            case .tolerated(let found):
                return found.flatMap { $0.violation.fields.flatMap { $0.answers ?? [] } }
            case .passed, .notAsked: return []
            }
        }
        return []
    }

    // MARK: The answers

    @Test("revoked rejects under every rule, and good is enough only where filters are asked")
    func revoked() throws {
        let one = Case([Self.larch.timestamp()])
        #expect(try told(one.asking([one.recipe()])) == ["accept"])
        #expect(try told(one.asking([one.recipe(isRevoked: true)])) == ["revoked"])
        let lax = one.asking([one.recipe(isRevoked: true)]) { world in
            world.requirements.revocation = RevocationRequirement()
            world.requirements.revocation.shortLived = 400 * 86_400
            world.requirements.revocation.sources = [.crl]
            for cause in RevocationCause.allCases {
                world.requirements.revocation.causes[cause] = .pass
            }
        }
        #expect(try told(lax) == ["revoked"])
        #expect(try told(lax.with { $0.report(.revocation) }) == ["revoked"])
        let waived = try lax.with { $0.waive(.revocation) }.judge()
        #expect((waived.outcome, waived.reported) == (["accept"], ["revoked"]))
        let unasked = one.asking([one.recipe()]) {
            $0.requirements.revocation.sources = [.crl]
        }
        #expect(try told(unasked) == ["fail no-endpoint"])
    }

    @Test(
        "an answer names the file, its digest, the log with its interval, and how many were asked")
    func facts() throws {
        let one = Case([Self.maple.timestamp(), Self.larch.timestamp()])
        let recipes = [
            one.recipe(until: .at("2026-05-20")), one.recipe(), one.recipe(of: .p256("stranger")),
        ]
        let answers = try answers(one.asking(recipes))
        let answer = try #require(answers.first)
        #expect(answers.count == 1)
        #expect((answer.source, answer.finding) == (.crlite, .good))
        // Both filters of the issuer say good. The one that reaches farther decides.
        #expect(answer.digest?.bytes == TestHash.sha256.digest(recipes[1].octets(version: 3)))
        #expect((answer.thisUpdate, answer.nextUpdate) == (Self.reach, .at("2026-06-07T12:00:00Z")))
        let filters = try #require(answer.filters)
        #expect((filters.file, filters.asked, filters.timestamps) == ("2.filter", 3, 2))
        #expect((filters.newest, filters.youth) == (Self.reach, nil))
        #expect((filters.cover?.logName, filters.cover?.time) == ("Larch 1", .at("2026-05-01")))
        #expect(filters.cover?.log.bytes == Self.larch.key.spkiSHA256)
        #expect((filters.cover?.from, filters.cover?.until) == (.at("2026-01-01"), Self.reach))
    }

    @Test("every covering filter is asked, and one that says revoked decides at any age")
    func several() throws {
        let one = Case([Self.larch.timestamp()])
        let old = UTCInstant.at("2026-05-02")
        #expect(
            try told(one.asking([one.recipe(), one.recipe(isRevoked: true, until: old)]))
                == ["revoked"])
        #expect(try told(one.asking([one.recipe(until: old), one.recipe()])) == ["accept"])
        // An old filter says good, and the current one does not cover the certificate.
        #expect(
            try told(
                one.asking([one.recipe(until: old), one.recipe(from: .at("2026-05-10"))]))
                == ["fail stale"])
    }

    @Test("coverage comes before enrolment; both ends are covered")
    func enrolment() throws {
        let stranger = TestKey.p256("an issuer that is enrolled")
        let one = Case([Self.larch.timestamp(at: Self.reach)])
        #expect(try told(one.asking([one.recipe()])) == ["accept"])
        #expect(try told(one.asking([one.recipe(of: stranger)])) == ["fail not-enrolled"])
        #expect(
            try told(one.asking([one.recipe(until: .at("2026-05-31T11:59:59Z"), of: stranger)]))
                == ["fail not-covered"])
        let reporting = one.asking([one.recipe(of: stranger)]) {
            $0.requirements.revocation.causes[.notEnrolled] = .report
        }
        #expect(try told(reporting) == ["report not-enrolled"])
        #expect(try told(one.asking([one.recipe(of: stranger), one.recipe()])) == ["accept"])
    }

    @Test("the serial number with its leading 00 and without it are two certificates")
    func serials() throws {
        let high = Case([Self.larch.timestamp()]) { $0.serial = [0x90, 1, 2, 3] }
        #expect(high.leaf.serialContents == [0, 0x90, 1, 2, 3])
        #expect(try told(high.asking([high.recipe(isRevoked: true)])) == ["revoked"])
        var without = high.recipe()
        without.issuers[0].revoked = [[0x90, 1, 2, 3]]
        #expect(try told(high.asking([without])) == ["accept"])
    }

    // MARK: Timestamps

    @Test("timestamps of TLS and OCSP count once their signatures verify")
    func timestamps() throws {
        func forged(_ log: TestLog) -> TestTimestamp {
            log.timestamp { $0.damage = .flippedBit }
        }
        for delivery in [Delivery.tls, .ocsp] {
            let good = Case([Self.larch.timestamp()], by: delivery)
            #expect(try told(good.asking([good.recipe()])) == ["accept"])
            #expect(try told(good.asking([good.recipe(isRevoked: true)])) == ["revoked"])
            let bad = Case([forged(Self.larch)], by: delivery)
            #expect(try told(bad.asking([bad.recipe()])) == ["fail not-covered"])
            let unknown = Case([Self.larch.timestamp()], by: delivery, logs: [Self.maple])
            #expect(try told(unknown.asking([unknown.recipe()])) == ["fail not-covered"])
            let without = good.asking([good.recipe()]) { $0.keepsLogList = false }
            #expect(try told(without) == ["fail not-covered"])
        }
        // The issuer has signed an embedded timestamp.
        let embedded = Case([Self.larch.timestamp()], logs: [Self.maple])
        #expect(
            try told(embedded.asking([embedded.recipe()]) { $0.keepsLogList = false }) == ["accept"]
        )
        let none = Case([])
        #expect(try told(none.asking([none.recipe()])) == ["fail not-covered"])
    }

    // MARK: Grace

    @Test("grace counts from notBefore or the earliest timestamp, whichever is earlier")
    func grace() throws {
        let fresh = UTCInstant.at("2026-05-31T20:00:00Z")
        func outcome(
            _ one: Case, grace: Int64, at time: UTCInstant = Scenario.judgedAt,
            _ change: (inout World) -> Void = { _ in }
        ) throws -> [String] {
            // A filter that is current on the day, and covers nothing of the certificate.
            let until = time.advanced(bySeconds: -43_200)
            let recipe = one.recipe(logs: [TestLog("Oak", of: "Oak")], until: until)
            return try told(
                one.asking([recipe]) {
                    $0.requirements.revocation.crliteGrace = grace
                    change(&$0)
                }.at(time))
        }
        let day: Int64 = 86_400
        let new = Case(
            [Self.larch.timestamp(at: fresh)], notBefore: .at("2026-05-31T19:00:00Z"))
        #expect(try outcome(new, grace: 0) == ["fail not-covered"])
        #expect(try outcome(new, grace: 10 * day) == ["report not-covered"])
        let end = UTCInstant.at("2026-06-10T19:00:00Z")
        #expect(try outcome(new, grace: 10 * day, at: end) == ["report not-covered"])
        #expect(
            try outcome(new, grace: 10 * day, at: end.advanced(bySeconds: 1)) == [
                "fail not-covered"
            ])
        // Skew does not lengthen it.
        let late = end.advanced(bySeconds: 60)
        #expect(
            try outcome(new, grace: 10 * day, at: late) {
                $0.requirements.clockSkew = 3_600
            } == ["fail not-covered"])
        // Grace tightens nothing.
        #expect(
            try outcome(new, grace: 10 * day) {
                $0.requirements.revocation.causes[.notCovered] = .pass
            } == ["accept"])
        // Only new timestamps for an old certificate.
        let old = Case([Self.larch.timestamp(at: fresh)], by: .tls, notBefore: .at("2026-04-01"))
        #expect(try outcome(old, grace: 30 * day) == ["fail not-covered"])
        // An old timestamp in a certificate that is dated ahead.
        let dated = Case(
            [Self.larch.timestamp(at: .at("2026-03-01")), Self.maple.timestamp(at: fresh)],
            notBefore: .at("2026-05-31"))
        #expect(try outcome(dated, grace: 30 * day) == ["fail not-covered"])
        // The old timestamp left out by TLS; notBefore still counts.
        let left = Case(
            [Self.maple.timestamp(at: fresh)], by: .tls, notBefore: .at("2026-04-01"))
        #expect(try outcome(left, grace: 30 * day) == ["fail not-covered"])
        // Without a timestamp that counts, nothing says that it is new.
        let none = Case([], notBefore: .at("2026-05-31"))
        #expect(try outcome(none, grace: 30 * day) == ["fail not-covered"])
        let forged = Case(
            [Self.larch.timestamp(at: fresh) { $0.damage = .flippedBit }], by: .tls,
            notBefore: .at("2026-05-31"))
        #expect(try outcome(forged, grace: 30 * day) == ["fail not-covered"])
        // More embedded timestamps than are read: an unread one may be the earliest.
        let many = Case(
            Array(repeating: Self.larch.timestamp(at: fresh), count: 33),
            notBefore: .at("2026-05-31"))
        #expect(try outcome(many, grace: 30 * day) == ["fail not-covered"])
        // Grace is for filters that do not cover a certificate, and not for another cause.
        let enrolled = Case([Self.larch.timestamp(at: Self.reach)], notBefore: .at("2026-05-31"))
        #expect(
            try told(
                enrolled.asking([enrolled.recipe(of: .p256("another"))]) {
                    $0.requirements.revocation.crliteGrace = 30 * day
                }) == ["fail not-enrolled"])
        #expect(
            try outcome(new, grace: 10 * day) { $0.requirements.revocation.sources = [.crl] }
                == ["fail no-endpoint"])
    }

    @Test("an accept within grace says until when")
    func graceFacts() throws {
        let new = Case(
            [Self.larch.timestamp(at: .at("2026-05-31T21:00:00Z"))],
            notBefore: .at("2026-05-31T21:30:00Z"))
        let world = new.asking([new.recipe()]) {
            $0.requirements.revocation.crliteGrace = 10 * 86_400
        }
        let answer = try #require(try answers(world).first)
        #expect(answer.finding == .unusable(.noFilterCovers))
        #expect(answer.digest?.bytes == TestHash.sha256.digest(Array("index".utf8)))
        #expect(
            answer.filters?.youth
                == AskedFilters.Youth(
                    since: .at("2026-05-31T21:00:00Z"), earliest: .at("2026-05-31T21:00:00Z"),
                    age: 3 * 3_600,
                    passesUntil: .at("2026-06-10T21:00:00Z"), passes: true))
        #expect((answer.filters?.asked, answer.filters?.newest) == (0, Self.reach))
    }

    // MARK: Age

    @Test("an old filter is stale also under the default age, and gives no grace")
    func age() throws {
        let one = Case([Self.larch.timestamp()])
        let day: Int64 = 86_400
        let week = Self.reach.advanced(bySeconds: 7 * day)
        let filters = one.asking([one.recipe()])
        #expect(try told(filters.at(week)) == ["accept"])
        #expect(try told(filters.at(week.advanced(bySeconds: 1))) == ["fail stale"])
        #expect(
            try told(
                filters.with { $0.requirements.clockSkew = 60 }.at(week.advanced(bySeconds: 60)))
                == ["accept"])
        let strict = filters.with { $0.requirements.revocation.crliteMaximumAge = 43_199 }
        #expect(try told(strict) == ["fail stale"])
        // `maximum-age` is of CRLs and responses.
        #expect(
            try told(filters.with { $0.requirements.revocation.maximumAge = 1 }) == ["accept"])
        // Too old, and not covered: the harsher action of the two.
        let new = Case(
            [Self.larch.timestamp(at: .at("2026-05-31T20:00:00Z"))], notBefore: .at("2026-05-31"))
        let old = new.asking([new.recipe(until: .at("2026-05-20"))]) {
            $0.requirements.revocation.crliteGrace = 30 * day
        }
        #expect(try told(old) == ["fail stale"])
        #expect(
            try told(old.with { $0.requirements.revocation.causes[.stale] = .pass })
                == ["fail not-covered"])
        let stranger = one.recipe(until: .at("2026-05-20"), of: .p256("another"))
        #expect(
            try told(
                one.asking([stranger]) { $0.requirements.revocation.causes[.stale] = .pass })
                == ["fail not-enrolled"])
        // No filter at all covers no time at all.
        #expect(try told(one.asking([])) == ["fail stale"])
    }

    @Test("a filter of a later time says revoked and never good")
    func future() throws {
        let one = Case([Self.larch.timestamp()])
        let later = Scenario.judgedAt.advanced(bySeconds: 1)
        #expect(try told(one.asking([one.recipe(until: later)])) == ["fail stale"])
        #expect(try told(one.asking([one.recipe(isRevoked: true, until: later)])) == ["revoked"])
        #expect(
            try told(
                one.asking([one.recipe(until: later)]) { $0.requirements.clockSkew = 1 })
                == ["accept"])
    }

    @Test("what had expired when the filter was built is unknown")
    func expired() throws {
        let one = Case([Self.larch.timestamp()], notBefore: .at("2026-05-01")) {
            $0.notAfter = .at("2026-05-31T18:00:00Z")
        }
        func waived(_ filters: MemoryFilters) -> World {
            one.asking(filters) { $0.waive(.expired(seconds: 30 * 86_400)) }
        }
        func told(_ filters: MemoryFilters) throws -> [String] {
            try self.told(waived(filters)).filter { $0 != "expired" }
        }
        #expect(try told(MemoryFilters([one.recipe()])) == ["fail unknown"])
        #expect(try told(MemoryFilters([one.recipe(isRevoked: true)])) == ["revoked"])
        // It was built before the certificate ended, and says so.
        func built(_ instant: UTCInstant) -> MemoryFilters {
            MemoryFilters([one.recipe()]) { reply in
                guard let filter = reply.deciding else { return reply }
                return RevocationFilterReply(
                    status: reply.status,
                    deciding: RevocationFilterReply.Deciding(
                        file: filter.file, digest: filter.digest, newest: filter.newest,
                        built: instant, timestamp: filter.timestamp, covered: filter.covered),
                    asked: reply.asked, newest: reply.newest, index: reply.index, work: reply.work)
            }
        }
        #expect(try told(built(.at("2026-05-31T18:00:00Z"))) == [])
        #expect(try told(built(.at("2026-05-31T18:00:01Z"))) == ["fail unknown"])
    }

    // MARK: Filters that cannot be asked

    @Test("damaged, absent and missing filters are never good")
    func failing() throws {
        let one = Case([Self.larch.timestamp()])
        let fault = FilterFault(code: "truncated", context: "`a.filter`: cut")
        let rows: [(RevocationFilterReply.Status, String)] = [
            (.refused(fault), "malformed"), (.missing(fault), "unreachable"),
            // A reply without the filter that decides.
            (.good, "malformed"), (.revoked, "malformed"), (.notEnrolled, "malformed"),
        ]
        for (status, cause) in rows {
            let world = one.asking(MemoryFilters.failing(status))
            #expect(try told(world) == ["fail \(cause)"])
            let lax = world.with { $0.requirements.revocation.causes = .bestEffort }
            #expect(try told(lax) == ["report \(cause)"])
        }
        // Nobody handed filters over. Under `best-effort` this is reported.
        #expect(try told(one.world) == ["fail unreachable"])
        let lax = one.world.with { $0.requirements.revocation.causes = .bestEffort }
        #expect(try told(lax) == ["report unreachable"])
    }

    // MARK: Questions

    @Test("a question is about the end entity, once for each key of an issuer")
    func questions() throws {
        let one = Case([Self.larch.timestamp()])
        let filters = MemoryFilters([one.recipe()])
        let world = one.asking(filters) {
            $0.requirements.revocation.scope = .leafAndIntermediates
        }
        #expect(try told(world) == ["fail no-endpoint"])
        // `judge` evaluates and explains; the diagnosis asks nothing again.
        #expect(filters.asked.count == 2)
        let question = try #require(filters.asked.first)
        #expect(question.issuerKey.bytes == Self.acme.issuing.key.spkiSHA256)
        #expect(question.serial == one.leaf.serialContents)
        #expect(question.timestamps.map(\.instant) == [.at("2026-05-01")])
        // The intermediate that is not demanded is not asked about.
        #expect(try told(one.asking([one.recipe()])) == ["accept"])
    }

    @Test("nothing is asked without an anchor, or without the issuer on the path")
    func unanchored() throws {
        let one = Case([Self.larch.timestamp()])
        let filters = MemoryFilters([one.recipe()])
        let stranger = Scenario().root("Root Z", key: .p256("filters root z"))
        let dead = one.asking(filters) {
            $0.sets = []
            $0.trust("corp", [stranger.der])
        }
        #expect(try told(dead).contains("revoked") == false)
        let forged = one.asking(filters) { world in
            world.chain[0][world.chain[0].count - 1] ^= 1
        }
        #expect(try told(forged).contains("bad-signature"))
        let alone = one.asking(filters) {
            $0.sets = []
            $0.trust("corp", [one.leaf.der], kind: .leaf)
        }
        #expect(try told(alone) == ["fail unreachable"])
        #expect(filters.asked.isEmpty)
    }

    @Test("filters know no CA")
    func authorities() throws {
        let one = Case([Self.larch.timestamp()]) {
            $0.set(.basicConstraints(ca: true))
        }
        let asked = try told(one.asking([one.recipe()]))
        #expect(asked.contains("fail not-covered"))
        #expect(try told(one.asking([one.recipe(isRevoked: true)])).contains("revoked"))
    }

    @Test("a question and the words of filters cost work")
    func work() throws {
        let one = Case([Self.larch.timestamp()])
        func spent(_ world: World) throws -> Int { try #require(try world.judge().work).spent }
        let asked = try spent(one.asking([one.recipe()]))
        #expect(asked > (try spent(one.world)))
        let costly = MemoryFilters([one.recipe()]) { reply in
            RevocationFilterReply(
                status: reply.status, deciding: reply.deciding, asked: reply.asked,
                newest: reply.newest, index: reply.index, work: 64 * Engine.standardWorkLimit)
        }
        #expect(try told(one.asking(costly)).contains("budget-exhausted"))
    }

    @Test("the engine's filters serve requests that bring none")
    func ofEngine() throws {
        let one = Case([Self.larch.timestamp()])
        var engine = try one.world.engine()
        engine.filters = SuppliedFilters(MemoryFilters([one.recipe(isRevoked: true)]))
        func ids(_ evidence: Evidence) -> [String] {
            engine.evaluate(
                TrustRequest(
                    host: World.host, port: 443, presentedChain: one.world.chain,
                    time: one.world.time, tls: one.world.tls, evidence: evidence)
            ).violations.map(\.id)
        }
        #expect(ids(Evidence()) == ["revoked"])
        #expect(ids(Evidence(filters: SuppliedFilters(MemoryFilters([one.recipe()])))) == [])
    }

    // MARK: Guarantees

    @Test("how soon a revocation takes effect by filters")
    func guarantee() {
        var requirement = RevocationRequirement()
        requirement.causes = .require
        requirement.causes[.notEnrolled] = .report
        #expect(requirement.guarantee == .window)
        requirement.sources = [.crl, .crlite]
        #expect(requirement.guarantee == .none(.notEnrolled))
        requirement.causes[.notEnrolled] = .fail
        #expect(requirement.guarantee == .window)
        requirement.maximumAge = 3_600
        #expect(requirement.guarantee == .within(seconds: 7 * 86_400))
        requirement.crliteGrace = 10 * 86_400
        #expect(requirement.guarantee == .within(seconds: 10 * 86_400))
        requirement.maximumAge = nil
        requirement.sources = [.crlite]
        #expect(requirement.guarantee == .within(seconds: 10 * 86_400))
    }
}
