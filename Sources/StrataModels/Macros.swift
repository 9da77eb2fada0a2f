public import Foundation

/// Makes a class a stored model: its stored properties become columns, its instances belong to a `ModelContext`.
///
/// A subclass of a model takes `@Model` too; its own properties live in a table of their own, joined by key, or in that of its
/// superclass (`inheritance: .singleTable`).
///
/// ```swift
/// @Model class Trip {
///     #Index<Trip>([\.startDate])
///     @Attribute(.unique) var name: String
///     var startDate: Date
///     @Relationship(deleteRule: .cascade, inverse: \BucketListItem.trip) var bucketList: [BucketListItem] = []
///     init(name: String, startDate: Date) { self.name = name; self.startDate = startDate }
/// }
/// @Model final class BusinessTrip: Trip { var perdiem: Double = 0 }
/// ```
///
/// Tables and columns are called as the classes and properties are, in snake case. Names that a database has already are given
/// here, and in `@Attribute` and `@Relationship`:
///
/// ```swift
/// @Model(table: "users", keyColumn: "id") final class User {
///     @Attribute(column: "first_name") var firstName: String
///     @Relationship(column: "boss_id") var boss: User?
/// }
/// ```
/// - Parameters:
///   - table: the name of the table; of a view for a class that reads one.
///   - postgresSchema: the PostgreSQL schema of the table, where it is not that of the store (`ModelConfiguration.postgresSchema`), and of the
///     tables of its subclasses. For tables of another program (`tables = .external`).
///   - keyColumn: the name of the key's column, `pk` without it, in all tables of a hierarchy. Given by the class at its top.
///   - classColumn: the name of the column that says which class of a hierarchy a row has, `class` without it. Given by the class
///     at its top, which has subclasses.
///   - keyConstraint: the name of the primary key's constraint, `users_pkey` by rule; each class of a hierarchy that has a table names its own.
///   - superclassConstraint: the name of the foreign key by which the table of a subclass refers to that of its superclass.
///   - inheritance: whether the classes of a hierarchy have a table each, as without it, or share that of the class at its top, which gives it;
///     and whether a column says the class of a row.
///   - discriminator: what stands in that column for rows of the class, a text or a number; the class's name without it.
@attached(member, conformances: PersistentModel, names: arbitrary)
@attached(memberAttribute)
@attached(extension, conformances: PersistentModel, Sendable, names: named(_$isEqual), named(_$isLess))
public macro Model(
    table: String? = nil, postgresSchema: String? = nil, keyColumn: String? = nil, classColumn: String? = nil,
    keyConstraint: String? = nil, superclassConstraint: String? = nil,
    inheritance: Schema.Inheritance? = nil, discriminator: Schema.Discriminator? = nil
) =
    #externalMacro(module: "StrataMacros", type: "ModelMacro")

/// Says how an attribute is stored.
///
/// ```swift
/// @Attribute(.unique) var code: String
/// @Attribute(.externalStorage) var photo: Data?
/// @Attribute(originalName: "start_date") var startDate: Date
/// @Attribute(column: "dest") var destination: String
/// ```
/// - Parameters:
///   - options: see ``Schema/Attribute/Option``.
///   - column: the name of the column, where it is not the property's in snake case.
///   - originalName: the name the property had in the schema version before, for migrations.
///   - hashModifier: marks a change that the structure does not show, for migrations.
@attached(peer)
public macro Attribute(
    _ options: Schema.Attribute.Option..., column: String? = nil, originalName: String? = nil,
    hashModifier: String? = nil
) = #externalMacro(module: "StrataMacros", type: "AttributeMacro")

