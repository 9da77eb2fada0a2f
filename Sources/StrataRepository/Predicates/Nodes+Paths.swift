import Foundation
import StrataClient
import StrataModels

extension PredicateExpressions.Value: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        // Ranges keep their bounds apart, whatever they are bounds of.
        if let range = value as? any CapturedRange { return .range(range.predicateRange) }
        return PredicateOperand(value)
    }
}

extension PredicateExpressions.Variable: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand { try translation.operand(of: key) }
}

extension PredicateExpressions.KeyPath: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        switch try translation.operand(root) {
        case .constant(let value):
            guard let value = value as? Root.Output else { throw unsupported(translation, "a captured value") }
            if let source = value as? any PredicateSource, translation.source == nil {
                translation.source = source.description
            }
            return PredicateOperand(value[keyPath: keyPath])
        case .null: return .null
        case .object(let object): return try property(of: object, translation)
        case .sequence(let sequence): return try property(of: sequence, translation)
        case .value(let expression): return try property(of: expression, translation)
        case .json(let reference): return try property(of: reference, translation)
        case .history(let operand): return try translation.property(keyPath, of: operand)
        case let other: throw unsupported(translation, Translation.name(of: other))
        }
    }

    private func property(of object: ObjectReference, _ translation: Translation) throws -> PredicateOperand {
        if let property = object.entity.descriptor.property(for: keyPath) {
            return try translation.property(property, of: object)
        }
        if Output.self == PersistentIdentifier.self {
            // The only two members of every model that give an identifier, and the identifier's own `id`.
            return .object(object)
        }
        if let identifier = keyPath as? Swift.KeyPath<PersistentIdentifier, String>, identifier == \.entityName {
            return .value(translation.entityName(of: object))
        }
        throw SwiftDataError(
            .unsupportedKeyPath,
            "\(object.path) has no column for a property of type \(Output.self): it is computed, or marked @Transient. "
                + "Use a stored property, or filter the fetched objects in memory.")
    }

    private func property(of sequence: SQLSequence, _ translation: Translation) throws -> PredicateOperand {
        switch kind {
        case .collectionCount: return .count(sequence)
        case .collectionIsEmpty: return .value(try translation.isEmpty(sequence))
        case .collectionFirst:
            guard case .array(let array, var element) = sequence.source, sequence.filters.isEmpty else { break }
            element.sql = "(\(array.sql))[1]"
            element.nullness = .none
            return .value(element)
        case .bidirectionalCollectionLast:
            guard case .array(let array, var element) = sequence.source, sequence.filters.isEmpty else { break }
            element.sql = "(\(array.sql))[cardinality(\(array.sql))]"
            element.nullness = .none
            return .value(element)
        default: break
        }
        throw translation.unsupported(
            "a property of type \(Output.self) of the collection \(sequence.path)",
            "use count, isEmpty, contains(where:), allSatisfy or filter { }.count")
    }

    private func property(of expression: SQLExpression, _ translation: Translation) throws -> PredicateOperand {
        if Root.Output.self == String.self, expression.isText {
            switch kind {
            case .collectionCount: return .characterCount(expression)
            case .collectionIsEmpty: return .value(translation.isEmpty(expression))
            default: break
            }
        }
        if let cases = EnumerationColumn(Root.Output.self, keyPath) {
            return .value(try cases.expression(of: expression))
        }
        if let url = keyPath as? Swift.KeyPath<URL, String>, url == \.absoluteString { return .value(expression) }
        throw SwiftDataError(
            .unsupportedKeyPath,
            "A property of type \(Output.self) of \(expression.path) is computed by Swift and has no column. "
                + (Root.Output.self is any RawRepresentable.Type
                    ? "Make \(Root.Output.self) CaseIterable, or compare"
                    : "Compare")
                + " \(expression.path) itself, or filter the fetched objects in memory.")
    }

    private func property(of reference: JSONReference, _ translation: Translation) throws -> PredicateOperand {
        if let collection = Root.Output.self as? any JSONCollectionType.Type {
            switch kind {
            case .collectionCount: return .count(try translation.elements(of: reference))
            case .collectionIsEmpty: return .value(try translation.isEmpty(translation.elements(of: reference)))
            case .collectionFirst:
                if let first = translation.element(of: reference, at: .first) { return first }
            case .bidirectionalCollectionLast:
                if let last = translation.element(of: reference, at: .last) { return last }
            default:
                if let member = collection.member(keyPath) { return try translation.member(member, of: reference) }
            }
            throw translation.unsupported(
                "a property of type \(Output.self) of \(reference), a collection inside of JSON,",
                "use count, isEmpty, contains(where:), allSatisfy or filter { }.count")
        }
        let scalar = reference.value()
        if scalar.form != .json { return try property(of: scalar, translation) }
        if Root.Output.self is any Sequence.Type {
            throw translation.unsupported("a property of \(reference), a collection inside of JSON,")
        }
        return .json(try reference.appending(keyPath))
    }

    private func unsupported(_ translation: Translation, _ what: String) -> SwiftDataError {
        translation.unsupported("a key path from \(Root.Output.self) to \(Output.self) on \(what)")
    }
}

