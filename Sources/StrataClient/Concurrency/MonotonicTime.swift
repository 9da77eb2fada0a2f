import Foundation

/// Nanoseconds of a clock that only goes forward, and stands still while the machine sleeps.
package struct MonotonicTime: Comparable, Hashable, Sendable {
    package var nanoseconds: UInt64

    package static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    static func + (lhs: Self, rhs: Duration) -> Self {
        let (sum, isOverflow) = lhs.nanoseconds.addingReportingOverflow(rhs.wholeNanoseconds)
        return Self(nanoseconds: isOverflow ? .max : sum)
    }

    /// Zero when the other is not later.
    package func duration(to other: Self) -> Duration { .nanoseconds(nanoseconds(to: other)) }

    /// Zero when the other is not later.
    package func nanoseconds(to other: Self) -> Int64 {
        Int64(clamping: other.nanoseconds < nanoseconds ? 0 : other.nanoseconds - nanoseconds)
    }
}

extension Duration {
    /// Zero for what is below; as much as there is room for, for what is above.
    var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard self > .zero else { return 0 }
        let (product, isOverflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        guard !isOverflow else { return .max }
        let (sum, isTooMuch) = product.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
        return isTooMuch ? .max : sum
    }
}
