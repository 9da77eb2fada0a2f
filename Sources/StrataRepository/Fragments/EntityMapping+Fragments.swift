extension EntityMapping {
    /// The column of the key, in double quotes.
    package var quotedKey: String { SQLFragment.quoted(key) }

    /// What is wrong with a new object whose key is none.
    package var keyRule: String {
        let name = descriptor.keyProperty?.qualifiedName ?? "\(name).\(key)"
        return switch keyKind {
        case .integer: "\(name) is the key of the object, and has to be a number above 0"
        case .uuid: "\(name) is the key of the object, and has to be a UUID of a version (RFC 9562)"
        }
    }
}
