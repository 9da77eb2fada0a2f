import StrataClient

extension RowKey.Kind {
    /// Whether keys are read from a column of a type. Of `char(n)` they are not: the server fills it up with blanks and compares without them,
    /// so that one key would be several texts.
    func isRead(of type: UInt32) -> Bool {
        type == self.type.oid || self == .text && type == PostgresType.varchar.oid
    }
}

extension EntityMapping {
    /// The column of the key, in double quotes.
    package var quotedKey: String { SQLFragment.quoted(key) }

    /// What is wrong with a new object whose key is none.
    package var keyRule: String {
        let name = descriptor.keyProperty?.qualifiedName ?? "\(name).\(key)"
        return switch keyKind {
        case .integer: "\(name) is the key of the object, and has to be a number above 0"
        case .uuid: "\(name) is the key of the object, and has to be a UUID of a version (RFC 9562)"
        case .text: "\(name) is the key of the object, and has to be a text without the character 0"
        }
    }
}
