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

        /// `nil` for an instrument that is no object: nothing tells it from another of its type.
        init?(_ instrument: any Instrument, _ tracer: any Tracer) {
            guard Swift.type(of: instrument) is AnyClass else { return nil }
            self.instrument = instrument
            self.tracer = tracer
            type = ObjectIdentifier(Swift.type(of: instrument))
            address = Self.address(of: instrument)
        }

        func isAbout(_ other: any Instrument) -> Bool {
            // In this order: an instrument of another type may be no object, and shorter than an address.
            ObjectIdentifier(Swift.type(of: other)) == type && Self.address(of: other) == address
        }

        /// What a reference is. A cast to `AnyObject` would look into the conformances again.
        private static func address<Object>(of reference: Object) -> UInt {
            withUnsafeBytes(of: reference) { $0.load(as: UInt.self) }
        }
    }

    private let latest = Mutex<Found?>(nil)

    var tracer: any Tracer {
        let instrument = InstrumentationSystem.instrument
        let known = latest.withLock { found in found.flatMap { $0.isAbout(instrument) ? $0.tracer : nil } }
        if let known { return known }
        let tracer = InstrumentationSystem.tracer
        if let found = Found(instrument, tracer) { latest.withLock { $0 = found } }
        return tracer
    }
}
#endif
