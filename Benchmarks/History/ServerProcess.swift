import Foundation

/// A process of the server, known by its number.
enum ServerProcess {
    /// The seconds of processor time it has used, to the nanosecond; zero where the system does not tell.
    static func processorTime(_ number: Int32) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(number)/schedstat", encoding: .utf8),
            let first = text.split(separator: " ").first, let nanoseconds = Double(first)
        else { return 0 }
        return nanoseconds / 1_000_000_000
    }
}
