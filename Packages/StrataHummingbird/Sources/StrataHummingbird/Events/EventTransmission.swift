import Hummingbird
import NIOCore
import ServiceLifecycle

/// Sends the texts of one stream, one at a time, and knows for how long a client has taken nothing.
actor EventTransmission {
    /// How many bytes are sent at once: a client that takes one such piece after the other is slow, and not gone.
    private static let pieceLength = 32 * 1024
    /// How long a service that shuts down waits until a client has taken what was sent.
    private static let farewellPatience = Duration.seconds(2)

    private let writer: SoleWriter
    private let patience: Duration
    private var isWriting = false
    /// Whether a text was broken off: nothing can be sent behind it.
    private var isIncomplete = false
    private var beganWriting = ContinuousClock.now
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter writer: used by nobody else before the stream has ended.
    init(_ writer: SoleWriter, _ patience: Duration) {
        self.writer = writer
        self.patience = patience
    }

    /// Sends a text, behind those that are being sent; returns when the client has room for more.
    func send(_ text: String) async throws {
        while isWriting { await withCheckedContinuation { waiting.append($0) } }
        isWriting = true
        defer {
            isWriting = false
            if !waiting.isEmpty { waiting.removeFirst().resume() }
        }
        beganWriting = .now
        try Task.checkCancellation()
        var rest = ByteBuffer(string: text)
        while rest.readableBytes > 0, let piece = rest.readSlice(length: min(Self.pieceLength, rest.readableBytes)) {
            beganWriting = .now
            do { try await writer.write(piece) } catch {
                isIncomplete = true
                throw error
            }
        }
    }

    /// Ends, with an error, when a piece could not be sent for too long.
    func watch() async throws {
        while true {
            try await Task.sleep(until: isWriting ? beganWriting + patience : .now + patience)
            if isWriting, beganWriting + patience <= .now { throw CancellationError() }
        }
    }

    /// Ends the answer. Throws when a text was broken off, or the client does not take what was sent before: the end would wait for
    /// it as well, and the service for the end. The error closes the connection.
    func finish() async throws {
        guard !isIncomplete else { throw CancellationError() }
        try await withThrowingTaskGroup(of: Void.self) { [writer, patience] group in
            defer { group.cancelAll() }
            group.addTask { try await writer.finish() }
            group.addTask {
                try await Task.sleep(for: patience)
                throw CancellationError()
            }
            group.addTask {
                try await gracefulShutdown()
                try await Task.sleep(for: Self.farewellPatience)
                throw CancellationError()
            }
            try await group.next()
        }
    }
}

/// A writer of an answer's body, which Hummingbird's protocol does not call Sendable.
// The transmission, which alone has it, writes one piece at a time, and the end behind them.
final class SoleWriter: @unchecked Sendable {
    private var writer: any ResponseBodyWriter

    init(_ writer: any ResponseBodyWriter) { self.writer = writer }

    func write(_ buffer: ByteBuffer) async throws { try await writer.write(buffer) }

    func finish() async throws { try await writer.finish(nil) }
}
