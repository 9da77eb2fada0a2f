import CLibPQ

/// Something that is done over a connection's socket in steps that never wait. The blocking and the asynchronous caller share
/// all of it; they differ only in how they wait between the steps.
protocol SocketWork {
    /// Sends and reads as far as possible now, and says what to wait for.
    mutating func advance() -> SocketNeed

    /// What was waited for has happened.
    mutating func inputArrived()
}

/// What a step of work has to wait for.
enum SocketNeed {
    case read
    case readOrWrite
    case done
}

extension PostgresConnection {
    /// Carries the work through, blocking this thread while it waits.
    func drive<Work: SocketWork>(_ work: inout Work) {
        while true {
            switch work.advance() {
            case .done: return
            case .read: awaitSocket(forWriting: false)
            case .readOrWrite: awaitSocket(forWriting: true)
            }
            work.inputArrived()
        }
    }

    /// Carries the work through on the caller's isolation, blocking no thread.
    func drive<Work: SocketWork>(_ work: inout Work) async {
        while true {
            switch work.advance() {
            case .done: return
            case .read: await awaitSocketWithoutBlocking(forWriting: false)
            case .readOrWrite: await awaitSocketWithoutBlocking(forWriting: true)
            }
            work.inputArrived()
        }
    }

    /// As ``drive(_:)``; cancelling the task asks the server to stop. Returns when no cancel request is under way any more.
    func driveCancellably<Work: SocketWork>(_ work: inout Work) async {
        let cancellation = cancellation
        if cancellationEffect == .stopsServer || cancellationEffect == .isHeardAround {
            await withCancellationHandler {
                await drive(&work)
            } onCancel: {
                cancellation.request()
            }
        } else {
            await drive(&work)
        }
        // Mostly it has: a wait that is none would still look for the caller's executor.
        if !cancellation.noteEnd() { await cancellation.end() }
    }

    /// As ``drive(_:)``, for a caller whose cancellation somebody around it hears of: ``stopping(_:_:)``.
    func driveHeard<Work: SocketWork>(_ work: inout Work) async {
        // A cancellation that came before the work began has found nothing to stop.
        if Task.isCancelled { cancellation.request() }
        await drive(&work)
        if !cancellation.noteEnd() { await cancellation.end() }
    }

    private func awaitSocket(forWriting: Bool) {
        guard let raw else { return }
        let socket = PQsocket(raw)
        let isThere = spin.begin(socket, forWriting: forWriting)
        defer { spin.end() }
        guard !isThere else { return }
        patience.beginWait()
        defer { patience.endWait() }
        _ = SocketPoll.wait(socket, forWriting: forWriting)
    }

    private func awaitSocketWithoutBlocking(forWriting: Bool) async {
        guard let raw else { return }
        let socket = PQsocket(raw)
        let isThere = spin.begin(socket, forWriting: forWriting)
        defer { spin.end() }
        guard !isThere else { return }
        patience.beginWait()
        defer { patience.endWait() }
        await SocketReadiness.shared.wait(socket, forWriting: forWriting)
    }
}
