import Foundation
import StrataClient
import StrataModels

/// What one column gets in an update by predicate.
struct Assignment {
    let slot: Int
    /// The class whose table has the column.
    let owner: EntityMapping
    let column: Column
    /// The new value, in the form in which the column holds it.
    private(set) var value: (TableScope, PredicateTranslator) throws -> SQLFragment
    /// What is set of a document, where it is not the whole one.
    private var parts: DocumentParts?

    /// Throws ``SwiftDataError`` for a property that has no column here, or a value of another kind.
    init(
        _ target: SendableKeyPath, _ source: UpdateSource, of entity: EntityMapping, _ mapping: StoreMapping,
        _ store: String
    ) throws {
        let own = entity.descriptor.property(for: target)
        let part = own == nil ? try CodablePart.named(by: target, from: entity.descriptor) : nil
        guard let property = own ?? part?.steps.first, part?.steps.count ?? 1 == 1 else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "An update of \(entity.name) by predicate sets \(target), which is no stored property of it: it is computed, marked "
                    + "@Transient, or a part of another object. Set a stored property, or a part of a Codable value."
            )
        }
        slot = property.slot
        owner = entity.owner(ofSlot: slot)
        guard !owner.isKey(slot) else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(property.qualifiedName) is \(owner.key.isSingle ? "" : "part of ")the key of the objects, which is final from insert on: no "
                    + "update by predicate sets it."
            )
        }
        if let relationship = property as? RelationshipProperty {
            column = try Self.column(of: relationship, in: owner, mapping)
            value = try Self.key(for: relationship, source, column.type, mapping, store)
        } else {
            guard let attribute = property as? AnyAttributeProperty, let column = owner.columns[slot] else {
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "\(property.qualifiedName) is marked .ephemeral: it has no column that an update by predicate could set."
                )
            }
            if attribute.options.contains(.deletionDate) {
                guard case .value(let value) = source, value as? Date == nil else {
                    throw SwiftDataError(
                        .unsupportedKeyPath,
                        "\(property.qualifiedName) says when objects were deleted, and delete rules follow from it: an update by predicate sets it to "
                            + "nil only, which restores them. Call delete(model:where:).")
                }
            }
            guard !attribute.options.contains(.tenant) else {
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "\(property.qualifiedName) says whose row it is, which is final from insert on: no update by predicate sets it."
                )
            }
            if let obstacle = attribute.obstacle { throw SwiftDataError(.invalidValue, obstacle) }
            self.column = column
            if let part {
                let parts = try DocumentParts(part, source, of: attribute)
                self.parts = parts
                value = parts.value
            } else {
                value = try Self.value(for: attribute, column, source, target)
            }
        }
    }

    /// Both as one, where they set different parts of one document; `nil` where they set the same.
    func with(_ other: Assignment) -> Assignment? {
        guard slot == other.slot, let both = other.parts.flatMap({ parts?.with($0) }) else { return nil }
        var result = self
        (result.parts, result.value) = (both, both.value)
        return result
    }

    /// The date at which the statement is made; `nil` for a property without a column.
    init?(dateAt slot: Int, of entity: EntityMapping) {
        self.slot = slot
        owner = entity.owner(ofSlot: slot)
        guard let column = owner.columns[slot] else { return nil }
        self.column = column
        value = { _, _ in "\(bind: Date.now)" }
    }

    // MARK: Relationships

    private static func column(
        of property: RelationshipProperty, in owner: EntityMapping, _ mapping: StoreMapping
    ) throws -> Column {
        let name = property.qualifiedName
        guard let relationship = owner.relationships[property.slot], property.isToOne,
            case .foreignKey(let column) = relationship.storage
        else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(name) cannot be set by an update by predicate: the objects at its other end hold the key, or a table of pairs does. Set "
                    + "the relationship at the other end, or fetch the objects and change them.")
        }
        if let other = owner.properties(sharing: column).first {
            throw SwiftDataError(
                .unsupportedFeature,
                "\(name) cannot be set by an update by predicate: \(other.qualifiedName) has a column of its foreign key, "
                    + "\(column.foreignKey?.key.description ?? column.name), and would have to be the same in each row. Fetch the objects and change them."
            )
        }
        guard let inverse = relationship.inverse else { return column }
        let isLimited = mapping.limitedRelationships.contains { $0.property === inverse }
        guard !inverse.isOrdered, !isLimited else {
            throw SwiftDataError(
                .unsupportedFeature,
                "\(name) cannot be set by an update by predicate: \(inverse.qualifiedName) "
                    + (inverse.isOrdered ? "has an order" : "has a number of objects within limits")
                    + ", which each object that comes and goes changes. Fetch the objects and change them.")
        }
        return column
    }

    private static func key(
        for property: RelationshipProperty, _ source: UpdateSource, _ keyType: PostgresType, _ mapping: StoreMapping,
        _ store: String
    ) throws -> (TableScope, PredicateTranslator) throws -> SQLFragment {
        switch source {
        case .value(let value):
            guard case .constant(let object) = PredicateOperand(value), let model = object as? any PersistentModel
            else {
                var null = SQLFragment()
                null.appendNull(keyType)
                return { _, _ in null }
            }
            let key = model._$state.key
            return { _, _ in "\(bind: key)" }
        case .identifier(let identifier):
            let destination = property.destination
            guard identifier.storeIdentifier == store,
                let entity = mapping.entity(named: identifier.entityName),
                entity.descriptor.inherits(from: destination)
            else {
                throw SwiftDataError(
                    .invalidIdentifier,
                    "\(property.qualifiedName) cannot be set to \(identifier): it is of another store, of an object that was never saved, or "
                        + "not of \(destination.entityName).", identifiers: [identifier])
            }
            return { _, _ in "\(bind: identifier.key)" }
        case .property(let other):
            return { scope, translator in
                let argument = try translator.argument(QueryTerm(.keyPath(other), .value), on: scope)
                guard case .identifier(let entity, let key, _)? = argument,
                    entity.descriptor.inherits(from: property.destination)
                else {
                    throw unsupported(
                        property, "a property that is no relationship to \(property.destination.entityName)")
                }
                return key.sql
            }
        case .expression, .sum: throw unsupported(property, "an expression")
        }
    }

    private static func unsupported(_ property: any ModelProperty, _ what: String) -> SwiftDataError {
        SwiftDataError(
            .unsupportedKeyPath,
            "\(property.qualifiedName) cannot be set to \(what) by an update by predicate. Fetch the objects and change them."
        )
    }

    // MARK: Attributes

    private static func value(
        for attribute: AnyAttributeProperty, _ column: Column, _ source: UpdateSource, _ target: SendableKeyPath
    ) throws -> (TableScope, PredicateTranslator) throws -> SQLFragment {
        switch source {
        case .value(let value):
            if let precision = attribute.precision, case .constant(let number) = PredicateOperand(value),
                let number = number as? Decimal, !precision.holds(number)
            {
                throw SwiftDataError(.invalidValue, "\(attribute.qualifiedName) \(precision.refusal)")
            }
            let bound = try SQLFragment(value, of: attribute)
            return { _, _ in bound }
        case .property(let other):
            return { scope, translator in
                let argument = try translator.argument(QueryTerm(.keyPath(other), .value), on: scope)
                let value = try converted(argument, to: attribute, column)
                return attribute.precision == nil ? value : attribute.bounded(value)
            }
        case .expression(let expression, let variable):
            return { scope, translator in
                let term = QueryTerm(.expression(expression, variable), .value)
                return try attribute.bounded(converted(translator.argument(term, on: scope), to: attribute, column))
            }
        case .sum(let number, let isNegative):
            return { scope, translator in
                let argument = try translator.argument(QueryTerm(.keyPath(target), .value), on: scope)
                guard case .expression(let own, _)? = argument else { throw unsupported(attribute, "a sum") }
                let sum = try translator.translation(scope.generator).sum(own, number, isNegative: isNegative)
                return try attribute.bounded(converted(.expression(sum, attribute), to: attribute, column))
            }
        case .identifier: throw unsupported(attribute, "an identifier")
        }
    }

    /// A value in the form in which the column holds it.
    fileprivate static func converted(
        _ argument: ValueArgument?, to attribute: AnyAttributeProperty, _ column: Column
    ) throws -> SQLFragment {
        guard case .expression(let expression, _)? = argument else {
            throw unsupported(attribute, "an object")
        }
        let form: SQLExpression.Form = attribute.isJSON ? .json : .init(of: attribute.columnType)
        guard expression.form == form, !attribute.isTransformed else {
            throw unsupported(
                attribute,
                "\(expression.path.isEmpty ? "an expression" : expression.path), which is stored in another form")
        }
        if expression.type == column.type { return expression.sql }
        guard column.type.isNumber, expression.type.isNumber else {
            throw unsupported(
                attribute,
                "\(expression.path.isEmpty ? "an expression" : expression.path), which is \(expression.type) and not \(column.type)"
            )
        }
        return "(\(expression.sql))::\(raw: column.type.description)"
    }
}

