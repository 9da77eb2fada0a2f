public import Foundation
public import StrataClient

/// Reads one row into one object: the code that `@Model` writes calls `next` once a property, in the order of the
/// slots.
///
/// Which column a slot is in was decided once for the whole result (`RowLayout`). Nothing is looked up by name, nothing
/// is boxed; the common types have readers of their own that do not go through a protocol.
public struct RowReader {
    private let row: PostgresRow?
    private let columns: UnsafePointer<Int16>
    private var slot: Int
    /// Whether the object is being made: what was not fetched is then marked as not loaded. On a refresh it keeps its
    /// value.
    private let isNew: Bool
    /// The first value that did not fit; checked once a row by whoever reads rows.
    package private(set) var failure: Failure?

    package struct Failure {
        package var slot: Int
        package var error: PostgresError
    }

    package init(row: PostgresRow, columns: UnsafePointer<Int16>, isNew: Bool) {
        self.row = row
        self.columns = columns
        self.slot = 0
        self.isNew = isNew
    }

    /// A reader without a row: every property of the new object is left unloaded.
    package init(unloaded columns: UnsafePointer<Int16>, isNew: Bool = true) {
        self.row = nil
        self.columns = columns
        self.slot = 0
        self.isNew = isNew
    }

    /// A column number that means: forget the value.
    package static let forgotten: Int16 = -2
    /// A bit of the number of a column in which keys of other objects are texts. A result has 1,664 columns at most (PostgreSQL manual, appendix K).
    package static let textKeys: Int16 = 0x4000

    /// The column of the next slot, if it was fetched.
    @inline(__always)
    private mutating func advance() -> Int? {
        let column = Int(columns[slot])
        slot &+= 1
        forgets = isNew || column == Int(Self.forgotten)
        return column >= 0 && row != nil ? column : nil
    }

    /// Whether the slot just passed is to be marked as not loaded when it has no column.
    private var forgets = false

    @usableFromInline
    mutating func fail(_ error: PostgresError) {
        if failure == nil { failure = Failure(slot: slot - 1, error: error) }
    }

    /// A property without a column (`.ephemeral`).
    public mutating func skip() {
        slot &+= 1
    }

    // MARK: Attributes

    /// Reads an attribute of any coding. One that was not fetched is marked as not loaded in a new object.
    ///
    /// A value that does not fit is kept as the row's failure, which whoever reads the rows throws.
    @inlinable
    public mutating func next<C: AttributeCoding>(_ attribute: inout AttributeStorage<C>) {
        do {
            switch nextCell() {
            case .absent(let forgets): if forgets { attribute.stored = nil }
            case .null: attribute.stored = try C.decode(nil)
            case .bytes(let bytes): attribute.stored = try C.decode(bytes)
            }
        } catch {
            fail(error)
        }
    }

    /// What the row holds for one slot.
    @usableFromInline
    enum Cell {
        case absent(forgets: Bool)
        case null
        case bytes(UnsafeRawBufferPointer)
    }

    @usableFromInline
    mutating func nextCell() -> Cell {
        guard let column = advance(), let row else { return .absent(forgets: forgets) }
        guard let bytes = row.bytes(column) else { return .null }
        return .bytes(bytes)
    }

    @inline(__always)
    private mutating func read<C: AttributeCoding>(
        _ attribute: inout AttributeStorage<C>, _ decode: (UnsafeRawBufferPointer) -> C.Value
    ) {
        guard let column = advance(), let row else {
            if forgets { attribute.stored = nil }
            return
        }
        if let bytes = row.bytes(column) {
            attribute.stored = decode(bytes)
        } else {
            do { attribute.stored = try C.decode(nil) } catch { fail(error) }
        }
    }

