import Foundation
import StrataModels

extension PredicateExpressions.DictionaryKeySubscript: TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand {
        let (dictionary, key) = (try translation.operand(wrapped), try translation.operand(key))
        if dictionary.isConstant, key.isConstant { return try computed() }
        guard case .history(.context) = dictionary else {
            throw translation.unsupported("a subscript of \(Translation.name(of: dictionary))")
        }
        return try translation.contextValue(key)
    }
}
