#if Hummingbird
import Hummingbird
import NIOCore

/// A writer of an answer's body, which Hummingbird's protocol does not call Sendable.
// The transmission, which alone has it, writes one piece at a time, and the end behind them.
final class SoleWriter: @unchecked Sendable {
    private var writer: any ResponseBodyWriter

    init(_ writer: any ResponseBodyWriter) { self.writer = writer }

    func write(_ buffer: ByteBuffer) async throws { try await writer.write(buffer) }

    func finish() async throws { try await writer.finish(nil) }
}
#endif