extension Translation {
    /// A stored property of an object.
    func property(_ property: any ModelProperty, of object: ObjectReference) throws -> PredicateOperand {
        let path = "\(object.path).\(property.name)"
        let owner = object.entity.owner(ofSlot: property.slot)
        if property is RelationshipProperty {
            guard let relationship = owner.relationships[property.slot] else {
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "\(path) leads to a class that is not part of this container's schema. Name it in ModelContainer(for:)."
                )
            }
            trace?.follow(relationship, from: object.entity)
            return try self.relationship(relationship, of: object, path: path)
        }
        guard let attribute = property as? AnyAttributeProperty,
            let column = isOfColumn ? owner.columns[property.slot] : owner.queriedColumn(property.slot)
        else {
            if isOfColumn, (property as? AnyAttributeProperty)?.isComputed == true {
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "names \(path), which is computed itself, and no generated column names another: write what that is computed by"
                )
            }
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(path) is marked .ephemeral: it has no column. Filter the fetched objects in memory instead.")
        }
        if attribute.isComputed, let generated = owner.generatedColumns[property.slot] {
            for slot in generated.sources.slots { trace?.use(owner.descriptor.properties[slot], of: object.entity) }
        } else {
            trace?.use(attribute, of: object.entity)
        }
        let requires = object.requirements(of: owner)
        var expression = SQLExpression(
            sql: object.scope.column(property.slot, of: owner), type: column.type,
            nullness: column.isNullable ? .none : .never, requires: requires, path: path,
            swiftType: unwrappedType(attribute.valueType))
        expression.digits = column.precision
        if expression.isText, object.entity.hasTrigrams(of: property) {
            expression.trigrams = TrigramIndex.fold(expression.sql)
        }
        if expression.isText, object.entity.hasLowercase(of: property) {
            expression.lowercased = LowercaseIndex.fold(expression.sql)
        }
        if let stored = attribute.storedType, let conversion = owner.declaredConversions[column.name] {
            expression.form = .serverText(
                ServerText(
                    type: conversion.written, isComparable: stored.isComparable,
                    isInCondition: object.scope.isOneRow))
            expression.unconverted = object.scope.unconverted(property.slot, of: owner)
            return .value(expression)
        }
        if attribute.isTransformed { expression.form = .transformed }
        if attribute.isJSON {
            expression.form = .json
            return .json(JSONReference(expression))
        }
        if let list = expression.elements { return .sequence(list) }
        return .value(expression)
    }

    private func relationship(
        _ relationship: RelationshipMapping, of object: ObjectReference, path: String
    ) throws -> PredicateOperand {
        guard relationship.property.isToOne else {
            return .sequence(SQLSequence(source: .related(relationship, of: object), path: path))
        }
        guard let scope = object.scope.destination(of: relationship) else {
            throw unsupported("\(path), a to-one relationship in a join table,")
        }
        var reference = ObjectReference(scope, path: path, isOptional: relationship.property.isOptional)
        reference.requires.formUnion(object.requirements(of: relationship.owner))
        return .object(reference)
    }

    /// The name of an object's concrete class.
    func entityName(of object: ObjectReference) -> SQLExpression {
        let root = object.entity.root
        guard root.hasSeveralClasses else {
            var sql = SQLFragment()
            sql.append(bind: object.entity.name)
            return SQLExpression(sql: sql, type: .text, path: "\(object.path).entityName")
        }
        let column = object.scope.discriminator()
        return SQLExpression(
            sql: root.className(column), type: .text, requires: object.scope.requires,
            path: "\(object.path).entityName")
    }
}

extension EntityMapping {
    /// The name of the class of which something in the class column speaks: that itself where no class calls itself otherwise.
    fileprivate func className(_ column: SQLFragment) -> SQLFragment {
        let renamed = family.filter { $0.discriminator != $0.name }
        guard !renamed.isEmpty else { return column }
        let names = renamed.map { "WHEN \(bind: $0.discriminator) THEN \(bind: $0.name)" as SQLFragment }
        return "(CASE \(column) \(names.joined(separator: " ")) ELSE \(column) END)"
    }

    /// Whether this class or one above has an index of trigrams on a property.
    fileprivate func hasTrigrams(of property: any ModelProperty) -> Bool {
        entity.modelIndices.contains { $0.method == .trigram && $0.names == [property.name] }
            || parent?.hasTrigrams(of: property) == true
    }

    /// Whether this class or one above has an index that begins with the lower case of a property, of all objects.
    fileprivate func hasLowercase(of property: any ModelProperty) -> Bool {
        entity.modelIndices.contains { index in
            index.source == nil && index.keys.first?.name == property.name
                && index.keys.first?.form.isLowercased == true
        } || parent?.hasLowercase(of: property) == true
    }
}

extension AnyAttributeProperty {
    /// Whether a transformer makes the stored bytes.
    var isTransformed: Bool {
        columnType == .bytea && unwrappedType(valueType) != Data.self
            && !(unwrappedType(valueType) is any PostgresCodable.Type)
    }
}

extension SQLExpression {
    /// The elements, where the column is an array.
    var elements: SQLSequence? {
        guard let list = swiftType as? any ArrayType.Type, let elementType = list.elementColumnType,
            elementType.array == type
        else { return nil }
        let element = SQLExpression(sql: "", type: elementType, path: path, swiftType: list.elementType)
        var sequence = SQLSequence(source: .array(self, element: element), path: path)
        if isNullable { sequence.presence = isNotNull }
        return sequence
    }
}

/// `Array`, without its type.
protocol ArrayType {
    static var elementType: Any.Type { get }
}

extension Array: ArrayType {
    static var elementType: Any.Type { Element.self }
}

extension ArrayType {
    /// The type of one element in PostgreSQL: its own, or that of its raw value.
    static var elementColumnType: PostgresType? {
        if let scalar = elementType as? any PostgresCodable.Type { return scalar.postgresType }
        if let raw = elementType as? any RawRepresentable.Type { return raw.rawColumnType }
        return nil
    }
}

extension RawRepresentable {
    static var rawColumnType: PostgresType? { (RawValue.self as? any PostgresCodable.Type)?.postgresType }
}
