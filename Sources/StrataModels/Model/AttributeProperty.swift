import Foundation
import StrataClient

// @unchecked: see AnyAttributeProperty.
final class AttributeProperty<M: PersistentModel, C: AttributeCoding>: AnyAttributeProperty, @unchecked Sendable {
    private let storage: StoredPlace<AttributeStorage<C>>
    private let makeDefault: (@Sendable () -> C.Value)?

    init(
        at place: PropertyPlace, name: String, keyPath: KeyPath<M, C.Value>,
        storage: @escaping @Sendable () -> ReferenceWritableKeyPath<M, AttributeStorage<C>>,
        metadata: Schema.AttributeMetadata, defaultValue: (@Sendable () -> C.Value)?
    ) {
        self.storage = StoredPlace(storage)
        self.makeDefault = defaultValue
        super.init(
            at: place, name: name, keyPath: keyPath, metadata: metadata, coding: C.self, hasDefault: defaultValue != nil
        )
    }

    override var defaultValue: Any? { makeDefault?() }

    // A transformer is not asked: it may count on bytes that it has made.
    override var hasStandIn: Bool { hasNeutralValue || StandInValue.make(C.Value.self) != nil }

    override func original(of value: Any) -> OriginalValue? {
        guard let value = value as? C.Value else { return nil }
        let original = OriginalAttribute<C>(AttributeStorage(value))
        original.slot = slot
        return original
    }

    override var obstacle: String? { C.obstacle }

    override func attributeStorage<D: AttributeCoding>(of model: any PersistentModel, as: D.Type) -> AttributeStorage<
        D
    >? {
        storage.value(in: model) as? AttributeStorage<D>
    }

    override func value(from json: StoredJSON) -> Any? {
        guard let bytes = json.binary(as: C.columnType) else { return nil }
        let value = bytes.withUnsafeBytes { try? C.decode($0) }
        return value.flatMap { ($0 as? any WrappingOptional)?.wrapped ?? $0 }
    }

    override func currentValue(of model: any PersistentModel) -> OriginalValue? {
        guard let stored = storage.value(in: model) else { return nil }
        let value = OriginalAttribute(stored)
        value.slot = slot
        return value
    }

    override func unknownValue() -> OriginalValue? {
        let value = OriginalAttribute<C>(AttributeStorage())
        value.slot = slot
        return value
    }

    override func isLoaded(in model: any PersistentModel) -> Bool {
        isComputed || storage.value(in: model)?.stored != nil
    }

    /// What is in memory, or computed of that.
    private func value(in model: any PersistentModel) -> C.Value? {
        guard isComputed else { return storage.value(in: model)?.stored }
        guard let model = model as? M, let keyPath = keyPath as? KeyPath<M, C.Value> else { return nil }
        return model[keyPath: keyPath]
    }

    override func key(of model: any PersistentModel) -> RowKey? {
        switch storage.value(in: model)?.stored {
        case let uuid as UUID: RowKey(uuid)
        case let text as String: RowKey(text: text)
        case let number as Int: RowKey(Int64(number))
        case let number as Int64: RowKey(number)
        case let date as Date: RowKey(date)
        case let day as CalendarDate: RowKey(text: day.description)
        case let bytes as Data: RowKey(bytes: bytes)
        default: nil
        }
    }

    override func setKey(_ key: RowKey, of model: any PersistentModel) {
        let value: Any? =
            switch key.kind {
            case .uuid: key.uuid
            case .text: key.text
            case .date: key.date
            case .integer: C.Value.self == Int.self ? key.integer.map { Int($0) } : key.integer
            }
        guard let value = value as? C.Value else { return }
        storage.with(model) { $0.pointee = AttributeStorage(value) }
        announceChange(in: model)
    }

    override func tenant(of model: any PersistentModel) -> TenantName? {
        (storage.value(in: model)?.stored).flatMap { TenantName(of: $0) }
    }

