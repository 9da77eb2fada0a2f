import Foundation
import StrataClient
import StrataModels

extension Translation {
    /// Where an element of an array stands.
    enum ElementPlace: String {
        case first = "0"
        case last = "-1"
    }

    /// The elements of a collection inside of JSON.
    func elements(of reference: JSONReference) throws -> SQLSequence {
        guard let list = JSONSequence(reference) else {
            throw unsupported(
                "the elements of \(reference), which is stored as JSON and is no Array, Set or Dictionary,")
        }
        return SQLSequence(source: .json(list), path: reference.description)
    }

    /// The first or last element of an array; `nil` for a collection that JSON keeps in no order, and for elements that
    /// may be `nil` themselves, which is not the same as none.
    func element(of reference: JSONReference, at place: ElementPlace) -> PredicateOperand? {
        guard let type = (reference.type as? any ArrayType.Type)?.elementType, !(type is any OptionalValue.Type)
        else { return nil }
        return .json(reference.value(at: "\(bind: place.rawValue)", of: type, name: ".\(place)"))
    }

    func member(_ member: JSONCollectionMember, of reference: JSONReference) throws -> PredicateOperand {
        switch member {
        case .count: return .count(try elements(of: reference))
        case .isEmpty: return .value(try isEmpty(elements(of: reference)))
        case .keys:
            let key = try keyType(of: reference)
            return .sequence(
                SQLSequence(source: .json(JSONSequence(reference, .keys(key), of: key)), path: "\(reference).keys"))
        case .values:
            _ = try keyType(of: reference)
            let value = (reference.type as? any JSONCollectionType.Type)?.jsonElementType ?? Any.self
            return .sequence(
                SQLSequence(source: .json(JSONSequence(reference, .values, of: value)), path: "\(reference).values"))
        }
    }

    /// `dictionary[key]`.
    func lookUp(
        _ key: some PredicateExpression, in dictionary: some PredicateExpression, _ node: some PredicateExpression
    ) throws -> PredicateOperand {
        let (base, sought) = (try operand(dictionary), try operand(key))
        if base.isConstant, sought.isConstant { return try node.computed(in: self) }
        if case .history(.context) = base { return try contextValue(sought) }
        guard case .json(let reference) = base else {
            throw unsupported(
                "a look-up in \(Self.name(of: base)) by a value of each row",
                "look up what is wanted first, and compare with that")
        }
        _ = try keyType(of: reference)
        let value = (reference.type as? any JSONCollectionType.Type)?.jsonElementType ?? Any.self
        guard !(value is any OptionalValue.Type) else {
            // JSON's null and a missing key are two things there.
            throw unsupported("a look-up in \(reference), whose values may be nil themselves,")
        }
        switch sought {
        case .constant(let key):
            guard let name = (key as? any CodingKeyRepresentable)?.codingKey.stringValue else { break }
            return .json(reference.value(at: "\(bind: name)", of: value, name: "[\(name.debugDescription)]"))
        default:
            let key = try self.value(sought)
            guard key.isText, key.form == .plain else { break }
            return .json(
                reference.value(at: key.operand, of: value, requires: key.requires, name: "[\(key.path)]"))
        }
        throw unsupported("a look-up in \(reference) by \(Self.name(of: sought))", "use a captured key")
    }

    /// Throws for keys that the encoder does not write as names.
    private func keyType(of reference: JSONReference) throws -> Any.Type {
        guard case .dictionary(let key)? = (reference.type as? any JSONCollectionType.Type)?.jsonKind else {
            throw unsupported("a look-up in \(reference), which is no Dictionary,")
        }
        guard key is any CodingKeyRepresentable.Type else {
            throw unsupported(
                "a look-up in \(reference), whose keys of type \(key) are not names in JSON,",
                "use keys of type String or Int, or make \(key) CodingKeyRepresentable")
        }
        return key
    }
}
