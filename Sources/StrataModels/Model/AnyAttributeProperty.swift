package import Foundation
package import StrataClient

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
