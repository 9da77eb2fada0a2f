package import Foundation
package import StrataClient

/// One persisted property of one class: its name, its key path, how it is stored. An ``AnyAttributeProperty`` or a ``RelationshipProperty``.
@usableFromInline package protocol ModelProperty: AnyObject, Sendable {
    var name: String { get }
    var keyPath: SendableKeyPath { get }
    /// Its place among the properties of its class, inherited ones first.
    var slot: Int { get }
    /// The class that declares it, by the name of its entity.
    var declaringEntity: String { get }
    /// What the model calls the column, where it does.
    var declaredColumn: String? { get }
    var originalName: String? { get }
    var hashModifier: String? { get }
    /// The value of the declared initializer expression, if there is one.
    var defaultValue: Any? { get }

    /// The value in memory, to be put back later; not loaded, if the property is not.
    func currentValue(of model: any PersistentModel) -> OriginalValue?

    /// A value that nobody knows: the property is not loaded then.
    func unknownValue() -> OriginalValue?

    /// Whether the property has a value in memory.
    func isLoaded(in model: any PersistentModel) -> Bool

    /// Tells Observation that the value changed behind the setter's back.
    func announceChange(in model: any PersistentModel)
}

extension ModelProperty {
    /// `Trip.name`, for messages.
    package var qualifiedName: String { "\(declaringEntity).\(name)" }
}

/// Where a class has a property.
struct PropertyPlace {
    let slot: Int
    /// The class that declares it, by the name of its entity.
    let declaringEntity: String
}

/// How the old value of an attribute can be compared with what a row holds now.
package enum AttributeComparison {
    /// In SQL: equal values have equal stored forms.
    case exact
    /// In SQL at first; different forms may still mean the same value, which only Swift can tell.
    case restored
    /// Not at all: the value may be large, and is not loaded as a rule; or each save sets another.
    case none
}

