extension ModelMisuse {
    private static func member(_ title: String, _ member: String, _ report: String) -> ModelMisuse {
        ModelMisuse(title: title, source: "@Model class Trip {\n\(member)\ninit() {}\n}", report: report)
    }

    private static let long = String(repeating: "é", count: 32)

    /// Names of tables and columns.
    static let databaseNames: [ModelMisuse] = [
        ModelMisuse(
            title: "an empty table", source: "@Model(table: \"\") class Trip { init() {} }",
            report: "1:15: table is empty; leave it out, or give the table's name"),
        ModelMisuse(
            title: "a computed table", source: "@Model(table: prefix + \"trips\") class Trip { init() {} }",
            report: "1:15: table must be a string literal, such as \"users\": it is part of the schema"),
        ModelMisuse(
            title: "an empty schema", source: "@Model(table: \"users\", postgresSchema: \"\") class Trip { init() {} }",
            report: "1:40: postgresSchema is empty; leave it out, or give the schema's name"),
        member(
            "a computed name of an index", "#Index<Trip>([\\.a], name: prefix + \"a\")\nvar a = 1",
            "2:27: name must be a string literal, such as \"users_by_email\": it is part of the schema"),
        member(
            "one name for two sets", "#Unique<Trip>([\\.a], [\\.b], name: \"one\")\nvar a = 1\nvar b = 1",
            "2:35: '#Unique' names one and has several lists; write '#Unique' once for each"),
        ModelMisuse(
            title: "an interpolated key", source: "@Model(keyColumn: \"\\(x)_id\") class Trip { init() {} }",
            report: "1:19: keyColumn must be a string literal, such as \"id\": it is part of the schema"),
        ModelMisuse(
            title: "a long class column", source: "@Model(classColumn: \"\(long)\") class Trip { init() {} }",
            report: "1:21: classColumn has 64 bytes, and a name in PostgreSQL 63 at most"),
        ModelMisuse(
            title: "key and class columns of a subclass",
            source:
                "@Model(table: \"a\", keyColumn: \"id\", classColumn: \"kind\") class BusinessTrip: Trip { init() {} }",
            report: """
                1:20: 'keyColumn' is for the class at the top of the hierarchy: all its tables have one key, and the root's table \
                names the class
                1:37: 'classColumn' is for the class at the top of the hierarchy: all its tables have one key, and the root's table \
                names the class
                """,
            isSubclass: true),
        ModelMisuse(
            title: "the inheritance of a subclass, and a computed discriminator",
            source:
                "@Model(inheritance: .singleTable, discriminator: Self.name) class BusinessTrip: Trip { init() {} }",
            report: """
                1:8: 'inheritance' is for the class at the top of the hierarchy: it says where the properties of all its classes are
                1:50: discriminator must be a text or a number as a literal, such as "Manager" or 2: it is part of the schema
                """,
            isSubclass: true),
        ModelMisuse(
            title: "an empty discriminator", source: "@Model(discriminator: \"\") class Trip { init() {} }",
            report:
                "1:23: discriminator must be a text or a number as a literal, such as \"Manager\" or 2: it is part of the schema"
        ),
        member(
            "an empty column", "@Attribute(column: \"\") var a = 1",
            "2:20: column is empty; leave it out, or give the column's name"),
        member(
            "a computed column", "@Attribute(.unique, column: Self.name) var a = 1",
            "2:29: column must be a string literal, such as \"first_name\": it is part of the schema"),
        member(
            "a column with NUL", "@Attribute(column: \"a\\0\") var a = 1",
            "2:20: column has a character that no name in PostgreSQL can have"),
        member(
            "two columns", "@Attribute(column: \"x\") @Attribute(column: \"y\") var a = 1",
            "2:44: 'column' is given twice, as \"x\" and as \"y\"; leave out one of them"),
        member(
            "the column of an ephemeral property", "@Attribute(.ephemeral, column: \"x\") var a = 1",
            "2:24: an ephemeral property has no column, so there is none to be named"),
        member(
            "a long column of a relationship", "@Relationship(column: \"\(long)\") var a: Trip?",
            "2:23: column has 64 bytes, and a name in PostgreSQL 63 at most"),
        member(
            "pairs of a to-one relationship",
            "@Relationship(table: \"pairs\", inverseColumn: \"b\", keyConstraint: \"c\", inverse: nil) var a: Trip?",
            """
            2:15: 'table' is for the table of pairs of a many-to-many relationship; the foreign key of a to-one relationship is \
            named by 'column', and its constraint by 'constraint'
            2:31: 'inverseColumn' is for the table of pairs of a many-to-many relationship; the foreign key of a to-one relationship \
            is named by 'column', and its constraint by 'constraint'
            2:51: 'keyConstraint' is for the table of pairs of a many-to-many relationship; the foreign key of a to-one relationship \
            is named by 'column', and its constraint by 'constraint'
            """),
        ModelMisuse(
            title: "computed and long names of constraints",
            source:
                "@Model(keyConstraint: prefix + \"pk\", superclassConstraint: \"\(long)\") class Trip { init() {} }",
            report: """
                1:23: keyConstraint must be a string literal, such as "pk_users": it is part of the schema
                1:60: superclassConstraint has 64 bytes, and a name in PostgreSQL 63 at most
                """),
        member(
            "an empty name of a foreign key", "@Relationship(constraint: \"\") var a: Trip?",
            "2:27: constraint is empty; leave it out, or give the constraint's name"),
        member(
            "a computed name of a check", "#Check<Trip>(\"small\", name: prefix) { $0.a < 10 }\nvar a = 1",
            "2:29: name must be a string literal, such as \"users_grown\": it is part of the schema"),
        member(
            "computed columns of a relationship", "@Relationship(columns: names) var a: Trip?",
            "2:24: columns must be an array of string literals, such as [\"order_id\", \"product_id\"]: it is part of the schema"
        ),
        member(
            "an empty column among several", "@Relationship(columns: [\"x\", \"\"]) var a: Trip?",
            "2:30: columns is empty; leave it out, or give the column's name"),
        member(
            "a computed table of pairs", "@Relationship(table: x) var a: [Trip] = []",
            "2:22: table must be a string literal, such as \"users\": it is part of the schema"),
    ]
}