/// Says how a relationship behaves: what a deletion does to the objects at the other end, which property of theirs is
/// its inverse, how many objects there may be.
///
/// Write `inverse:` on one side only: the compiler rejects key paths that refer to each other. Without it, the inverse
/// is inferred when there is exactly one candidate each way, unless both are arrays or one is a to-one that is not
/// optional. Several candidates are an error of the schema, which names them.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \BucketListItem.trip) var bucketList: [BucketListItem] = []
/// ```
///
/// Names of columns that a database has already are given at the end where the column is; those of a table of pairs at either
/// end, and where a key is of several columns, each at the end whose objects have it:
///
/// ```swift
/// @Relationship(column: "owner_id") var owner: User?
/// @Relationship(table: "membership", column: "user_id", inverseColumn: "group_id", inverse: \Group.members)
/// var groups: [Group] = []
/// @Relationship(columns: ["order_id", "product_id"]) var line: OrderLine?
/// @Relationship(table: "labels", columns: ["order_id", "line_nr"], inverse: \Tag.lines) var tags: [Tag] = []  // of OrderLine
/// ```
/// - Parameters:
///   - options: see ``Schema/Relationship/Option``.
///   - deleteRule: what deleting an object does to the objects at the other end.
///   - minimumModelCount: the least number of objects that `save()` accepts; 0 for no limit.
///   - maximumModelCount: the greatest number of objects that `save()` accepts; 0 for no limit.
///   - table: the name of the table of pairs of a many-to-many relationship.
///   - column: the name of the foreign key's column: of a to-one relationship the one with the key of the object it leads to, of
///     a to-many relationship without inverse, or of a table of pairs, the one with the keys of the objects that have it.
///   - columns: the names of a foreign key's columns, in the order of the key that stands there: of a `#PrimaryKey`, or the only one. Of a to-one
///     relationship a name may be that of another property's column, of the object's own key for example: then that property says what
///     stands in it, and the relationship reads it.
///   - inverseColumn: the name of the column of a table of pairs that has the keys of the other end, where those are of one column.
///   - constraint: the name of the foreign key's constraint, `book_author_fkey` by rule; of a table of pairs, of the one by the column that
///     `column` names.
///   - keyConstraint: the name of the primary key's constraint of a table of pairs.
///   - originalName: the name the property had in the schema version before, for migrations.
///   - inverse: the property at the other end that is kept in step; `nil`, written out, for a one-way relationship.
///   - hashModifier: marks a change that the structure does not show, for migrations.
@attached(peer)
public macro Relationship(
    _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
    minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, table: String? = nil, column: String? = nil,
    columns: [String]? = nil, inverseColumn: String? = nil, constraint: String? = nil, keyConstraint: String? = nil,
    originalName: String? = nil,
    inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "StrataMacros", type: "RelationshipMacro")

/// The spelling of the first beta.
@available(*, deprecated, message: "use @Relationship(deleteRule:)")
@attached(peer)
public macro Relationship(
    _ deleteRule: Schema.Relationship.DeleteRule, minimumModelCount: Int? = 0, maximumModelCount: Int? = 0,
    originalName: String? = nil, inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "StrataMacros", type: "RelationshipMacro")

/// Leaves a property out of the store. It needs a default value and may not be used in predicates.
///
/// ```swift
/// @Transient var isSelected = false
/// ```
@attached(peer)
public macro Transient() = #externalMacro(module: "StrataMacros", type: "TransientMacro")

