import CoreMetrics
import Synchronization

/// A backend of swift-metrics that does the least that one can: it adds up.
final class CountingBackend: MetricsFactory {
    private final class Instrument: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler,
        TimerHandler
    {
        private let count = Atomic(0)
        private let sum = Atomic(0)

        private func add(_ value: Int) {
            count.add(1, ordering: .relaxed)
            sum.wrappingAdd(value, ordering: .relaxed)
        }

        func increment(by amount: Int64) { add(Int(amount)) }
        func increment(by amount: Double) { add(Int(amount)) }
        func decrement(by amount: Double) { add(-Int(amount)) }
        func set(_ value: Int64) { add(Int(value)) }
        func set(_ value: Double) { add(Int(value)) }
        func record(_ value: Int64) { add(Int(value)) }
        func record(_ value: Double) { add(Int(value)) }
        func recordNanoseconds(_ duration: Int64) { add(Int(duration)) }
        func reset() {}
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { Instrument() }
    func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        Instrument()
    }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { Instrument() }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        Instrument()
    }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { Instrument() }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
