import Synchronization

@testable import StrataMigrations

/// An error that comes out of a closure.
final class RefusalBox: Sendable {
    let error = Mutex<MigrationError?>(nil)
}