/// Declares that the values of these properties together are unique among all objects of the class (and its
/// subclasses).
///
/// A new object with the values of a stored one updates that one when it is saved, unless the context's `uniquePolicy`
/// says otherwise. The properties of one set belong to one class of a hierarchy.
///
/// ```swift
/// #Unique<Trip>([\.name, \.startDate], [\.code])
/// #Unique<Account>([\.email]) { $0.deletedAt == nil }
/// #Unique<Seat>([\.hall, \.row, \.number], nulls: .notDistinct)
/// #Unique<Task>([\.list, \.position], timing: .deferred)
/// #Unique<User>([\.email], case: .insensitive)
/// #Unique<User>([\.login], name: "one_login")
/// ```
///
/// Under a condition the values are unique among the objects that it is true of: a partial unique index (PostgreSQL manual, 11.8). All else is
/// about those objects alone: which stored object a new one updates, and what is refused. A condition is written as that of `#Index`, of
/// properties of the class that the sets belong to.
/// - Parameters:
///   - constraints: the properties of each set.
///   - name: the name of the constraint or index in the database, of one set; without it one that follows from table and columns, such as
///     `user_login_key`.
///   - letterCase: whether texts that differ in case are equal; they are not unless told otherwise. It is about the `String` attributes of each
///     set, and makes a unique index of their lower case.
///   - nulls: whether `nil` equals `nil`; it equals nothing unless told otherwise.
///   - timing: when the values are compared: as each row is written, or at the end of the transaction. Not with a condition, and not regardless of
///     case.
///   - condition: the objects among which the values are unique.
@freestanding(declaration)
public macro Unique<T: PersistentModel>(
    _ constraints: [PartialKeyPath<T>]..., name: String? = nil, case letterCase: Schema.UniqueCase = .sensitive,
    nulls: Schema.UniqueNulls = .distinct, timing: Schema.UniqueTiming = .immediate,
    where condition: ((T) -> Bool)? = nil
) = #externalMacro(module: "StrataMacros", type: "UniqueMacro")

/// Declares that these properties together are the key of an object: the primary key of several columns, as tables between two others have it.
///
/// A part is an attribute of a type that keys have (`Int`, `Int64`, `UUID`, `String`), a `Date`, or a required to-one relationship; in tables of
/// others also a ``CalendarDate`` or `Data`. The key is final when the object is inserted and has all its parts; it is not changed afterwards. A new
/// object with the key of a stored one updates that one when it is saved, unless the context's `uniquePolicy` says otherwise.
///
/// ```swift
/// #PrimaryKey<OrderDetail>([\.order, \.product])
/// ```
///
/// In tables of others it may be one property, whose column is `char(n)`, `date`, `bytea` or `timestamp`: `#PrimaryKey<Country>([\.code])`.
/// Any other key of one property is marked `@Attribute(.primaryKey)`.
@freestanding(declaration)
public macro PrimaryKey<T: PersistentModel>(_ parts: [PartialKeyPath<T>]) =
    #externalMacro(module: "StrataMacros", type: "PrimaryKeyMacro")

/// Declares B-tree indexes, one for each array: of all objects, or of those that a condition is true of.
///
/// ```swift
/// #Index<Trip>([\.startDate], [\.destination, \.startDate])
/// #Index<Trip>([\.destination]) { !$0.isCancelled }
/// #Index<Trip>([\.price], name: "trips_by_price")
/// ```
///
/// A name is that of one index in the database; without it one follows from table and columns, such as `trip_price_idx`.
///
/// A condition is written as in `#Predicate`. It has properties of the class, cases of enumerations and literals: it becomes part of the
/// database. A fetch is served where its own predicate says that too.
@freestanding(declaration)
public macro Index<T: PersistentModel>(
    _ indices: [PartialKeyPath<T>]..., name: String? = nil, where condition: ((T) -> Bool)? = nil
) =
    #externalMacro(module: "StrataMacros", type: "IndexMacro")

/// Declares indexes of any kind (PostgreSQL manual, 11.2): with keys in an order of their own, of texts in lower case, with properties
/// beside the keys. See ``Schema/Index/Types``.
///
/// ```swift
/// #Index<Trip>(.binary([\.startDate]), .gin([\.tags]))
/// #Index<Trip>(.sorted([.key(\.startDate, order: .reverse), .lowercased(\.name)], including: [\.price]))
/// #Index<Trip>(.gin([\.tags])) { !$0.isCancelled }
/// ```
@freestanding(declaration)
public macro Index<T: PersistentModel>(
    _ indices: Schema.Index<T>.Types<T>..., name: String? = nil, where condition: ((T) -> Bool)? = nil
) = #externalMacro(module: "StrataMacros", type: "IndexMacro")

