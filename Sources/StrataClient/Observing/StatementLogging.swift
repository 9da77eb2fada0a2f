/// Writes statements to a log, where the level of the log is such.
package protocol StatementLogging: StatementObserver {
    /// Whether a statement of this call could be written.
    func writes(_ call: CallsInProgress?) -> Bool
}
