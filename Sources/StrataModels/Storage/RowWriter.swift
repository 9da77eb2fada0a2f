public import Foundation
public import StrataClient

/// The values of many objects, one array a column: what an `INSERT … SELECT … FROM unnest(…)` takes.
package final class ColumnBuffers {
    @usableFromInline let arrays: UnsafeMutablePointer<PostgresArray>
    package let count: Int

    package init(_ types: [PostgresType], reservingCapacity rows: Int) {
        count = types.count
        arrays = .allocate(capacity: Swift.max(types.count, 1))
        for (index, type) in types.enumerated() {
            (arrays + index).initialize(to: PostgresArray(elementType: type, reservingCapacity: rows))
        }
    }

    deinit {
        arrays.deinitialize(count: count)
        arrays.deallocate()
    }

    /// How many bytes the values take.
    package var byteCount: Int {
        var bytes = 0
        for index in 0..<count { bytes += arrays[index].byteCount }
        return bytes
    }

    @inlinable package subscript(_ index: Int) -> PostgresArray {
        _read { yield arrays[index] }
        _modify { yield &arrays[index] }
    }
}

/// Writes one object into column buffers: the code that `@Model` writes calls `next` once a property, in the order of
/// the slots. A slot without a buffer is passed over.
public struct RowWriter {
    private let buffers: ColumnBuffers
    private let columns: UnsafePointer<Int16>
    private var slot = 0
    /// The first value that could not be encoded, or was not loaded.
    package private(set) var failure: RowReader.Failure?

    /// - Parameter columns: slot → index into `buffers`, -1 for none.
    package init(buffers: ColumnBuffers, columns: UnsafePointer<Int16>) {
        self.buffers = buffers
        self.columns = columns
    }

    @inline(__always)
    private mutating func advance() -> Int? {
        let column = Int(columns[slot])
        slot &+= 1
        return column >= 0 ? column : nil
    }

    private mutating func fail(_ error: PostgresError) {
        if failure == nil { failure = RowReader.Failure(slot: slot - 1, error: error) }
    }

    /// Passes over a property without a column (`.ephemeral`).
    public mutating func skip() {
        slot &+= 1
    }

    /// Appends an attribute of any coding to its column's array. A value that was not loaded or cannot be encoded is
    /// the object's failure, thrown before anything is sent.
    public mutating func next<C: AttributeCoding>(_ attribute: AttributeStorage<C>) {
        guard let column = advance() else { return }
        guard let value = attribute.stored else { return fail(notLoaded) }
        do { try C.append(value, to: &buffers.arrays[column]) } catch { fail(error) }
    }

    @inline(__always)
    private mutating func write<V: PostgresCodable>(_ value: V??) {
        guard let column = advance() else { return }
        guard let value else { return fail(notLoaded) }
        do { try buffers.arrays[column].append(value) } catch { fail(error) }
    }

    /// Appends a `String` as `text`.
    public mutating func next(_ attribute: AttributeStorage<ScalarCoding<String>>) { write(attribute.stored) }
    /// Appends a `String?` as `text`, `nil` as NULL.
    public mutating func next(_ attribute: AttributeStorage<OptionalCoding<ScalarCoding<String>>>) {
        write(attribute.stored)
    }
    /// Appends an `Int` as `bigint`.
    public mutating func next(_ attribute: AttributeStorage<ScalarCoding<Int>>) { write(attribute.stored) }
    /// Appends an `Int?` as `bigint`, `nil` as NULL.
    public mutating func next(_ attribute: AttributeStorage<OptionalCoding<ScalarCoding<Int>>>) {
        write(attribute.stored)
    }
    /// Appends a `Double` as `double precision`.
    public mutating func next(_ attribute: AttributeStorage<ScalarCoding<Double>>) { write(attribute.stored) }
    /// Appends a `Bool` as `boolean`.
    public mutating func next(_ attribute: AttributeStorage<ScalarCoding<Bool>>) { write(attribute.stored) }
    /// Appends a `Date` as `timestamptz`, in whole microseconds.
    public mutating func next(_ attribute: AttributeStorage<ScalarCoding<Date>>) { write(attribute.stored) }
    /// Appends a `Date?` as `timestamptz`, in whole microseconds, `nil` as NULL.
    public mutating func next(_ attribute: AttributeStorage<OptionalCoding<ScalarCoding<Date>>>) {
        write(attribute.stored)
    }

    /// Appends the key a to-one relationship points at, NULL for nothing.
    ///
    /// A relationship that was not loaded, or whose target has no key, is the object's failure.
    @inlinable
    public mutating func next<M: PersistentModel>(_ relationship: ToOne<M>) { write(relationship.held) }
    /// Appends the key a required to-one relationship points at.
    ///
    /// A relationship that was not loaded, or whose target has no key, is the object's failure.
    @inlinable
    public mutating func next<M: PersistentModel>(_ relationship: RequiredToOne<M>) { write(relationship.held) }

    @usableFromInline
    mutating func write(_ held: HeldReference) {
        guard let column = advance() else { return }
        let reference = held.reference
        do {
            switch reference {
            case .none: buffers.arrays[column].appendNull()
            case .unloaded: throw notLoaded
            default:
                guard let key = reference.key, key != 0 else { throw notLoaded }
                try buffers.arrays[column].append(key)
            }
        } catch let error as PostgresError {
            fail(error)
        } catch {
            fail(notLoaded)
        }
    }

    /// To-many relationships have no column of their own.
    @inlinable
    public mutating func next<M: PersistentModel>(_: ToMany<M>) { skip() }
    /// Optional to-many relationships have no column of their own either.
    @inlinable
    public mutating func next<M: PersistentModel>(_: OptionalToMany<M>) { skip() }

    private var notLoaded: PostgresError {
        PostgresError(.encoding, "the property has no value to write: it was not loaded, or its target has no key")
    }
}
