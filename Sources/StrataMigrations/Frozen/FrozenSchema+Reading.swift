import Foundation
import StrataRepository

extension FrozenSchema {
    /// Reads what ``canonicalJSON`` wrote.
    ///
    /// Throws `integrity` with the file and the place in it: for text that is no JSON, keys that are missing, unknown or
    /// hold something else, and entities that refer to what is not there.
    ///
    /// - Parameter file: the file's name, for messages.
    package init(canonicalJSON text: String, file: String) throws(MigrationError) {
        guard !text.contains("\n<<<<<<< "), !text.hasPrefix("<<<<<<< ") else {
            throw Self.unreadable(file, "holds an unresolved merge conflict", at: nil)
        }
        let data = Data(text.utf8)
        let schema: FrozenSchema
        let tree: JSONTree
        do {
            schema = try JSONDecoder().decode(FrozenSchema.self, from: data)
            tree = try JSONDecoder().decode(JSONTree.self, from: data)
        } catch {
            let (problem, place) = Self.reading(error)
            throw Self.unreadable(file, problem, at: place)
        }
        if let place = tree.firstDifference(from: JSONTree(schema)) {
            throw Self.unreadable(file, "has a key that this version of Strata does not know", at: place)
        }
        if let problem = schema.contradiction { throw Self.unreadable(file, problem.text, at: problem.place) }
        self = schema
    }

    private static func unreadable(_ file: String, _ problem: String, at place: String?) -> MigrationError {
        MigrationError(
            .integrity, "The frozen schema \(file) cannot be read: it \(problem).",
            places: [place.map { "\(file): \($0)" } ?? file],
            remedy: "restore the file from version control; it is written by generate and never by hand")
    }

    /// What is wrong and where, from what `JSONDecoder` threw.
    private static func reading(_ error: any Error) -> (problem: String, place: String?) {
        guard let error = error as? DecodingError else { return ("is no JSON (\(error))", nil) }
        switch error {
        case .keyNotFound(let key, let context):
            return ("lacks the key \"\(key.stringValue)\"", path(context.codingPath + [key]))
        case .typeMismatch(let type, let context):
            return ("holds something else where \(described(type)) belongs", path(context.codingPath))
        case .valueNotFound(let type, let context):
            return ("holds null where \(described(type)) belongs", path(context.codingPath))
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            return ("is no JSON", nil)
        case .dataCorrupted(let context):
            return ("holds a value that does not belong there (\(context.debugDescription))", path(context.codingPath))
        @unknown default:
            return ("is no JSON (\(error))", nil)
        }
    }

    private static func described(_ type: Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a number"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        var text = ""
        for key in keys {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return text
    }

    /// What does not hold together: everything that looks up names relies on it.
    private var contradiction: (text: String, place: String)? {
        var names: Set<String> = []
        for entity in entities where !names.insert(entity.name).inserted {
            return ("has two entities called \(entity.name)", "entities")
        }
        for (index, entity) in entities.enumerated() {
            let place = "entities[\(index)]"
            if let parent = entity.parent, !names.contains(parent) {
                return ("has no entity \(parent), the parent of \(entity.name)", place + ".parent")
            }
            if isOwnAncestor(entity) { return ("makes \(entity.name) its own ancestor", place + ".parent") }
            if database.table(named: entity.table) == nil {
                return ("has no table \(entity.table), that of \(entity.name)", place + ".table")
            }
            for (slot, attribute) in entity.attributes.enumerated()
            where database.table(named: entity.table)?.column(named: attribute.column) == nil {
                return (
                    "has no column \(entity.table).\(attribute.column), that of \(entity.name).\(attribute.name)",
                    "\(place).attributes[\(slot)].column"
                )
            }
            for (slot, relationship) in entity.relationships.enumerated()
            where !names.contains(relationship.destination) {
                return (
                    "has no entity \(relationship.destination), to which \(entity.name).\(relationship.name) leads",
                    "\(place).relationships[\(slot)].destination"
                )
            }
            for (slot, relationship) in entity.relationships.enumerated() {
                guard let position = relationship.positionPlace,
                    database.table(named: position.table)?.column(named: position.column) == nil
                else { continue }
                return (
                    "has no column \(position.table).\(position.column), the order of \(entity.name).\(relationship.name)",
                    "\(place).relationships[\(slot)].position"
                )
            }
        }
        return nil
    }

    private func isOwnAncestor(_ entity: FrozenEntity) -> Bool {
        var seen: Set<String> = [entity.name]
        var current = entity.parent
        while let name = current {
            guard seen.insert(name).inserted else { return true }
            current = self.entity(named: name)?.parent
        }
        return false
    }
}
