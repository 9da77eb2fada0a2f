public import Foundation
import StrataRepository

/// One partition of a class that declares `#Partition`: the objects of a period, in a table of their own.
public struct ModelPartition: Hashable, Sendable {
    /// What becomes of it.
    public enum Status: String, Hashable, Sendable, Codable {
        /// It is part of the table.
        case attached
        /// It is on its way out, and its objects are not found any more.
        case detaching
        /// It is no part of the table any more, and is going to be dropped.
        case detached
    }

    /// The name of its table.
    public let name: String
    /// The dates of its objects; `nil` for a partition that takes what no other does, and for one that is detached.
    public let dates: Range<Date>?
    /// What becomes of it.
    public let status: Status
    /// What its table and indexes take on disk.
    public let bytes: Int

    init(_ partition: TablePartition) {
        name = partition.name.name
        dates = partition.bounds.map {
            Date(postgresMicroseconds: $0.lower.microseconds)..<Date(postgresMicroseconds: $0.upper.microseconds)
        }
        status =
            switch partition.status {
            case .attached: .attached
            case .detaching: .detaching
            case .detached: .detached
            }
        bytes = Int(partition.bytes)
    }
}