/// An attribute, without the type of its class and value.
// @unchecked: of a class that has subclasses the compiler checks nothing. This one and its only subclass have constants only, of types that are
// Sendable.
package class AnyAttributeProperty: ModelProperty, @unchecked Sendable {
    package let name: String
    package let keyPath: SendableKeyPath
    package let slot: Int
    package let declaringEntity: String
    package let declaredColumn: String?
    package let originalName: String?
    package let hashModifier: String?
    package let options: [Schema.Attribute.Option]
    package let valueType: Any.Type
    package let columnType: PostgresType
    package let transportType: PostgresType
    /// The column's type where the server converts its values to `columnType` and back; `nil` for nearly all.
    package let storedType: StoredType?
    package let isOptional: Bool
    /// How an old value can be compared with the stored one.
    package let comparison: AttributeComparison
    /// Whether a getter could return something if the value could not be loaded: otherwise it is part of every fetch.
    package let hasNeutralValue: Bool
    /// Whether a `#Generated` of the class computes it: memory does whenever it is read, and the column is for queries.
    package let isComputed: Bool
    /// Whether the column holds JSON, for predicates on fields of Codable types.
    package var isJSON: Bool { columnType == .jsonb }

    init(
        at place: PropertyPlace, name: String, keyPath: AnyKeyPath, metadata: Schema.AttributeMetadata,
        coding: (some AttributeCoding).Type,
        hasDefault: Bool
    ) {
        slot = place.slot
        declaringEntity = place.declaringEntity
        self.name = name
        self.keyPath = sendable(keyPath)
        declaredColumn = metadata.column
        originalName = metadata.originalName
        hashModifier = metadata.hashModifier
        options = metadata.options
        isComputed = metadata.isComputed
        valueType = coding.valueType
        columnType = coding.columnType
        transportType = coding.transportType
        storedType = coding.storedType
        isOptional = coding.isOptional
        let isCompared = !metadata.options.contains(.externalStorage) && !metadata.options.contains(.modificationDate)
        comparison = !isCompared ? .none : coding.isComparable ? .exact : .restored
        hasNeutralValue = hasDefault || coding.hasPlaceholder
    }

    package var defaultValue: Any? { nil }
    /// Whether a getter has something to return of an object without values, whatever that is.
    package var hasStandIn: Bool { hasNeutralValue }
    /// A value of the property's type as it was before a change; `nil` for one of another type.
    package func original(of value: Any) -> OriginalValue? { nil }
    package func currentValue(of model: any PersistentModel) -> OriginalValue? { nil }
    package func unknownValue() -> OriginalValue? { nil }
    package func isLoaded(in model: any PersistentModel) -> Bool { true }
    package func announceChange(in model: any PersistentModel) {}

    /// The property's storage in `model`, when it is an attribute of this coding.
    func attributeStorage<C: AttributeCoding>(of model: any PersistentModel, as: C.Type) -> AttributeStorage<C>? { nil }

    /// The value that a tombstone kept, in the property's type without its optional; `nil` for null, and where it does not
    /// fit that type.
    func value(from json: StoredJSON) -> Any? { nil }

    /// Whether its value is the key of the object's row.
    package var isKey: Bool { options.contains(.primaryKey) }
    /// What keys of this type are; `nil` for a type that no key can have.
    package var keyKind: RowKey.Kind? {
        if isOptional { return nil }
        if valueType == UUID.self { return .uuid }
        if valueType == String.self { return .text }
        return valueType == Int.self || valueType == Int64.self ? .integer : nil
    }
    /// What such a part of a key of several columns is; `nil` for a type that no part can have.
    package var partKind: RowKey.Kind? {
        if valueType == Date.self, !isOptional { return .date }
        return partType == nil ? keyKind : .text
    }
    /// The type of the column of a part that is carried as a text and is none: a day, and bytes. Each of their values has one text.
    package var partType: String? {
        if isOptional { return nil }
        return valueType == CalendarDate.self ? "date" : valueType == Data.self ? "bytea" : nil
    }
    /// The value in memory as a key; `nil` where it is none.
    package func key(of model: any PersistentModel) -> RowKey? { nil }
    /// Lets the value be this key, without a word to anybody.
    package func setKey(_ key: RowKey, of model: any PersistentModel) {}

    /// The tenant that the value in memory names; `nil` where it names none, or is not loaded.
    package func tenant(of model: any PersistentModel) -> TenantName? { nil }
    /// Lets the value name this tenant: Observation is told, and nobody else.
    package func setTenant(_ tenant: TenantName, of model: any PersistentModel) {}

    /// Whether saves set it to the time.
    package var isDateOfSaves: Bool { options.contains(.creationDate) || options.contains(.modificationDate) }
    /// Lets the value be this date, as it is stored: Observation is told, and nobody else.
    package func setDate(_ date: Date, of model: any PersistentModel) {}
    /// Whether the value is this date, as it is stored.
    package func hasDate(_ date: Date, in model: any PersistentModel) -> Bool { false }

    /// The value in memory as a date; `nil` where there is none, or it is not loaded.
    package func date(of model: any PersistentModel) -> Date? { nil }
    /// A value of this property as a date; `nil` where there is none, or it is not known.
    package func date(_ value: OriginalValue) -> Date? { nil }
    /// Sets the property, as its setter does.
    package func assign(_ date: Date, to model: any PersistentModel) {}

    /// The value in memory as a decimal number; `nil` where it is none, or is not loaded.
    package func decimal(of model: any PersistentModel) -> Decimal? { nil }

    package var isEphemeral: Bool { options.contains(.ephemeral) }
    /// Whether the database computes it: it is read, and never written.
    package var isGenerated: Bool { options.contains(.generated) }
    /// Why no value of it can be stored now, if none can.
    package var obstacle: String? { nil }
    /// Whether no snapshot has it that did not ask for it.
    package var isHidden: Bool { options.contains(.hidden) }
    /// Whether a snapshot has it only where it is named: it is large, or nobody's business.
    package var isNamedOnly: Bool { isHidden || options.contains(.externalStorage) }

    /// Appends a value of the property's type as a parameter; `nil` when `value` is of another type.
    package func append(_ value: Any, to parameters: inout PostgresParameters) throws -> Bool { false }
    /// The value in memory as a parameter.
    package func appendStored(in model: any PersistentModel, to parameters: inout PostgresParameters) throws {}

    /// How the column is read as a value of this type, or as an optional of it; `nil` for other types.
    package func decoder<V>(of type: V.Type) -> ColumnDecoder<V>? { nil }
    /// How values of the property's type are written in many rows.
    package func encoder(in form: ColumnForm) -> ColumnEncoder? { nil }
    /// What writes the value of a row that says nothing of the property: now, for a date that saves set; the tenant; its default, made anew each time,
    /// or `nil`; none where it has neither.
    ///
    /// - Parameters:
    ///   - now: when the rows are inserted.
    ///   - tenant: whose they are.
    package func defaultWriter(
        in form: ColumnForm, now: Date, tenant: TenantName?
    ) -> ((inout PostgresArray) throws(PostgresError) -> Void)? { nil }

    /// Whether two stored forms mean the same value.
    package func areSame(_ first: [UInt8]?, _ second: [UInt8]?) -> Bool { first == second }

    // What a snapshot does with an attribute.

    /// The value of an object; loads it when it is not in memory.
    func snapshotCell(in model: any PersistentModel) throws -> SnapshotContent.Cell? { nil }
    /// A value of the property's type.
    func snapshotCell(of value: Any) throws -> SnapshotContent.Cell? { nil }
    func snapshotCell(from container: KeyedDecodingContainer<SnapshotKey>, _ key: SnapshotKey) throws
        -> SnapshotContent.Cell?
    { nil }
    /// A value of the property's type; `nil` when a transformer refuses its own bytes.
    func snapshotValue(_ cell: SnapshotContent.Cell) -> Any? { nil }
    /// Bytes that are the same for the same value, for a digest of it; `nil` for NULL. Of a transformed value that is not `Encodable`, and of one
    /// that writes a list in another order each time, nothing of the kind can be had: the bytes may differ.
    func canonicalForm(of cell: SnapshotContent.Cell) throws -> [UInt8]? { cell.bytes }
    func encode(
        _ cell: SnapshotContent.Cell, to container: inout KeyedEncodingContainer<SnapshotKey>, _ key: SnapshotKey
    ) throws {}
    /// Sets the property, as its setter does, when the value differs.
    package func assign(_ cell: SnapshotContent.Cell, to model: any PersistentModel) throws {}
    /// Sets the property to its default, or `nil`, if it has one.
    package func assignDefault(to model: any PersistentModel) {}
}

extension AttributeCoding {
    fileprivate static var valueType: Any.Type { Value.self }
    fileprivate static var hasPlaceholder: Bool { placeholder != nil }
}

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

/// `Optional`, without its type.
protocol WrappingOptional {
    var wrapped: Any? { get }
}

extension Optional: WrappingOptional {
    var wrapped: Any? { self }
}
