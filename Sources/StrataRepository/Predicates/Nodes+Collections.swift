import Foundation
import StrataClient
import StrataModels

extension PredicateExpressions.Range: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        .range(
            PredicateRange(
                lower: try translation.operand(lower), upper: try translation.operand(upper), includesUpper: false))
    }
}

extension PredicateExpressions.ClosedRange: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        .range(
            PredicateRange(
                lower: try translation.operand(lower), upper: try translation.operand(upper), includesUpper: true))
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.contains(range, element, self)
    }
}

extension PredicateExpressions.RangeContains: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let range = PredicateRange(
            lower: try translation.operand(lower), upper: try translation.operand(upper), includesUpper: includesUpper)
        return try translation.contains(.range(range), element, self)
    }
}

extension PredicateExpressions.SequenceContains: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.contains(sequence, element, self)
    }
}

extension PredicateExpressions.ExactSequenceContains: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.contains(sequence, element, self)
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let found = try translation.sequence(sequence).filtered { element in
            try translation.with(variable, as: element) { try translation.condition(test) }
        }
        return .value(try found.exists(in: translation))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let failing = try translation.sequence(sequence).filtered { element in
            try translation.with(variable, as: element) { try translation.condition(test).not() }
        }
        return .value(try failing.exists(in: translation).not())
    }
}

extension PredicateExpressions.Filter: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        // The filter's variables are those of this place, although it is translated where the elements are used.
        let place = translation.place
        let sequence = try translation.sequence(sequence)
        return .sequence(
            sequence.filtered { element in
                try translation.with(place) {
                    try translation.with(variable, as: element) { try translation.condition(filter) }
                }
            })
    }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let (list, place) = (try translation.operand(wrapped), try translation.operand(index))
        if list.isConstant, place.isConstant { return try computed(in: translation) }
        throw translation.unsupported(
            "an element of \(Translation.name(of: list)) by its index", "use first, last or contains")
    }
}

extension Translation {
    /// A node that has elements; a captured array becomes one array parameter.
    func sequence(_ node: some PredicateExpression) throws -> SQLSequence {
        switch try operand(node) {
        case .sequence(let sequence): return sequence
        case .constant(let value):
            guard let source = try CapturedList(value)?.source() else { break }
            return SQLSequence(source: source, path: "a captured collection")
        case .json(let reference): return try elements(of: reference)
        default: break
        }
        throw unsupported("\(Self.name(of: node)) on something that is no collection")
    }

    /// `sequence.contains(element)`, `range.contains(element)`.
    fileprivate func contains(
        _ sequence: some PredicateExpression, _ element: some PredicateExpression, _ node: some PredicateExpression
    ) throws -> PredicateOperand {
        try contains(operand(sequence), element, node)
    }

    /// - Parameter node: all of it, which is computed where nothing of it depends on a row.
    fileprivate func contains(
        _ list: PredicateOperand, _ element: some PredicateExpression, _ node: some PredicateExpression
    ) throws -> PredicateOperand {
        let sought = try operand(element)
        if list.isConstant, sought.isConstant { return try node.computed(in: self) }
        switch list {
        case .range(let range):
            if sought.isConstant, range.isConstant { return try node.computed(in: self) }
            return .value(try contains(range, sought))
        case .constant(let value):
            guard let captured = CapturedList(value) else { break }
            if case .history(.identifier(let row)) = sought {
                return .value(try isObject(row, among: captured.values))
            }
            if case .value(let name) = sought, let entity = name.historyEntity {
                return .value(try isEntity(entity, named: captured.values.compactMap { $0 as? String }))
            }
            if case .object(let object) = sought { return .value(try contains(captured, object)) }
            return .value(try captured.contains(self.value(sought)))
        case .sequence(let sequence): return .value(try contains(sequence, sought))
        case .json(let reference): return .value(try contains(elements(of: reference), sought))
        default: break
        }
        throw unsupported("contains on \(Self.name(of: list))")
    }

    private func contains(_ list: CapturedList, _ object: ObjectReference) throws -> SQLExpression {
        let found = try same(object, as: list.values, isOne: false)
        guard list.hasNil, object.isOptional else { return found }
        return try found.or(isNil(.object(object)))
    }

    private func contains(_ sequence: SQLSequence, _ element: PredicateOperand) throws -> SQLExpression {
        if case .array(let array, let kind) = sequence.source, sequence.filters.isEmpty {
            switch element {
            case .constant(let value):
                let captured = CapturedValue(value, path: sequence.path)
                if captured.differsFromItself { return .false }
                let item = try captured.expression(like: kind)
                // In this form an index over the elements is of use.
                return .condition("\(array.operand) @> ARRAY[\(item.sql)]", requires: array.requires)
            case .null: return .false
            default: break
            }
            let item = try value(element)
            try requireSameForm(item, kind)
            if !item.mayDifferFromItself {
                return .condition(
                    "\(item.operand) = ANY(\(array.sql))", nullness: item.isNullable ? .falsehood : .never,
                    requires: array.requires.union(item.requires))
            }
        }
        if case .json(let list) = sequence.source, sequence.filters.isEmpty, let found = try list.contains(element) {
            return found
        }
        return try sequence.filtered { try self.equal($0, element) }.exists(in: self)
    }
}

extension PredicateRange {
    fileprivate var isConstant: Bool { lower?.isConstant ?? true && upper?.isConstant ?? true }
}
