import Foundation
import StrataModels

extension PredicateExpressions.DictionaryKeySubscript: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.lookUp(key, in: wrapped, self)
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let lookUp = PredicateExpressions.DictionaryKeySubscript(wrapped: wrapped, key: key)
        return try translation.coalesce(translation.operand(lookUp)) { try translation.operand(`default`) }
    }
}

extension PredicateExpressions.ExactDictionaryLookUp: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        try translation.lookUp(key, in: dictionary, self)
    }
}
