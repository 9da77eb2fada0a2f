public import StrataModels

/// What a stage must be told because two schemas alone cannot say it: a rename, a drop, where rows go.
///
/// Nothing is guessed. A property or class that is gone and that nothing here accounts for stops `generate` with the
/// line to add.
///
/// ```swift
/// .lightweight(fromVersion: TripsV3.self, toVersion: TripsV4.self, changes: [
///     .split(TripsV4.BusinessTrip.self, where: "per_diem IS NOT NULL"),
///     .dropped(\TripsV3.Trip.notes),
/// ])
/// ```
public struct SchemaChange: Hashable, Sendable {
    /// A class or one of its properties, by name.
    package struct Subject: Codable, Hashable, Sendable, CustomStringConvertible {
        package var entity: String
        package var property: String?

        package init(_ entity: String, _ property: String? = nil) {
            self.entity = entity
            self.property = property
        }

        package var description: String { property.map { "\(entity).\($0)" } ?? entity }
    }

    package enum Kind: Codable, Hashable, Sendable {
        /// Old → new; also a move between classes when the classes differ.
        case renamed(Subject, to: Subject)
        /// Gone with its values, on purpose.
        case dropped(Subject)
        /// Gone, after a custom stage has used it.
        case consumed(Subject)
        /// Rows of the new class's nearest older ancestor for which `condition` (SQL over that class's columns, by name) is true become rows
        /// of the new class.
        case split(String, condition: String)
        /// Rows of the vanished class stay as rows of this remaining one.
        case merged(String, into: String)
        /// New values of the (new) property as SQL over the old row's columns.
        case converted(Subject, using: String)
        /// What the (new, required) property holds in rows that have no value for it.
        case filled(Subject, with: String)
        /// The old and the new column of a renamed property are kept in step until contract.
        case sideBySide(Subject)
        /// A statement of the user's, in its own transaction, at this place.
        case sql(String, phase: MigrationPhase)
    }

    package var kind: Kind

    package init(_ kind: Kind) { self.kind = kind }
}

extension SchemaChange {
    /// A class that goes by another name from now on; its rows stay where they are.
    public static func renamed<Old: PersistentModel, New: PersistentModel>(
        _ old: Old.Type, to new: New.Type
    ) -> SchemaChange {
        SchemaChange(.renamed(subject(old), to: subject(new)))
    }

    /// A property that goes by another name, or stands in another class, from now on; the same as
    /// `@Attribute(originalName:)` where both classes have one name.
    public static func renamed<Old: PersistentModel, New: PersistentModel>(
        _ old: PartialKeyPath<Old>, to new: PartialKeyPath<New>
    ) -> SchemaChange {
        SchemaChange(.renamed(subject(old), to: subject(new)))
    }

    /// A class that is gone, with its rows, on purpose.
    public static func dropped<Old: PersistentModel>(_ old: Old.Type) -> SchemaChange {
        SchemaChange(.dropped(subject(old)))
    }

    /// A property that is gone, with its values, on purpose.
    public static func dropped<Old: PersistentModel>(_ old: PartialKeyPath<Old>) -> SchemaChange {
        SchemaChange(.dropped(subject(old)))
    }

    /// A property that is gone after `willMigrate` or `didMigrate` has carried its values elsewhere.
    public static func consumed<Old: PersistentModel>(_ old: PartialKeyPath<Old>) -> SchemaChange {
        SchemaChange(.consumed(subject(old)))
    }

    /// A class that is gone after `willMigrate` or `didMigrate` has carried its rows elsewhere.
    public static func consumed<Old: PersistentModel>(_ old: Old.Type) -> SchemaChange {
        SchemaChange(.consumed(subject(old)))
    }

    /// Rows of the new class's nearest older ancestor that become rows of the new class.
    ///
    /// - Parameter condition: SQL over the columns of the older class's table, without a prefix: `per_diem IS NOT NULL`.
    public static func split<New: PersistentModel>(_ new: New.Type, where condition: String) -> SchemaChange {
        SchemaChange(.split(New._$descriptor.entityName, condition: condition))
    }

    /// Rows of a class that is gone which stay as rows of `remaining`, usually its superclass.
    public static func merged<Old: PersistentModel, Remaining: PersistentModel>(
        _ old: Old.Type, into remaining: Remaining.Type
    ) -> SchemaChange {
        SchemaChange(.merged(Old._$descriptor.entityName, into: Remaining._$descriptor.entityName))
    }

    /// New values of a property, row by row.
    ///
    /// - Parameter expression: SQL over the columns of the older class's table, without a prefix:
    ///   `NULLIF(trim(code), '')::bigint`.
    public static func converted<New: PersistentModel>(
        _ new: PartialKeyPath<New>, using expression: String
    ) -> SchemaChange {
        SchemaChange(.converted(subject(new), using: expression))
    }

    /// What a property that is required from now on holds in rows that have no value for it.
    ///
    /// - Parameter expression: SQL over the columns of the class's table, often just a literal: `'unknown'`.
    public static func filled<New: PersistentModel>(
        _ new: PartialKeyPath<New>, with expression: String
    ) -> SchemaChange {
        SchemaChange(.filled(subject(new), with: expression))
    }

    /// A property that is renamed while old and new code run.
    ///
    /// Alone, a rename is a change of the column's name: quick, but old code must be stopped before contract, and new code
    /// starts after it. With this, the new column stands beside the old one from expand on; a trigger copies what either
    /// code writes into the other's column, rows that are there are copied in batches, and contract drops the old column.
    /// New code may start when the backfill is done. The table is written once, and takes the room of another column
    /// until contract.
    ///
    /// ```swift
    /// .renamed(\TripsV1.Trip.name, to: \TripsV2.Trip.title), .sideBySide(\TripsV2.Trip.title)
    /// ```
    ///
    /// The type may change together with the name where every new value has an old one: a `String` that becomes an `Int`,
    /// but not an `Int` that becomes a `String`.
    public static func sideBySide<New: PersistentModel>(_ new: PartialKeyPath<New>) -> SchemaChange {
        SchemaChange(.sideBySide(subject(new)))
    }

    /// A statement of your own, in a transaction of its own: at the end of expand or backfill, or in contract behind
    /// `didMigrate` and before anything is dropped.
    ///
    /// It may take 60 seconds, or what the tool's `--statement-timeout` says.
    public static func sql(_ statement: String, phase: MigrationPhase = .backfill) -> SchemaChange {
        SchemaChange(.sql(statement, phase: phase))
    }

    private static func subject<M: PersistentModel>(_ type: M.Type) -> Subject { Subject(M._$descriptor.entityName) }

    private static func subject<M: PersistentModel>(_ keyPath: PartialKeyPath<M>) -> Subject {
        // A key path to no persisted property keeps its text: the planner reports it.
        Subject(M._$descriptor.entityName, M._$descriptor.property(for: keyPath)?.name ?? "\(keyPath)")
    }
}

/// When a step may run, seen from the application's roll-out.
public enum MigrationPhase: String, CaseIterable, Codable, Comparable, Sendable {
    /// Before the new code is rolled out; the old code runs on undisturbed.
    case expand
    /// While old and new code run.
    case backfill
    /// When no old code runs any more.
    case contract

    private var order: Int {
        switch self {
        case .expand: 0
        case .backfill: 1
        case .contract: 2
        }
    }

    /// Expand before backfill before contract.
    public static func < (lhs: MigrationPhase, rhs: MigrationPhase) -> Bool {
        lhs.order < rhs.order
    }
}
