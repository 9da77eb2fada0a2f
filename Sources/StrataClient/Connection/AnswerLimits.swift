/// How long a connection waits for the server.
package struct AnswerLimits: Sendable, Hashable {
    /// The longest time without a sign of the server while an answer is missing; `nil` for any.
    package var silence: Duration?
    /// How long the server has to stop what it was asked to stop before the connection is closed.
    package var cancellation: Duration

    package init(silence: Duration?, cancellation: Duration = .seconds(5)) {
        self.silence = silence
        self.cancellation = cancellation
    }

    /// For connections whose statements take as long as they take.
    package static let patient = AnswerLimits(silence: nil)
    /// For connections of which only small things are asked.
    package static let short = AnswerLimits(silence: .seconds(60))
}
