import StrataClient

extension RowKey.Kind {
    /// Whether keys are read from a column of a type. Of `char(n)` they are not: the server fills it up with blanks and compares without them,
    /// so that one key would be several texts.
    func isRead(of type: UInt32) -> Bool {
        type == self.type.oid || self == .text && type == PostgresType.varchar.oid
    }
}

extension EntityMapping {
    /// What is wrong with a new object whose key is none.
    package var keyRule: String {
        if descriptor.hasKeyParts {
            let names = descriptor.keyParts.map(\.property.qualifiedName).joined(separator: ", ")
            return "\(names) are the key of the object together, and one of them has a value that no key has"
        }
        let name = descriptor.keyProperty?.qualifiedName ?? "\(name).\(key.first)"
        return switch keyKind {
        case .integer: "\(name) is the key of the object, and has to be a number above 0"
        case .uuid: "\(name) is the key of the object, and has to be a UUID of a version (RFC 9562)"
        case .text: "\(name) is the key of the object, and has to be a text without the character 0"
        case .date: "\(name) is the key of the object, and has to be a date that the server has"
        }
    }
}