    override func setTenant(_ tenant: TenantName, of model: any PersistentModel) {
        guard let value = tenant.value(as: C.Value.self) else { return }
        storage.with(model) { $0.pointee = AttributeStorage(value) }
        announceChange(in: model)
    }

    override func setDate(_ date: Date, of model: any PersistentModel) {
        guard let value = stored(date) else { return }
        storage.with(model) { $0.pointee = AttributeStorage(value) }
        announceChange(in: model)
    }

    override func hasDate(_ date: Date, in model: any PersistentModel) -> Bool {
        guard let value = stored(date), let current = storage.value(in: model)?.stored else { return false }
        return current as? Date == value as? Date
    }

    override func decimal(of model: any PersistentModel) -> Decimal? { storage.value(in: model)?.stored as? Decimal }

    override func date(of model: any PersistentModel) -> Date? { storage.value(in: model)?.stored as? Date }

    override func date(_ value: OriginalValue) -> Date? { (value as? OriginalAttribute<C>)?.attribute.stored as? Date }

    override func assign(_ date: Date, to model: any PersistentModel) {
        guard let value = stored(date), let model = model as? M, let current = storage.value(in: model) else { return }
        set(value, current, in: model)
    }

    /// What comes back of a date: microseconds.
    private func stored(_ date: Date) -> C.Value? {
        guard let value = date as? C.Value, let cell = try? cell(of: value) else { return nil }
        return try? decoded(cell)
    }

    override func announceChange(in model: any PersistentModel) {
        guard let model = model as? M, let keyPath = keyPath as? KeyPath<M, C.Value> else { return }
        model._$state.mutate(model, keyPath) {}
    }

    override func append(_ value: Any, to parameters: inout PostgresParameters) throws -> Bool {
        guard let value = value as? C.Value else { return false }
        try C.append(value, to: &parameters)
        return true
    }

    override func appendStored(in model: any PersistentModel, to parameters: inout PostgresParameters) throws {
        guard let value = self.value(in: model) else { return parameters.appendNull(C.columnType) }
        try C.append(value, to: &parameters)
    }

    override func decoder<V>(of type: V.Type) -> ColumnDecoder<V>? { C.decoder(of: type) }

    override func encoder(in form: ColumnForm) -> ColumnEncoder? { C.encoder(in: form) }

    override func defaultWriter(
        in form: ColumnForm, now: Date, tenant: TenantName?
    ) -> ((inout PostgresArray) throws(PostgresError) -> Void)? {
        if options.contains(.tenant), let value = tenant?.value(as: C.Value.self) {
            return C.writer(of: { value }, in: form)
        }
        if isDateOfSaves, let now = now as? C.Value { return C.writer(of: { now }, in: form) }
        if let makeDefault { return C.writer(of: makeDefault, in: form) }
        return C.isOptional ? { (array) throws(PostgresError) in array.appendNull() } : nil
    }

    override func areSame(_ first: [UInt8]?, _ second: [UInt8]?) -> Bool {
        if first == second { return true }
        guard let first = try? decoded(SnapshotContent.Cell(bytes: first)),
            let second = try? decoded(SnapshotContent.Cell(bytes: second))
        else { return false }
        if let first = first as? any Equatable { return first.isEqual(to: second) }
        guard let form = try? cell(of: first) else { return false }
        return form == (try? cell(of: second))
    }

    // MARK: Snapshots

    private func cell(of value: C.Value) throws -> SnapshotContent.Cell {
        var parameters = PostgresParameters()
        do {
            try C.append(value, to: &parameters)
        } catch {
            throw SwiftDataError(
                .invalidValue, "\(qualifiedName) has a value that cannot be stored: \(error.message).",
                underlying: error)
        }
        return SnapshotContent.Cell(bytes: parameters.bytes(at: 0))
    }

    private func decoded(_ cell: SnapshotContent.Cell) throws -> C.Value {
        guard let bytes = cell.bytes else { return try C.decode(nil) }
        return try bytes.withUnsafeBytes { try C.decode($0) }
    }