    /// Reads `text` straight into a `String`; NULL is the row's failure.
    public mutating func next(_ attribute: inout AttributeStorage<ScalarCoding<String>>) {
        read(&attribute) { String(decoding: $0, as: UTF8.self) }
    }
    /// Reads `text` straight into a `String?`, NULL as `nil`.
    public mutating func next(_ attribute: inout AttributeStorage<OptionalCoding<ScalarCoding<String>>>) {
        read(&attribute) { String(decoding: $0, as: UTF8.self) }
    }
    /// Reads `bigint` straight into an `Int`; NULL is the row's failure.
    public mutating func next(_ attribute: inout AttributeStorage<ScalarCoding<Int>>) {
        read(&attribute) { Int(truncatingIfNeeded: $0.integer(as: Int64.self)) }
    }
    /// Reads `bigint` straight into an `Int?`, NULL as `nil`.
    public mutating func next(_ attribute: inout AttributeStorage<OptionalCoding<ScalarCoding<Int>>>) {
        read(&attribute) { Int(truncatingIfNeeded: $0.integer(as: Int64.self)) }
    }
    /// Reads `double precision` straight into a `Double`; NULL is the row's failure.
    public mutating func next(_ attribute: inout AttributeStorage<ScalarCoding<Double>>) {
        read(&attribute) { Double(bitPattern: $0.integer(as: UInt64.self)) }
    }
    /// Reads `double precision` straight into a `Double?`, NULL as `nil`.
    public mutating func next(_ attribute: inout AttributeStorage<OptionalCoding<ScalarCoding<Double>>>) {
        read(&attribute) { Double(bitPattern: $0.integer(as: UInt64.self)) }
    }
    /// Reads `boolean` straight into a `Bool`; NULL is the row's failure.
    public mutating func next(_ attribute: inout AttributeStorage<ScalarCoding<Bool>>) {
        read(&attribute) { $0.integer(as: UInt8.self) != 0 }
    }
    /// Reads `boolean` straight into a `Bool?`, NULL as `nil`.
    public mutating func next(_ attribute: inout AttributeStorage<OptionalCoding<ScalarCoding<Bool>>>) {
        read(&attribute) { $0.integer(as: UInt8.self) != 0 }
    }
    /// Reads `timestamptz` straight into a `Date`; NULL is the row's failure.
    public mutating func next(_ attribute: inout AttributeStorage<ScalarCoding<Date>>) {
        read(&attribute) { Date(postgresMicroseconds: $0.integer(as: Int64.self)) }
    }
    /// Reads `timestamptz` straight into a `Date?`, NULL as `nil`.
    public mutating func next(_ attribute: inout AttributeStorage<OptionalCoding<ScalarCoding<Date>>>) {
        read(&attribute) { Date(postgresMicroseconds: $0.integer(as: Int64.self)) }
    }

    // MARK: Relationships

    /// Reads the foreign key of a to-one relationship, NULL as nothing.
    @inlinable
    public mutating func next<M: PersistentModel>(_ relationship: inout ToOne<M>) {
        read(&relationship.held)
    }

    /// Reads the foreign key of a required to-one relationship; NULL is the row's failure.
    @inlinable
    public mutating func next<M: PersistentModel>(_ relationship: inout RequiredToOne<M>) {
        if read(&relationship.held) { failOnNull(M.self) }
    }

    @usableFromInline
    mutating func failOnNull(_ type: any PersistentModel.Type) { fail(unexpectedNull(type)) }

    /// Reads a key. True when it is NULL.
    @discardableResult
    @usableFromInline
    mutating func read(_ held: inout HeldReference) -> Bool {
        guard let number = advance(), let row else {
            if forgets { held = .plain(.unloaded) }
            return false
        }
        let column = number & ~Int(Self.textKeys)
        guard !row.isNull(column) else {
            held = .plain(.none)
            return true
        }
        let key = number == column ? row.referredKey(column) : row.key(column, .text)
        guard key.isFinal else {
            fail(PostgresError(.decoding, "the reference to the key \(key) leads to no object, whose keys are above 0"))
            return false
        }
        // On a refresh a target that is in memory stays held, as long as it is still the target.
        if !isNew, case .object(let target) = held.reference, target._$state.key == key { return false }
        held = .plain(.key(key))
        return false
    }

    /// To-many relationships have no column: they are loaded when they are asked for.
    @inlinable
    public mutating func next<M: PersistentModel>(_ relationship: inout ToMany<M>) {
        if passOver() { relationship.objects = nil }
    }

    /// As for a to-many relationship that is not optional: passed over, and loaded when it is asked for.
    @inlinable
    public mutating func next<M: PersistentModel>(_ relationship: inout OptionalToMany<M>) {
        if passOver() { relationship.objects = nil }
    }

    /// Passes over a slot without a column. True when it is to be marked as not loaded.
    @usableFromInline
    mutating func passOver() -> Bool {
        _ = advance()
        return forgets
    }
}

extension UnsafeRawBufferPointer {
    /// An integer of exactly these bytes; 0 for any other number of them. The types of the columns were compared before.
    @inline(__always)
    fileprivate func integer<Value: FixedWidthInteger>(as: Value.Type) -> Value {
        count == MemoryLayout<Value>.size ? Value(bigEndian: loadUnaligned(as: Value.self)) : 0
    }
}
