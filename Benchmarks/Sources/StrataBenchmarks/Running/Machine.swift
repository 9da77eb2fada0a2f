import Foundation

/// Where a run took place: figures mean nothing without.
struct Machine: Codable {
    var processor: String
    var cores: Int
    var memory: Int
    var system: String

    init() {
        let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }
        processor = model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
        cores = ProcessInfo.processInfo.activeProcessorCount
        memory = Int(ProcessInfo.processInfo.physicalMemory)
        system = ProcessInfo.processInfo.operatingSystemVersionString
    }

    var description: String { "\(processor), \(cores) cores, \(memory >> 30) GiB, \(system)" }
}