    override func snapshotCell(in model: any PersistentModel) throws -> SnapshotContent.Cell? {
        guard let model = model as? M, let keyPath = keyPath as? KeyPath<M, C.Value> else { return nil }
        if !isComputed, storage.value(in: model)?.stored == nil { _ = model[keyPath: keyPath] }
        guard let value = self.value(in: model) else {
            throw SwiftDataError(
                .unfulfilledFault,
                "\(qualifiedName) has no value in memory and could not be loaded, so there is no snapshot of the object.",
                identifiers: [model.persistentModelID])
        }
        return try cell(of: value)
    }

    override func snapshotCell(of value: Any) throws -> SnapshotContent.Cell? {
        try (value as? C.Value).map(cell)
    }

    override func snapshotValue(_ cell: SnapshotContent.Cell) -> Any? { try? decoded(cell) }

    override func canonicalForm(of cell: SnapshotContent.Cell) throws -> [UInt8]? {
        // Of one value a column has one form, but for numbers: one that was read has no zeros at its end, one that was assigned may have some.
        let isNumeric = [PostgresType.numeric.oid, PostgresType.numeric.arrayOID].contains(C.columnType.oid)
        guard let bytes = cell.bytes, isNumeric || !C.isComparable else { return cell.bytes }
        let value = try decoded(cell)
        if C.isComparable { return try self.cell(of: value).bytes }
        // A document has sets in any order, and a transformer need not write the same bytes twice.
        guard let value = value as? any Encodable else { return bytes }
        return try CanonicalForm(of: value).bytes
    }

    override func encode(
        _ cell: SnapshotContent.Cell, to container: inout KeyedEncodingContainer<SnapshotKey>, _ key: SnapshotKey
    ) throws {
        guard let bytes = cell.bytes else { return try container.encodeNil(forKey: key) }
        guard let value = try decoded(cell) as? any Encodable else {
            // A transformed value that is not Codable: its stored form.
            return try container.encode(Data(bytes), forKey: key)
        }
        try container.encode(value, forKey: key)
    }

    override func snapshotCell(from container: KeyedDecodingContainer<SnapshotKey>, _ key: SnapshotKey) throws
        -> SnapshotContent.Cell?
    {
        guard let type = C.Value.self as? any Decodable.Type else {
            guard try !container.decodeNil(forKey: key) else { return SnapshotContent.Cell(bytes: nil) }
            return SnapshotContent.Cell(bytes: Array(try container.decode(Data.self, forKey: key)))
        }
        if C.isOptional, try container.decodeNil(forKey: key) { return SnapshotContent.Cell(bytes: nil) }
        guard let value = try container.decode(type, forKey: key) as? C.Value else { return nil }
        do {
            return try cell(of: value)
        } catch {
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "\(error)")
        }
    }

    override func assign(_ cell: SnapshotContent.Cell, to model: any PersistentModel) throws {
        guard let model = model as? M, let current = storage.value(in: model) else { return }
        if let stored = current.stored, try self.cell(of: stored) == cell { return }
        let value: C.Value
        do {
            value = try decoded(cell)
        } catch {
            throw SwiftDataError(.invalidValue, "The snapshot's value of \(qualifiedName) cannot be read: \(error).")
        }
        set(value, current, in: model)
    }

    private func set(_ value: C.Value, _ current: AttributeStorage<C>, in model: M) {
        guard let keyPath = keyPath as? KeyPath<M, C.Value> else { return }
        current.set(value, model._$state, at: slot, of: model, keyPath) { [storage] model, value in
            storage.with(model) { $0.pointee = value }
        }
    }

    override package func assignDefault(to model: any PersistentModel) {
        guard let value = makeDefault?() ?? (C.isOptional ? C.placeholder : nil) else { return }
        storage.with(model) { $0.pointee = AttributeStorage(value) }
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
