import Foundation

/// A moment after which a wait is given up, so that nothing here can hang forever.
package struct Deadline {
    private let end: ContinuousClock.Instant

    package init(in duration: Duration) {
        end = .now + duration
    }

    var hasPassed: Bool { ContinuousClock.now >= end }

    /// Sleeps for a moment between two looks at a file; false when the time is over.
    package func pause() -> Bool {
        guard !hasPassed else { return false }
        usleep(10_000)
        return true
    }
}

/// The operating system's words for an `errno`.
func systemErrorText(_ code: Int32) -> String {
    String(cString: strerror(code))
}
