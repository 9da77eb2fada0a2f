import StrataClient
import StrataModels

/// What a column of a query is made from, in SQL.
enum ValueArgument {
    /// A value, and the property whose column it is.
    case expression(SQLExpression, AnyAttributeProperty?)
    /// The identifier of an object: its key, and its class where there may be several.
    case identifier(EntityMapping, key: SQLExpression, className: SQLExpression?)

    /// What stands in the statement for it.
    var expressions: [SQLExpression] {
        switch self {
        case .expression(let expression, _): [expression]
        case .identifier(_, let key, let className): [key] + [className].compactMap { $0 }
        }
    }

    /// The same, under names by which it was selected already.
    func named(_ names: [SQLFragment]) -> ValueArgument {
        func named(_ expression: SQLExpression, _ name: SQLFragment) -> SQLExpression {
            var result = expression
            (result.sql, result.shape, result.opposite, result.bounds) = (name, .atom, nil, [])
            return result
        }
        switch self {
        case .expression(let expression, let property): return .expression(named(expression, names[0]), property)
        case .identifier(let entity, let key, let className):
            return .identifier(
                entity, key: named(key, names[0]), className: className.map { named($0, names[1]) })
        }
    }

    /// `Trip.name`, for messages.
    var path: String {
        switch self {
        case .expression(let expression, _): expression.path.isEmpty ? "An expression" : expression.path
        case .identifier(_, let key, _): key.path
        }
    }
}

extension PredicateTranslator {
    /// What is computed for each object; `nil` for the object itself.
    ///
    /// Throws ``SwiftDataError`` with the code `unsupportedKeyPath` or `unsupportedPredicate`.
    func argument(_ term: QueryTerm, on root: TableScope) throws -> ValueArgument? {
        let translation = translation(root.generator)
        let object = ObjectReference(root)
        var argument: ValueArgument
        switch term.argument {
        case .object: return nil
        case .excerpt(let keyPath, let excerpt):
            guard case .expression(let text, _) = try self.argument(keyPath, of: object, translation),
                text.type == .text,
                text.form == .plain
            else {
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "There is no excerpt of what a key path of \(root.entity.name) leads to: it is not stored as text.")
            }
            argument = .expression(try translation.excerpt(object, of: text, excerpt), nil)
        case .distance(let keyPath, let distance):
            guard case .expression(let value, _) = try self.argument(keyPath, of: object, translation) else {
                throw translation.unsupported("the distance of what is no value of \(root.entity.name)")
            }
            argument = .expression(try translation.distance(of: value, distance), nil)
        case .arithmetic, .constant:
            throw SwiftDataError(
                .unsupportedKeyPath,
                "What is computed of columns with +, -, * and / is of groups. Of the values of each \(root.entity.name) compute it in an "
                    + "#Expression.")
        case .keyPath(let keyPath): argument = try self.argument(keyPath, of: object, translation)
        case .expression(let expression, _):
            guard let captured = expression as? any CapturedExpression else {
                throw translation.unsupported("an expression of the type \(type(of: expression))")
            }
            argument = try translation.with(captured.place(of: [.object(object)])) {
                try translation.argument(captured.translateBody(translation), nil)
            }
        case .rank(let text): argument = .expression(try translation.rank(object, text), nil)
        }
        if let part = term.calendar { argument = try argument.part(part) }
        return argument
    }

    private func argument(
        _ keyPath: AnyKeyPath, of object: ObjectReference, _ translation: Translation
    ) throws -> ValueArgument {
        let descriptor = object.entity.descriptor
        if let steps = identifier(keyPath, of: descriptor) {
            return try translation.argument(translation.follow(steps, from: object), nil)
        }
        guard let (operand, property) = try translation.operand(of: keyPath, at: object) else {
            if let obstacle = SortPath.obstacle(of: keyPath, from: descriptor) {
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "A key path of \(object.path) to \(type(of: keyPath).valueType) \(obstacle).")
            }
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(object.path) has no column for a key path to \(type(of: keyPath).valueType): it is computed, or marked @Transient. Use "
                    + "stored properties and their parts, an #Expression, or compute it of the fetched objects.")
        }
        return try translation.argument(operand, property)
    }
}

extension PredicateTranslator {
    /// The relationships through which a path leads to an identifier; none for the object's own.
    func identifier(_ keyPath: AnyKeyPath, of descriptor: ModelDescriptor) -> [any ModelProperty]? {
        guard unwrappedType(type(of: keyPath).valueType) == PersistentIdentifier.self else { return nil }
        return descriptor.isIdentifier(keyPath) ? [] : SortPath().relationships(of: keyPath, from: descriptor)
    }
}

extension Translation {
    /// - Parameter property: the one that the operand is the value of.
    func argument(_ operand: PredicateOperand, _ property: AnyAttributeProperty?) throws -> ValueArgument {
        switch operand {
        case .object(let object): return identifier(of: object)
        case .sequence(let sequence):
            guard case .array(let array, _) = sequence.source, sequence.filters.isEmpty else {
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "\(sequence.path) leads to many objects, and a row holds one value. Count them with an #Expression, or fetch "
                        + "the objects at its other end.")
            }
            return .expression(array, property)
        case .json(let reference):
            let value = reference.value()
            guard value.form != .plain, value.form != .json else { return .expression(value, property) }
            // The document holds all that the value is made from.
            var document = value
            (document.sql, document.type, document.form, document.shape) = (reference.document, .jsonb, .json, .atom)
            return .expression(document, property)
        default: return .expression(try value(operand), property)
        }
    }

    private func identifier(of object: ObjectReference) -> ValueArgument {
        let nullness: SQLExpression.Nullness = object.isOptional || !object.requires.isEmpty ? .none : .never
        let key = SQLExpression(
            sql: object.scope.key(), type: object.entity.keyKind.type, nullness: nullness, requires: object.requires,
            path: object.path)
        guard !object.entity.children.isEmpty else { return .identifier(object.entity, key: key, className: nil) }
        var className = entityName(of: object)
        className.nullness = nullness
        return .identifier(object.entity, key: key, className: className)
    }
}
