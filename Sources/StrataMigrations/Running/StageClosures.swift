/// Runs the closures of custom stages: the runner itself knows SQL only.
package protocol StageClosures: Sendable {
    /// Blocks until the closure has ended; throws what it throws.
    func perform(_ closure: StageClosure, stage number: Int) throws
}
