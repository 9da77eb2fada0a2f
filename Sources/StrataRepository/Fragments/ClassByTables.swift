/// The class of an object as an expression, where no column says it: the deepest class whose table has a row of the object.
///
/// Where sister classes both have a row, which no object can be, it is the names of both: whoever reads it finds no class of that name.
package struct ClassByTables<Class> {
    private let name: (Class) -> String
    private let children: (Class) -> [Class]

    package init(name: @escaping (Class) -> String, children: @escaping (Class) -> [Class]) {
        (self.name, self.children) = (name, children)
    }

    /// The name of a class, or of the one below it that the object is of.
    ///
    /// - Parameter isThere: the condition that a class's table has a row of the object.
    package func expression(of root: Class, where isThere: (Class) -> SQLFragment) -> SQLFragment {
        let own: SQLFragment = "\(raw: SQLFragment.literal(name(root)))"
        let below = children(root).map {
            "CASE WHEN \(isThere($0)) THEN \(expression(of: $0, where: isThere))" as SQLFragment
        }
        switch below.count {
        case 0: return own
        case 1: return "\(below[0]) ELSE \(own) END"
        default:
            let names = below.map { "\($0) END" as SQLFragment }.joined(separator: ", ")
            return "coalesce(nullif(concat_ws(' and ', \(names)), ''), \(own))"
        }
    }
}
