package import Foundation

/// A program started with a clean signal mask and none of our file descriptors.
package struct ChildProcess {
    /// What a program that ran to its end left behind.
    package struct Outcome {
        package let status: Int32
        package let output: String
    }

    /// Starts a program in a session of its own and returns its process identifier; the caller waits for it.
    ///
    /// `output` is the file that receives standard output and standard error.
    package static func spawn(_ arguments: [String], output: String) throws(LocalServerError) -> pid_t {
        var actions = posixSpawnFileActions()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // A pipe that the child keeps open would make its reader wait for a server that outlives us.
        closeInherited(&actions)

        var attributes = posixSpawnAttributes()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | newSessionFlag
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))

        var argumentPointers = arguments.map { strdup($0) } + [nil]
        defer { argumentPointers.forEach { free($0) } }
        var identifier: pid_t = 0
        let code = posix_spawnp(&identifier, arguments[0], &actions, &attributes, &argumentPointers, environ)
        guard code == 0 else {
            throw LocalServerError(.startFailed, "cannot run \(arguments[0]): \(systemErrorText(code))")
        }
        return identifier
    }

    /// Runs a program to its end and returns what it wrote; kills it when the deadline passes.
    package static func run(_ arguments: [String], until deadline: Deadline) throws(LocalServerError) -> Outcome {
        let output = temporaryFile()
        defer { unlink(output) }
        let identifier = try spawn(arguments, output: output)
        var status: Int32 = 0
        while waitpid(identifier, &status, WNOHANG) == 0 {
            guard deadline.pause() else {
                kill(identifier, SIGKILL)
                waitpid(identifier, &status, 0)
                throw LocalServerError(.timedOut, "\(arguments.joined(separator: " ")) did not end in time")
            }
        }
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        return Outcome(status: status, output: text)
    }

    private static func temporaryFile() -> String {
        "/tmp/strata-\(getpid())-\(UInt64.random(in: 0 ... .max)).out"
    }

    /// Closes all but the first three descriptors in the child: those too that another thread opens before it is there, which no list
    /// would have.
    private static func closeInherited(_ actions: inout FileActions) {
        #if os(Linux)
        if let closeFrom {
            _ = closeFrom(&actions, 3)
            return
        }
        #endif
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
        for descriptor in names.compactMap({ Int32($0) }) where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
    }

    #if os(Linux)
    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<FileActions>, Int32) -> Int32

    /// glibc has it from 2.34 on, and shows it only with `_GNU_SOURCE`.
    private static let closeFrom: CloseFrom? = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
        unsafeBitCast($0, to: CloseFrom.self)
    }
    #endif
}

#if canImport(Darwin)
private typealias FileActions = posix_spawn_file_actions_t?
private let newSessionFlag = Int32(POSIX_SPAWN_SETSID)
private func posixSpawnFileActions() -> posix_spawn_file_actions_t? { nil }
private func posixSpawnAttributes() -> posix_spawnattr_t? { nil }
#else
private typealias FileActions = posix_spawn_file_actions_t
/// `POSIX_SPAWN_SETSID`, which glibc shows only with `_GNU_SOURCE`.
private let newSessionFlag: Int32 = 0x80
private func posixSpawnFileActions() -> posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
private func posixSpawnAttributes() -> posix_spawnattr_t { posix_spawnattr_t() }
#endif
