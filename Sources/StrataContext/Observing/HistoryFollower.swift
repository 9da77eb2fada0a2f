import StrataClient
import StrataModels

/// One observer's way through the history: page after page, waiting where there is none yet.
///
/// Lost connections, restarts and failovers of the server only make it wait.
struct HistoryFollower {
    private let container: ModelContainer
    private let observer: HistoryObservation.Observer
    private var retry = ReconnectDelay()
    /// Everything up to here was handed out; `nil` before the first look, when it is to begin with what is new.
    private(set) var position: DefaultHistoryToken?
    /// How often observers had been woken when the latest reading began, if that left nothing unread: what is committed since wakes them.
    private var wakesAtEnd: UInt64?

    init(_ container: ModelContainer, after position: DefaultHistoryToken?) {
        self.container = container
        self.position = position
        observer = container.observation.begin()
    }

    mutating func move(to position: DefaultHistoryToken) {
        self.position = position
        wakesAtEnd = nil
    }

    enum Step {
        case page(HistoryPage)
        case timedOut
        /// The container was closed.
        case ended
    }

    /// The next page with transactions in it. Throws `CancellationError`, and ``SwiftDataError`` for everything that waiting
    /// does not cure.
    ///
    /// - Parameter deadline: when to stop waiting for one.
    mutating func next(until deadline: ContinuousClock.Instant? = nil) async throws -> Step {
        let signal = container.observation.signal
        while !signal.isClosed {
            try Task.checkCancellation()
            let seen = signal.count
            do {
                guard let position else {
                    position = try await container.currentHistoryToken()
                    continue
                }
                if let wakes = wakesAtEnd {
                    wakesAtEnd = nil
                    let rest = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
                    if try await signal.wait(after: wakes, timeout: rest) == .timedOut { return .timedOut }
                    continue
                }
                let reading = try await container.observation.reader.read(
                    after: position, of: container, signal: signal)
                retry.reset()
                self.position = reading.page.token
                if reading.page.isLast { wakesAtEnd = reading.wakes }
                if !reading.page.transactions.isEmpty { return .page(reading.page) }
            } catch let error as SwiftDataError where error.isPassing {
                if signal.isClosed { return .ended }
                _ = try await signal.wait(after: seen, timeout: retry.next())
                if let deadline, deadline <= .now { return .timedOut }
            } catch let error as SwiftDataError where error.underlying?.code == .poolClosed {
                return .ended
            }
        }
        return .ended
    }
}

extension SwiftDataError {
    /// Whether the server or the way to it failed, and may be back soon.
    var isPassing: Bool {
        guard let underlying else { return false }
        if underlying.isConnectionLoss || underlying.isRetryable { return true }
        return [.poolAcquireTimeout, .timeout, .cancelled].contains(underlying.code)
    }
}