extension AnyAttributeProperty {
    /// What the column of the property is where the server computes it, with SQL's NULL for `nil` alone.
    ///
    /// Throws `invalidSchema` for a value that is stored in another form, that may be NULL for anything else, or that has more digits than the property.
    func computed(_ argument: ValueArgument?, _ column: Column) throws -> SQLFragment {
        guard case .expression(let expression, _)? = argument, expression.form == .plain, storedType == nil,
            !isTransformed, !isJSON
        else {
            throw SwiftDataError(
                .invalidSchema, "is no number, text, date or truth value that a column holds as it is")
        }
        var exact = expression.exact
        // A condition that is NULL counts as false.
        if exact.type == .bool, !isOptional, exact.isNullable || !exact.requires.isEmpty {
            exact = .condition("\(exact.operand) IS TRUE")
        }
        guard exact.type == column.type || exact.type.isNumber && column.type.isNumber else {
            throw SwiftDataError(.invalidSchema, "is \(exact.type) in the database, and the property is \(column.type)")
        }
        guard exact.isNullable ? isOptional : exact.requires.isEmpty else {
            throw SwiftDataError(.invalidSchema, "may be NULL in the database where memory has a value or an error")
        }
        if let precision {
            guard let digits = exact.digits, NumericPrecision.ofEither(digits, precision) == precision else {
                throw SwiftDataError(
                    .invalidSchema,
                    "may have more digits than .precision(\(precision.precision), scale: \(precision.scale)) of the property, where the database would round"
                )
            }
        }
        return try Assignment.converted(.expression(exact, nil), to: self, column)
    }

