import TrustEngine

/// How a store begins: the source's table where it is good, and otherwise the last one that was in force.
struct StoreStart {
    let intake: TableIntake
    /// Where state is kept; nil where none is, or the folder cannot be used.
    let directory: StateDirectory?
    /// Why the folder cannot be used, or what is kept in it not read.
    let directoryError: StateDirectoryError?
    /// What is put in force.
    let table: CheckedTable
    /// Where it came from.
    let origin: String
    /// When a source last said that it is the newest.
    let confirmed: UTCInstant
    /// Whether these very bytes are kept already.
    let isKept: Bool
    /// What happened to the source's table, where the last known good one is put in force in its place.
    let passedOver: PassedOver?

    /// Why the source's table is not put in force.
    enum PassedOver {
        case refused(TableRefusal)
        case sourceFailed(SourceFailure)

        var failure: SourceFailure {
            switch self {
            case .refused(let refusal):
                return SourceFailure(code: refusal.code, context: refusal.context)
            case .sourceFailed(let failure): return failure
            }
        }
    }

    /// What `origin` is for a table that was kept.
    static let keptOrigin = "last-known-good"

    init(
        source: Result<[UInt8], SourceFailure>?, origin: String,
        _ configuration: PolicyStore.Configuration
    ) throws(PolicyStoreError) {
        let state = StoreStart.open(configuration)
        intake = TableIntake(configuration)
        directory = state.directory
        directoryError = state.error
        let floor = state.kept.flatMap { TableIntake.floor(of: $0.bytes) }
        var passedOver: PassedOver?
        switch source {
        case .success(let bytes)?:
            do throws(TableRefusal) {
                table = try intake.check(bytes, floor)
                self.origin = origin
                confirmed = configuration.clock()
                isKept = state.kept?.bytes == bytes
                self.passedOver = nil
                return
            } catch {
                passedOver = .refused(error)
            }
        case .failure(let failure)?: passedOver = .sourceFailed(failure)
        case nil: break
        }
        self.passedOver = passedOver
        var reason = state.error.map { SourceFailure(code: $0.code.rawValue, context: $0.context) }
        if let kept = state.kept {
            do throws(TableRefusal) {
                table = try intake.check(kept.bytes, floor)
                self.origin = StoreStart.keptOrigin
                // A clock that was set back makes nothing fresher than now.
                confirmed = min(kept.confirmed, configuration.clock())
                isKept = true
                return
            } catch {
                reason = SourceFailure(code: error.code, context: error.context)
            }
        }
        throw PolicyStoreError(source: passedOver?.failure, lastKnownGood: reason)
    }

    private typealias State = (
        directory: StateDirectory?, kept: StateDirectory.Kept?, error: StateDirectoryError?
    )

    private static func open(_ configuration: PolicyStore.Configuration) -> State {
        guard let path = configuration.stateDirectory else { return (nil, nil, nil) }
        var opened: StateDirectory?
        do throws(StateDirectoryError) {
            let directory = try StateDirectory(path: path, atStep: configuration.atStateStep)
            opened = directory
            return (directory, try directory.read(), nil)
        } catch {
            // One that cannot be read may still be written: what is put in force now is kept there.
            return (opened, nil, error)
        }
    }
}
