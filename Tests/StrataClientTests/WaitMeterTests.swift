import Testing

@testable import StrataClient

@Suite struct WaitMeterTests {
    private func glance(_ waits: UInt64, silence: Duration? = .seconds(2), end: UInt64? = nil) -> AnswerPatience.Glance
    {
        AnswerPatience.Glance(waits: waits, silence: silence, end: end.map { MonotonicTime(nanoseconds: $0) })
    }

    private func time(_ seconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    @Test func whoDoesNotWaitIsIdle() {
        var meter = WaitMeter()
        #expect(meter.look(glance(0), now: time(100)) == .idle)
        #expect(meter.look(glance(2), now: time(200)) == .idle)
    }

    @Test func aWaitIsMeasuredFromWhenItWasSeen() {
        var meter = WaitMeter()
        #expect(meter.look(glance(1), now: time(100)) == .patient(until: time(102)))
        #expect(meter.look(glance(1), now: time(101)) == .patient(until: time(102)))
        #expect(meter.look(glance(1), now: time(102)) == .overdue(.silence))
    }

    @Test func anotherWaitBeginsAnew() {
        var meter = WaitMeter()
        #expect(meter.look(glance(1), now: time(100)) == .patient(until: time(102)))
        // An answer came in between.
        #expect(meter.look(glance(3), now: time(102)) == .patient(until: time(104)))
    }

    @Test func theTimeOfTheCallReplacesTheSilence() {
        var meter = WaitMeter()
        let end: UInt64 = 160_000_000_000
        #expect(meter.look(glance(1, end: end), now: time(100)) == .patient(until: time(160)))
        #expect(meter.look(glance(1, end: end), now: time(150)) == .patient(until: time(160)))
        #expect(meter.look(glance(3, end: end), now: time(160)) == .overdue(.callLimit))
    }

    @Test func withoutLimitsAnyWaitGoesOn() {
        var meter = WaitMeter()
        #expect(meter.look(glance(1, silence: nil), now: time(0)) == .patient(until: nil))
        #expect(meter.look(glance(1, silence: nil), now: time(100_000)) == .patient(until: nil))
    }

    @Test func timesBeyondAllMeasureDoNotOverflow() {
        #expect(time(5) + .seconds(Int64.max) == MonotonicTime(nanoseconds: .max))
        #expect(time(5) + .seconds(-7) == time(5))
        #expect(time(5).duration(to: time(3)) == .zero)
    }
}
