import Foundation

/// A process of the server, known by its number.
enum ServerProcess {
    /// The seconds of processor time it has used; zero where the system does not tell.
    ///
    /// Other programs on the machine change it much less than they change the time on the clock.
    static func processorTime(_ number: Int32) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return 0 }
        // After the name in brackets: state, parent, … utime and stime are fields 14 and 15 (proc_pid_stat(5)).
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