    /// A computed number that fails where the property's type is narrower than its column and does not hold it, or the column would round it.
    fileprivate func bounded(_ value: SQLFragment) -> SQLFragment {
        if let precision {
            let limit = "1" + String(repeating: "0", count: precision.precision - precision.scale)
            return
                "(CASE WHEN \(value) <> 'NaN' AND (\(value) <> round(\(value), \(raw: "\(precision.scale)")) OR abs(\(value)) >= \(raw: limit)) THEN ((\(value))::text || ' does not fit')::numeric ELSE \(value) END)"
        }
        guard let type = unwrappedType(valueType) as? any FixedWidthInteger.Type, let (least, greatest) = type.bounds
        else { return value }
        return
            "(CASE WHEN \(value) NOT BETWEEN \(raw: least) AND \(raw: greatest) THEN ((\(value))::text || ' is out of range')::\(raw: columnType.description) ELSE \(value) END)"
    }
}

extension FixedWidthInteger {
    /// The least and the greatest value of a type that has no column type of its own.
    fileprivate static var bounds: (String, String)? {
        switch self {
        case is Int.Type, is Int16.Type, is Int32.Type, is Int64.Type: nil
        default: (String(min), String(max))
        }
    }
}

extension PostgresType {
    fileprivate var isNumber: Bool { [.int2, .int4, .int8, .float4, .float8, .numeric].contains(self) }
}

extension SQLFragment {
    /// A value of a property as a parameter, in its stored form.
    ///
    /// Throws ``SwiftDataError`` with the code `invalidValue` for a value that cannot be stored.
    init(_ value: Any, of attribute: AnyAttributeProperty) throws {
        self.init()
        var parameters = PostgresParameters()
        do {
            guard try attribute.append(value, to: &parameters) else {
                throw SwiftDataError(
                    .invalidValue, "\(attribute.qualifiedName) cannot be set to a value of the type \(type(of: value))."
                )
            }
        } catch let error as PostgresError {
            throw SwiftDataError(
                .invalidValue, "\(attribute.qualifiedName) was to get a value that cannot be stored: \(error.message)",
                underlying: error)
        }
        guard let bytes = parameters.bytes(at: 0) else {
            appendNull(attribute.columnType)
            return
        }
        append(raw: bytes, of: attribute.columnType)
    }

    /// A value in its binary form, as a parameter.
    mutating func append(raw bytes: [UInt8], of type: PostgresType) {
        append(
            Binding(type: type) { (parameters: inout PostgresParameters) throws(PostgresError) in
                bytes.withUnsafeBytes { parameters.append(raw: $0, type: type) }
            })
    }
}
