import Hummingbird
import NIOCore

/// Sends the texts of one stream, one at a time, and knows for how long a client has taken nothing.
actor EventTransmission {
    private let writer: SoleWriter
    private let patience: Duration
    private var isWriting = false
    /// Whether a text was broken off: nothing can be sent behind it.
    private(set) var isIncomplete = false
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
        beganWriting = .now
        defer {
            isWriting = false
            if !waiting.isEmpty { waiting.removeFirst().resume() }
        }
        try Task.checkCancellation()
        do { try await writer.write(ByteBuffer(string: text)) } catch {
            isIncomplete = true
            throw error
        }
    }

    /// Ends, with an error, when a text could not be sent for too long.
    func watch() async throws {
        while true {
            try await Task.sleep(until: isWriting ? beganWriting + patience : .now + patience)
            if isWriting, beganWriting + patience <= .now { throw CancellationError() }
        }
    }
}

/// A writer of an answer's body, which Hummingbird's protocol does not call Sendable.
// The transmission, which alone has it, writes one text at a time.
final class SoleWriter: @unchecked Sendable {
    private var writer: any ResponseBodyWriter

    init(_ writer: any ResponseBodyWriter) { self.writer = writer }

    func write(_ buffer: ByteBuffer) async throws { try await writer.write(buffer) }
}
