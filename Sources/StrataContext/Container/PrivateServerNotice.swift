import Logging
import Synchronization

/// Says in the log that no database was named: a variable that was misspelled leads to the private server too.
enum PrivateServerNotice {
    private static let announced = Mutex<Set<String>>([])

    /// Once a process for each folder. Whoever has data in the folder knows of it: then it is said at debug only.
    static func log(_ folder: String, hasData: Bool, _ logger: Logger) {
        guard announced.withLock({ $0.insert(folder).inserted }) else { return }
        logger.log(
            level: hasData ? .debug : .notice,
            "Neither DATABASE_URL nor PG* variables name a database: using the private server of this folder",
            metadata: ["folder": "\(folder)"])
    }
}
