public import StrataModels

/// A class whose objects are the rows of a view: they are fetched like any others, and never written.
///
/// ```swift
/// @Model final class CityStatistics: DatabaseView {
///     static let definition: SQLStatement = """
///         SELECT min(\(\Trip.persistentModelID)) AS \(column: \CityStatistics.persistentModelID),
///             \(\Trip.destination) AS \(column: \CityStatistics.city), count(*) AS \(column: \CityStatistics.trips)
///         FROM \(Trip.self) GROUP BY \(\Trip.destination)
///         """
///     var city: String
///     var trips: Int
/// }
/// ```
///
/// The query gives each property its column, by `AS \(column: …)`, and each row its key: a whole number that no other row has, and that a
/// row keeps as long as it means the same. Objects are told apart by it, in memory too. Where a property is the key (`.primaryKey`), or
/// several are (`#PrimaryKey`), the query gives no `persistentModelID`. The tables that it reads are named by
/// interpolation, so that migrations know of them and follow what is renamed; values stand in it as constants. A relationship to one
/// object is the column with its key; to one with a key of several columns it has those of other properties, `@Relationship(columns:)`. Columns
/// are cast to the types of the properties.
///
/// The view is made with the tables, and changed by migrations. An inserted, changed or deleted object is an error of `save()`. There
/// is no history, no index and no relationship that leads to it. With `static let isMaterialized = true` the server keeps the rows, as they
/// were when `context.refresh(CityStatistics.self)` was called last. A fetch is refused while there are unsaved changes, which no view
/// shows, unless the descriptor leaves them out.
public protocol DatabaseView: AnyObject {
    /// The query that the view shows.
    static var definition: SQLStatement { get }
    /// Whether the server keeps the rows (PostgreSQL manual, 39.3) and shows them until `context.refresh(_:)` computes them anew. It is
    /// filled when it is made, and has a unique index of its key.
    static var isMaterialized: Bool { get }
}

extension DatabaseView {
    /// The query is carried out by each fetch.
    public static var isMaterialized: Bool { false }
}

extension PersistentModel where Self: DatabaseView {
    /// What a view shows is recorded where it is written.
    public static var recordsHistory: Bool { false }
    /// The objects are rows of a view.
    public static var _$isView: Bool { true }
}
