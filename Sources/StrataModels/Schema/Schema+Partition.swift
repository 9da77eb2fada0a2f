public import Foundation

extension Schema {
    /// What `#Partition` declares.
    public struct Partition<T: PersistentModel> {
        /// The property that says in which partition an object is.
        public let date: KeyPath<T, Date>
        /// How long a partition is.
        public let period: PartitionPeriod

        /// What `#Partition<T>(by:every:)` is given.
        public init(by date: KeyPath<T, Date>, every period: PartitionPeriod) {
            self.date = date
            self.period = period
        }
    }

    /// How long a partition is. It begins at midnight in UTC.
    public enum PartitionPeriod: String, Codable, Hashable, Sendable, CaseIterable {
        /// From midnight to midnight.
        case day
        /// From Monday to Monday.
        case week
        /// From the first of a month to the first of the next.
        case month
        /// From 1 January to 1 January.
        case year
    }

    /// How the table of a class is divided, without the type of the class.
    public struct ModelPartition: Sendable {
        package let keyPath: SendableKeyPath
        package let period: PartitionPeriod
    }

    /// How the table of a class is divided, as an entity has it.
    package struct EntityPartition: Codable, Hashable, Sendable {
        /// The property that says in which partition an object is.
        package let name: String
        package let period: PartitionPeriod

        package init(name: String, period: PartitionPeriod) {
            self.name = name
            self.period = period
        }
    }
}
