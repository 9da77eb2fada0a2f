#if Tracing
import Synchronization
import Tracing

/// The tracer that `InstrumentationSystem` has now.
///
/// Whether an instrument is a tracer it looks up among the conformances of the program, each time anew and twice: that takes longer than a
/// span. An instrument that is an object stays what it was found to be.
final class ActiveTracer: Sendable {
    private struct Found {
        /// Keeps the object, so that no other gets its address.
        let instrument: any Instrument
        let type: ObjectIdentifier
        let address: UInt
        let tracer: any Tracer
    }

    private let latest = Mutex<Found?>(nil)

    var tracer: any Tracer {
        let instrument = InstrumentationSystem.instrument
        let (type, address) = (ObjectIdentifier(type(of: instrument)), Self.address(in: instrument))
        let known = latest.withLock { found -> (any Tracer)? in
            guard let found, found.type == type, found.address == address else { return nil }
            return found.tracer
        }
        if let known { return known }
        let tracer = InstrumentationSystem.tracer
        if Swift.type(of: instrument) is AnyClass {
            let found = Found(instrument: instrument, type: type, address: address, tracer: tracer)
            latest.withLock { $0 = found }
        }
        return tracer
    }

    /// The first word of an existential, which of an object is its address.
    private static func address(in instrument: any Instrument) -> UInt {
        withUnsafeBytes(of: instrument) { $0.load(as: UInt.self) }
    }
}
#endif
