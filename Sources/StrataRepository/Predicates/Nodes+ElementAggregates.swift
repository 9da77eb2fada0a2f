import Foundation
import StrataModels

extension PredicateExpressions.ElementSum: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.aggregate(.sum, of: elements, self)
    }
}

extension PredicateExpressions.ElementAverage: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.aggregate(.average, isExact: Number.self == Decimal.self, of: elements, self)
    }
}

extension PredicateExpressions.ElementExtreme: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.aggregate(isGreatest ? .maximum : .minimum, of: elements, self)
    }
}

extension PredicateExpressions.ElementStatistic: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.aggregate(function.aggregate, isExact: Number.self == Decimal.self, of: elements, self)
    }
}

extension PredicateExpressions.ElementPercentile: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.aggregate(.percentile(part), of: elements, self)
    }
}

extension PredicateExpressions.ElementDiscretePercentile: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.aggregate(.discretePercentile(part), of: elements, self)
    }
}

extension Translation {
    fileprivate func aggregate<LHS, RHS>(
        _ function: AggregateFunction, isExact: Bool = false, of elements: PredicateExpressions.ElementValues<LHS, RHS>,
        _ node: some PredicateExpression
    ) throws -> PredicateOperand {
        if try operand(elements.sequence).isConstant { return try node.computed(in: self) }
        return .value(
            try sequence(elements.sequence).aggregate(function, isExact: isExact, in: self) { element in
                try with(elements.variable, as: element) { try value(elements.value) }
            })
    }
}
