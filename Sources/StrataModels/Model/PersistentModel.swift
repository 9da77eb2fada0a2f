public import Observation

/// A class whose instances are stored: what `@Model` makes of a class.
///
/// You never conform by hand; `@Model` writes the conformance. A model belongs to the ``ModelContext`` it was inserted
/// into or fetched by and stays in that context's isolation: it is not `Sendable`. What crosses isolation is its
/// ``persistentModelID``.
///
/// Requirements whose names begin with `_$` are written by the macro and called by Strata only.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, PredicateInput, SendableMetatype {
    /// The class at the top of the inheritance chain that is a model.
    associatedtype Root: PersistentModel = Self

    /// The persisted properties of this class, inherited ones first, in the order of their declaration.
    static var schemaMetadata: [Schema.PropertyMetadata] { get }
    /// Whether the database records the history of this class's objects; `true` unless the class says otherwise.
    ///
    /// What is not recorded cannot be observed or caught up with either. It holds for a whole hierarchy: the class at its
    /// top decides, and a subclass that says something else makes the schema invalid. Of a many-to-many relationship with
    /// a class that is not recorded, only the recorded side's changes are.
    ///
    /// ```swift
    /// @Model final class PageView {
    ///     static let recordsHistory = false
    ///     var path: String
    /// }
    /// ```
    static var recordsHistory: Bool { get }
    /// Whether the objects are rows of a view, which nobody writes: what `DatabaseView` says.
    static var _$isView: Bool { get }

    /// A new instance whose properties are read from a row; what was not fetched is left unloaded.
    init(_$decoding row: inout RowReader)
    /// Reads the fetched columns of a row into this object; what was not fetched keeps its value.
    func _$decode(_ row: inout RowReader)
    /// Appends each property's value to its column's array, in the order of the slots.
    func _$encode(_ row: inout RowWriter)
    /// Puts back the values that properties had before their first change (rollback).
    func _$restore(_ originals: inout OriginalsReader)
    /// What Strata knows of this object beside its properties.
    var _$state: ModelState { get }
    /// What Strata knows of this class, built on first use.
    static var _$descriptor: ModelDescriptor { get }
    /// What `#Unique` and `#Index` of this class and its superclasses declare, the root's first.
    static var _$constraints: [Schema.ModelConstraint] { get }
}

extension PersistentModel {
    /// The identifier of this object: stable from `insert` on, equal in every context and process.
    ///
    /// Before `insert` the object has a temporary identifier without a store.
    public var persistentModelID: PersistentIdentifier { _$state.identifier(of: self) }

    /// Every class is recorded that does not say otherwise.
    public static var recordsHistory: Bool { true }

    /// Every class has a table that does not say otherwise.
    public static var _$isView: Bool { false }

    /// The same as ``persistentModelID``. A stored property `id` declared in the class takes its place.
    public var id: PersistentIdentifier { persistentModelID }

    /// Whether this object has changes that `save()` would write: it was inserted, changed or deleted.
    public var hasChanges: Bool { _$state.hasChanges }

    /// Whether this object was deleted from its context, or has a date of deletion (`@Attribute(.deletionDate)`). Stays `true` after the
    /// deletion was saved. Reads a date that is not in memory, as its getter would.
    public var isDeleted: Bool {
        if _$state.isDeleted { return true }
        guard let date = type(of: self)._$descriptor.deletionDate else { return false }
        if !date.isLoaded(in: self) { _$state.context?.loadAttribute(date, of: self) }
        return date.date(of: self) != nil
    }

    /// Two references are equal when they are the same object, or stand for the same row; but for an object that was hashed
    /// before it was first inserted, which keeps that hash and equals itself only.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs === rhs || lhs._$state.sharesRow(with: rhs._$state)
    }

    /// Hashes what ``==(_:_:)`` compares. The hash never changes during the life of the object.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_$state.stableHash)
    }
}