/// Declares a rule that holds of every object of the class (and its subclasses): a check constraint of its table.
///
/// The database refuses what breaks it, whoever writes: a save then throws ``SwiftDataError/checkConstraint``, which names class and
/// rule, and nothing is saved.
///
/// ```swift
/// #Check<Trip>("positivePrice") { $0.price > 0 }
/// #Check<Trip>("order", name: "trips_in_order") { $0.startDate <= $0.endDate }
/// ```
///
/// The condition is written as in `#Predicate`, of properties that the class declares itself, cases of enumerations, and literals: it
/// becomes part of the table. Unlike a constraint that is written in SQL, it means what it means in Swift, for `nil` too.
/// - Parameters:
///   - rule: what the rule is called in the class, as a property would be.
///   - name: what the constraint is called in the database, `trip_order_check` by rule.
///   - condition: what holds of every object.
@freestanding(declaration)
public macro Check<T: PersistentModel>(_ rule: String, name: String? = nil, _ condition: (T) -> Bool) =
    #externalMacro(module: "StrataMacros", type: "CheckMacro")

/// Says what a property is computed by that the database has as a generated column (PostgreSQL manual, 5.3): `GENERATED ALWAYS AS (…) STORED`.
///
/// ```swift
/// #Generated<OrderLine, Int>(\.total) { $0.price * $0.count }
/// var price: Int
/// var count: Int
/// @Attribute(.generated) var total: Int
/// ```
///
/// The expression is written as in `#Expression`, of attributes in the table of the class, cases of enumerations, and literals: it becomes part of the
/// table. In memory the property is computed whenever it is read, without a round trip, and has no setter; queries, indexes and other programs have the
/// column. What memory and the database would not compute alike is refused when the container is made (``SwiftDataError/invalidSchema``), and a save of
/// an object of which it cannot be computed throws ``SwiftDataError/invalidValue``.
/// - Parameters:
///   - property: a property of the class that is marked `@Attribute(.generated)`.
///   - expression: what it is, of the other properties of the object.
@freestanding(declaration)
public macro Generated<T: PersistentModel, Value>(_ property: KeyPath<T, Value>, _ expression: (T) -> Value) =
    #externalMacro(module: "StrataMacros", type: "GeneratedMacro")

/// Divides the table of the class by time: the objects of each period are a table of their own, a partition (PostgreSQL manual, 5.12).
///
/// A fetch that names a range of the date reads the partitions of that range. Old objects go with their partition, at once and without
/// `DELETE`; partitions are made ahead of time and dropped by `ModelContainer.keepPartitions(ahead:for:of:every:)`. An object for whose date
/// there is no partition is refused: ``SwiftDataError/missingPartition``.
///
/// ```swift
/// @Model final class Reading {
///     #PrimaryKey<Reading>([\.id, \.takenAt])
///     #Partition<Reading>(by: \.takenAt, every: .month)
///     var id: UUID
///     var takenAt: Date
///     var value: Double
/// }
/// ```
///
/// The date is part of the key, which is declared with `#PrimaryKey`, and of all that is unique. So no foreign key leads to such a class, and it
/// has no subclasses. Periods begin at midnight in UTC, weeks on Mondays.
/// - Parameters:
///   - date: the property that says in which partition an object is.
///   - period: how long a partition is.
@freestanding(declaration)
public macro Partition<T: PersistentModel>(by date: KeyPath<T, Date>, every period: Schema.PartitionPeriod) =
    #externalMacro(module: "StrataMacros", type: "PartitionMacro")

/// What `@Model` attaches to each persisted property.
@attached(accessor, names: named(init), named(get), named(set))
public macro _PersistedProperty(_ slot: Int, _ owner: String, isSubclass: Bool, isComputed: Bool = false) =
    #externalMacro(module: "StrataMacros", type: "PersistedPropertyMacro")
