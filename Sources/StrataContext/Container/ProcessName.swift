import Foundation

/// Names one container among all that write to a database: machine, process, and a random part.
enum ProcessName {
    static func make() -> String {
        let host = ProcessInfo.processInfo.hostName
        let number = ProcessInfo.processInfo.processIdentifier
        return "\(host):\(number):\(String(UInt32.random(in: 0...UInt32.max), radix: 36))"
    }
}
