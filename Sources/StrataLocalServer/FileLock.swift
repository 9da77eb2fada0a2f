import Foundation

/// An advisory `flock` on a file, given back when the process ends in whatever way.
final class FileLock: Sendable {
    enum Mode {
        case shared
        case exclusive
    }

    let path: String
    private let descriptor: Int32

    /// Opens the file, creating it when it is missing; nothing is locked yet.
    init(opening path: String) throws(LocalServerError) {
        // Close-on-exec: a child of ours must not keep the server alive after we are gone.
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw LocalServerError(.directoryUnusable, "cannot open the lock file \(path): \(systemErrorText(errno))")
        }
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// Takes the lock if nobody holds a conflicting one.
    func tryLock(_ mode: Mode) -> Bool {
        let operation = (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB
        while flock(descriptor, operation) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Waits for the lock; false when the deadline passed first.
    func lock(_ mode: Mode, until deadline: Deadline) -> Bool {
        while !tryLock(mode) {
            guard deadline.pause() else { return false }
        }
        return true
    }

    func unlock() {
        flock(descriptor, LOCK_UN)
    }

    /// Whether somebody else holds the file exclusively; takes nothing.
    ///
    /// Asks for a shared lock, so that two who ask at the same time are not taken for holders by each other.
    var isHeldElsewhere: Bool {
        guard tryLock(.shared) else { return true }
        unlock()
        return false
    }
}
