import Foundation
import StrataLocalServer
import Synchronization

/// A program that tests have started: it ends when they say so, and with their process, also when that is killed.
///
/// Not a `Process` of Foundation: that gives its child the signal mask of the thread that starts it, and the threads of Swift's tasks
/// block nearly all signals. The child then never hears that it is to end, and whoever waits for its end waits for ever.
package final class WatchedProcess: Sendable {
    /// How the program is ended.
    package enum Ending: String, Sendable {
        /// As a server in a crash: it leaves at once, and takes its own processes along.
        case quit = "QUIT"
        /// With all of its group.
        case kill = "KILL"
    }

    private let ending: Ending
    /// `nil` while it does not run.
    private let identifier = Mutex<pid_t?>(nil)

    package init(endingBy ending: Ending) { self.ending = ending }

    /// Starts the program; its output goes to the end of a file.
    package func start(_ command: [String], output: String) throws {
        let process = try ChildProcess.spawn(
            ["/bin/sh", "-c", Self.script, ending.rawValue] + command, output: output)
        identifier.withLock { $0 = process }
    }

    /// Becomes the program, and leaves behind who ends it when the tests' process is gone.
    private static let script = """
        program=$$ tests=$PPID
        ( while kill -0 $tests && kill -0 $program; do sleep 1; done 2>/dev/null; kill "-$0" $program 2>/dev/null ) &
        exec "$@"
        """

    package var isRunning: Bool {
        identifier.withLock { identifier in
            guard let process = identifier else { return false }
            var status: Int32 = 0
            guard waitpid(process, &status, WNOHANG) != 0 else { return true }
            identifier = nil
            return false
        }
    }

    /// Ends it, if it runs; returns when it has ended. It can be started again.
    package func end() {
        guard let process = identifier.withLock({ $0.take() }) else { return }
        switch ending {
        case .quit: kill(process, SIGQUIT)
        case .kill: kill(-process, SIGKILL)
        }
        var status: Int32 = 0
        let deadline = Deadline(in: .seconds(20))
        while waitpid(process, &status, WNOHANG) == 0 {
            if !deadline.pause() { kill(process, SIGKILL) }
        }
    }
}
