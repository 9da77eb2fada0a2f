import StrataRepository

/// A type as somebody has written it in a statement, under PostgreSQL's short name.
struct WrittenType: Hashable, Sendable {
    var name: String
    /// Length, or precision and scale.
    var arguments: [Int]
    var isArray: Bool

    init(_ words: LintWords) {
        let outer = words.words.prefix { !$0.is("collate") }.filter { $0.depth == words.outermost }
        let arguments = words.inside()?.words.filter { $0.kind == .number }.compactMap { Int($0.text) } ?? []
        var text: [String] = []
        for word in outer {
            // A schema in front says nothing about the type's form. `"char"` is another type than char.
            if word.is(".") {
                text = []
            } else if word.isName {
                text.append(word.kind == .quoted && word.text == "char" ? "\"char\"" : word.text)
            }
        }
        isArray = outer.contains { $0.is("[") || $0.is("[]") } || text.contains("array")
        self.arguments = arguments
        let spelled = text.filter { $0 != "array" }.joined(separator: " ")
        name = Self.short[spelled] ?? spelled
    }

    /// The type of a column that is there.
    init(_ type: ColumnType) {
        name = type.base.name
        arguments = type.parameters.compactMap { Int($0) }
        isArray = type.isList
    }

    private static let short: [String: String] = [
        "character varying": "varchar", "decimal": "numeric", "dec": "numeric", "int": "integer", "int4": "integer",
        "int8": "bigint", "int2": "smallint", "bool": "boolean", "character": "char", "bpchar": "char",
        "timestamp without time zone": "timestamp", "timestamp with time zone": "timestamptz",
        "time without time zone": "time", "time with time zone": "timetz", "float8": "double precision",
        "float4": "real",
    ]

    /// Whether the server changes the type by editing its catalog only (measured; see the manual on ALTER TABLE).
    ///
    /// - Parameter timeZone: the time zone of the session that runs it.
    func becomes(_ new: WrittenType, timeZone: String) -> Bool {
        if self == new { return true }
        guard isArray == new.isArray else { return false }
        switch (name, new.name) {
        case ("varchar", "varchar"): return Self.isWider(arguments, new.arguments)
        case ("varchar", "text"): return true
        case ("text", "varchar"): return new.arguments.isEmpty
        case ("numeric", "numeric"):
            if new.arguments.isEmpty { return true }
            guard let precision = arguments.first, let wanted = new.arguments.first else { return false }
            let scale = arguments.dropFirst().first ?? 0
            return wanted >= precision && scale == new.arguments.dropFirst().first ?? 0
        case ("timestamp", "timestamptz"), ("timestamptz", "timestamp"):
            return ["UTC", "ETC/UTC", "GMT"].contains(timeZone.uppercased())
                && Self.isWider(arguments, new.arguments)
        case ("timestamp", "timestamp"), ("timestamptz", "timestamptz"), ("time", "time"), ("timetz", "timetz"),
            ("interval", "interval"), ("varbit", "varbit"), ("bit varying", "bit varying"):
            return Self.isWider(arguments, new.arguments)
        case ("cidr", "inet"): return true
        default: return false
        }
    }

    /// Whether some values of this type are none of the new one.
    func narrows(to new: WrittenType) -> Bool {
        switch (name, new.name) {
        case ("varchar", "varchar"), ("text", "varchar"), ("text", "char"), ("varchar", "char"):
            !(new.arguments.isEmpty && new.name == "varchar") && !Self.isWider(arguments, new.arguments)
        case ("bigint", "integer"), ("bigint", "smallint"), ("integer", "smallint"): true
        case ("numeric", "integer"), ("numeric", "bigint"), ("numeric", "smallint"): true
        case ("numeric", "numeric"): !becomes(new, timeZone: "UTC")
        case ("double precision", "real"), ("double precision", "integer"), ("double precision", "bigint"): true
        default: false
        }
    }

    var isText: Bool { name == "text" || name == "varchar" || name == "char" }

    /// No arguments at all is the widest.
    private static func isWider(_ old: [Int], _ new: [Int]) -> Bool {
        guard let wanted = new.first else { return true }
        return old.first.map { $0 <= wanted } ?? false
    }
}
