public import Foundation
public import Strata

/// Something to do once, later, by whoever is free.
@Model
public final class Job {
    #Index<Job>([\.finishedAt, \.createdAt])

    /// What to do.
    public var payload: String
    /// When it was asked for.
    public var createdAt: Date
    /// When it was done; `nil` until then.
    public var finishedAt: Date?

    /// A job that is not done.
    public init(_ payload: String, createdAt: Date = .now) {
        self.payload = payload
        self.createdAt = createdAt
    }
}
