#if Hummingbird
import Foundation
import NIOCore

/// Sends the body of one answer, one piece at a time, and knows for how long a client has not taken one.
///
/// That is a limit of slowness. Whether a client takes nothing at all is known where the socket is: ``ClientPatience``.
actor Transmission {
    /// How many bytes are sent at once: a client that takes one such piece after the other is slow, and not gone.
    private static let pieceLength = 32 * 1024

    private let writer: SoleWriter
    private let patience: Duration
    private var isWriting = false
    /// Whether bytes were broken off: nothing can be sent behind them.
    private var isIncomplete = false
    private var beganWriting = ContinuousClock.now
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter writer: used by nobody else before the answer has ended.
    init(_ writer: SoleWriter, _ patience: Duration) {
        self.writer = writer
        self.patience = patience
    }

    /// Sends bytes, behind those that are being sent; returns when the client has room for more.
    func send(_ bytes: ByteBuffer) async throws {
        while isWriting { await withCheckedContinuation { waiting.append($0) } }
        isWriting = true
        defer {
            isWriting = false
            if !waiting.isEmpty { waiting.removeFirst().resume() }
        }
        beganWriting = .now
        try Task.checkCancellation()
        var rest = bytes
        while rest.readableBytes > 0, let piece = rest.readSlice(length: min(Self.pieceLength, rest.readableBytes)) {
            beganWriting = .now
            do { try await writer.write(piece) } catch {
                isIncomplete = true
                throw error
            }
        }
    }

    /// Sends a whole body and the end of the answer, for as long as the client takes them.
    func send(whole data: Data) async throws {
        try await whileTaken {
            var rest = data[...]
            while !rest.isEmpty {
                try await self.send(ByteBuffer(bytes: rest.prefix(Self.pieceLength)))
                rest = rest.dropFirst(Self.pieceLength)
            }
            try await self.writeEnd()
        }
    }

    /// Ends the answer. Throws when bytes were broken off, or the client does not take what was sent before: the end would wait for
    /// it as well, and the service for the end. The error closes the connection.
    func finish() async throws {
        guard !isIncomplete else { throw CancellationError() }
        try await whileTaken { try await self.writeEnd() }
    }

    /// Ends, with an error, when a piece could not be sent for too long.
    func watch() async throws {
        while true {
            try await Task.sleep(until: isWriting ? beganWriting + patience : .now + patience)
            if isWriting, beganWriting + patience <= .now { throw CancellationError() }
        }
    }

    private func writeEnd() async throws {
        isWriting = true
        defer { isWriting = false }
        beganWriting = .now
        try await writer.finish()
    }

    /// Sends something, and breaks it off with an error when a piece could not be sent for too long.
    private func whileTaken(_ sending: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await sending() }
            group.addTask { try await self.watch() }
            try await group.next()
        }
    }
}
#endif
