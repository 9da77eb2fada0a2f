extension ModelMisuse {
    /// A row whose source is one member of a class with an initializer, in the second line.
    private static func member(
        _ title: String, _ member: String, _ report: String, fixed: String? = nil
    ) -> ModelMisuse {
        func model(_ member: String) -> String { "@Model class Trip {\n\(member)\ninit() {}\n}" }
        return ModelMisuse(title: title, source: model(member), report: report, fixed: fixed.map(model))
    }

    static let properties: [ModelMisuse] = [
        member(
            "several in one declaration", "    private(set) var a, b: Int, c = 1",
            """
            2:25: declare each persisted property by itself
             fix: split into 3 declarations
            """,
            fixed: """
                    private(set) var a: Int
                    private(set) var b: Int
                    private(set) var c = 1
                """
        ),
        member(
            "a tuple", "var (a, b) = (1, 2)",
            "2:5: a persisted property cannot be declared with a tuple; declare each property by itself"
        ),
        member(
            "computed by the database, and not optional", "@Attribute(.generated) var a: Int",
            """
            2:31: a property with '.generated' is optional: until its object is saved nobody has computed a value
             fix: write 'Int?'
            """,
            fixed: "@Attribute(.generated) var a: Int?"
        ),
        member(
            "computed by the database, and given a value", "@Attribute(.generated) var a: Int? = 1",
            "2:38: a property with '.generated' is computed by the database, and is given no value"
        ),
        member(
            "computed by the database, and unique", "@Attribute(.generated, .unique) var a: Int?",
            "2:24: a property with '.generated' is computed by the database, so it cannot be '.unique'"
        ),
        member(
            "computed by the database, and observed", "@Attribute(.generated) var a: Int? { didSet {} }",
            "2:36: a property with '.generated' has no setter that 'didSet' could wait for"
        ),
        member(
            "lazy", "lazy var a: Int = 1",
            """
            2:1: a lazy property is not persisted: mark it '@Transient', or remove 'lazy' to store it
             fix: mark it '@Transient'
             fix: remove 'lazy'
            """,
            fixed: "@Transient lazy var a: Int = 1"
        ),
        member(
            "weak", "weak var a: Trip?",
            """
            2:1: a persisted property cannot be weak: a to-one relationship keeps nothing alive that it has not loaded
             fix: remove 'weak'
             fix: mark it '@Transient'
            """,
            fixed: "var a: Trip?"
        ),
        member(
            "unowned", "unowned(unsafe) var a: Trip",
            """
            2:1: a persisted property cannot be unowned(unsafe): a to-one relationship keeps nothing alive that it has not loaded
             fix: remove 'unowned(unsafe)'
             fix: mark it '@Transient'
            """,
            fixed: "var a: Trip"
        ),
        member(
            "overridden", "override var a: Int = 1",
            """
            2:1: a persisted property cannot be overridden: its column belongs to the superclass; give this one another name
            """
        ),
        member(
            "a constant without value", "public let a: Int",
            """
            2:8: Swift 6's language mode does not allow a persisted property to be a constant; it is stored like a variable
             fix: write 'private(set) var'
            """,
            fixed: "public private(set) var a: Int"
        ),
        member(
            "a private constant without value", "private let a: Int",
            """
            2:9: Swift 6's language mode does not allow a persisted property to be a constant; it is stored like a variable
             fix: write 'var'
            """,
            fixed: "private var a: Int"
        ),
        member(
            "a constant with value and attribute", "@Attribute(.unique) let a = 1",
            """
            2:21: a constant with a value is not persisted, so '@Attribute' has no effect on it
             fix: write 'private(set) var'
            """,
            fixed: "@Attribute(.unique) private(set) var a = 1"
        ),
        member(
            "a property wrapper", "@Published var a = 1",
            """
            2:1: '@Published' cannot be combined with a persisted property: '@Model' gives it accessors of its own; mark \
            the property '@Transient', or remove the attribute
             fix: mark it '@Transient'
             fix: remove '@Published'
            """,
            fixed: "@Transient @Published var a = 1"
        ),
        member(
            "an attribute in #if", "#if DEBUG\n@Attribute(.unique)\n#endif\nvar a = 1",
            "2:1: attributes of a persisted property cannot be inside '#if': the table is the same in every build"
        ),
        member(
            "transient without value", "@Transient var a: Int",
            """
            2:16: a '@Transient' property needs a value, or an optional type: an object read from the database has \
            nothing to put there
            """
        ),
        member(
            "transient constant without value", "@Transient let a: Int",
            """
            2:16: a '@Transient' property needs a value, or an optional type: an object read from the database has \
            nothing to put there
            """
        ),
    ]

    static let names: [ModelMisuse] = [
        member(
            "a property of every model", "var isDeleted = false",
            "2:5: a persisted property cannot be called 'isDeleted': every model has this property already"
        ),
        member(
            "a name of the macro's", "var _$x = false",
            "2:5: a persisted property cannot be called '_$x': names that begin with '_$' belong to '@Model'"
        ),
        member(
            "a method with a name of the macro's", "func _$decode() {}",
            "2:6: names that begin with '_$' belong to '@Model'; choose another name"
        ),
        member(
            "the name of a storage", "var name = \"\"; var _name: String { name }",
            "2:20: '_name' is the name of the storage of 'name'; choose another name"
        ),
    ]

    static let attributes: [ModelMisuse] = [
        member(
            "attribute and relationship", "@Attribute @Relationship var a: Item?",
            """
            2:12: a property is an attribute or a relationship, not both
             fix: remove '@Relationship'
            """,
            fixed: "@Attribute var a: Item?"
        ),
        member(
            "two attributes that contradict each other",
            "@Attribute(originalName: \"b\") @Attribute(.unique, originalName: \"c\") var a = 1",
            "2:65: 'originalName' is given twice, as \"b\" and as \"c\"; leave out one of them"
        ),
        member(
            "two transformers",
            "@Attribute(.transformable(by: P.self)) @Attribute(.transformable(by: Q.self)) var a: Place?",
            "2:51: '.transformable' is given twice, as .transformable(by: P.self) and as .transformable(by: Q.self); leave out one of them"
        ),
        member(
            "two relationships", "@Relationship @Relationship(deleteRule: .cascade) var a: Item?",
            """
            2:15: '@Relationship' is given twice; put all options into one
             fix: remove the second '@Relationship'
            """
        ),
        member(
            "the same option twice", "@Attribute(.unique, .unique, originalName: \"b\") var a = 1",
            """
            2:21: '.unique' is given twice
             fix: remove the second '.unique'
            """,
            fixed: "@Attribute(.unique, originalName: \"b\") var a = 1"
        ),
        member(
            "the same option twice, at the end", "@Attribute(.unique, .unique) var a = 1",
            """
            2:21: '.unique' is given twice
             fix: remove the second '.unique'
            """,
            fixed: "@Attribute(.unique) var a = 1"
        ),
        member(
            "the beta's transform", "@Attribute(.transform) var a: Place?",
            """
            2:12: '.transform' is now '.transformable(by:)'
             fix: write '.transformable(by:)'
            """,
            fixed: "@Attribute(.transformable(by: <#transformer#>.self)) var a: Place?"
        ),
        member(
            "codable and transformable", "@Attribute(.codable, .transformable(by: P.self)) var a: Place?",
            "2:22: '.codable' and '.transformable' exclude each other: each says how the value is stored"
        ),
        member(
            "codable without type", "@Attribute(.codable) var a = Place()",
            "2:26: a property with '.codable' needs its type written out"
        ),
        member(
            "ephemeral and unique", "@Attribute(.ephemeral, .unique) var a = 1",
            "2:24: an ephemeral property has no column, so it cannot be '.unique'"
        ),
        member(
            "ephemeral and a date of saves", "@Attribute(.ephemeral, .modificationDate) var a: Date?",
            "2:24: an ephemeral property has no column, so it cannot be '.modificationDate'"
        ),
        member(
            "ephemeral and a date of deletion", "@Attribute(.ephemeral, .deletionDate) var a: Date?",
            "2:24: an ephemeral property has no column, so it cannot be '.deletionDate'"
        ),
        member(
            "ephemeral and a tenant", "@Attribute(.ephemeral, .tenant) var a: String = \"\"",
            "2:24: an ephemeral property has no column, so it cannot be '.tenant'"
        ),
        member(
            "a date of deletion that is always there", "@Attribute(.deletionDate) var a: Date = .now",
            """
            2:12: a property with '.deletionDate' is nil until its object is deleted
             fix: write 'Date?'
            """,
            fixed: "@Attribute(.deletionDate) var a: Date? = .now"
        ),
        member(
            "ephemeral without value", "@Attribute(.ephemeral) var a: Int",
            """
            2:28: an ephemeral property needs a value, or an optional type: an object read from the database has nothing \
            to put there
            """
        ),
        member(
            "empty originalName", "@Attribute(originalName: \"\") var a = 1",
            "2:26: originalName is empty; leave it out, or give the property's old name"
        ),
        member(
            "computed originalName", "@Relationship(originalName: old) var a: Item?",
            "2:29: originalName must be a string literal, such as \"start_date\": it is part of the schema"
        ),
        member(
            "interpolated originalName", "@Attribute(originalName: \"a\\(1)\") var a = 1",
            "2:26: originalName must be a string literal, such as \"start_date\": it is part of the schema"
        ),
    ]

    static let relationships: [ModelMisuse] =
        [
            ("String", "String"), ("Int?", "Int"), ("Date", "Date"), ("[String]", "String"), ("Set<UUID>", "UUID"),
            ("[String: Item]", "[String: Item]"), ("Optional<Data>", "Data"),
        ].map { type, value in
            member(
                "a relationship to \(type)", "@Relationship(deleteRule: .cascade) var a: \(type) = b",
                """
                2:1: '@Relationship' needs a model, an optional model or an array of models; '\(value)' is a value
                 fix: write '@Attribute'
                """,
                fixed: "@Attribute var a: \(type) = b"
            )
        } + [
            member(
                "a unique to-many", "@Relationship(.unique) var a: [Item]? = []",
                "2:15: '.unique' needs a to-one relationship; on a to-many relationship, make the inverse unique or to-one"
            ),
            member(
                "an ordered to-one", "@Relationship(.ordered, deleteRule: .cascade) var a: Item?",
                "2:15: '.ordered' needs an array of models, written out as '[Model]'; a to-one relationship has one object at most"
            ),
            member(
                "a negative count", "@Relationship(minimumModelCount: -1) var a: [Item] = []",
                "2:34: a count of models cannot be negative"
            ),
            member(
                "counts the wrong way round",
                "@Relationship(minimumModelCount: 3, maximumModelCount: 2) var a: [Item] = []",
                "2:34: minimumModelCount is greater than maximumModelCount: no object could be saved"
            ),
        ]

    static let places: [ModelMisuse] = [
        ModelMisuse(
            title: "an attribute in a class that is no model",
            source: "class Trip { @Attribute(.unique) var a = 1 }",
            report: """
                1:14: '@Attribute' has no effect here: it belongs on a stored property in the body of a '@Model' class
                 fix: remove '@Attribute'
                """,
            fixed: "class Trip { var a = 1 }"
        ),
        ModelMisuse(
            title: "a relationship in an extension",
            source: "extension Trip { @Relationship var a: Int { 1 } }",
            report: """
                1:18: '@Relationship' has no effect here: it belongs on a stored property in the body of a '@Model' class
                 fix: remove '@Relationship'
                """
        ),
        ModelMisuse(
            title: "a global transient",
            source: "@Transient var a = 1",
            report: """
                1:1: '@Transient' has no effect here: it belongs on a stored property in the body of a '@Model' class
                 fix: remove '@Transient'
                """
        ),
        member(
            "an attribute on a method", "@Attribute func a() {}",
            """
            2:1: '@Attribute' has no effect here: it needs a property
             fix: remove '@Attribute'
            """
        ),
        member(
            "a relationship on an initializer", "@Relationship(inverse: \\Item.trip) init() {}",
            """
            2:1: '@Relationship' has no effect here: it needs a property
             fix: remove '@Relationship'
            """
        ),
        member(
            "an attribute on a static property", "@Attribute static var a = 1",
            """
            2:1: '@Attribute' has no effect on a static property: it belongs to no object
             fix: remove '@Attribute'
            """
        ),
        member(
            "a relationship on a computed property", "@Relationship var a: Item? { nil }",
            """
            2:1: '@Relationship' has no effect on a computed property: it has no column
             fix: remove '@Relationship'
            """
        ),
        member(
            "an attribute on a transient property", "@Transient @Attribute(.unique) var a = 1",
            """
            2:12: a '@Transient' property is not persisted, so '@Attribute' has no effect on it
             fix: remove '@Attribute'
            """,
            fixed: "@Transient var a = 1"
        ),
        ModelMisuse(
            title: "a constraint outside of a model",
            source: "class Trip { #Unique<Trip>([\\.name]) }",
            report: "1:15: '#Unique' belongs into the body of a '@Model' class"
        ),
    ]

    static let constraints: [ModelMisuse] = [
        member("no key paths", "#Unique<Trip>()", "2:2: '#Unique' needs at least one key path, as in [\\.name]"),
        member(
            "an empty list", "var a = 1; #Index<Trip>([\\.a], [])",
            "2:32: '#Index' needs at least one key path, as in [\\.name]"
        ),
        member(
            "an empty list of a kind", "#Index<Trip>(.rtree([]))",
            "2:21: '#Index' needs at least one key path, as in [\\.name]"
        ),
        member(
            "another class", "var a = 1; #Unique<Item>([\\.a])",
            """
            2:20: '#Unique' in 'Trip' must name 'Trip', not 'Item'
             fix: write 'Trip'
            """,
            fixed: "var a = 1; #Unique<Trip>([\\.a])"
        ),
        member(
            "a key of one property", "var a = 1; #PrimaryKey<Trip>([\\.a])",
            "2:31: a key of one property is '@Attribute(.primaryKey)' in front of it; '#PrimaryKey' takes several, or one that is a String, Date, CalendarDate or Data, in tables of others"
        ),
        member(
            "a key that is a relationship", "@Relationship var a: Other; #PrimaryKey<Trip>([\\.a])",
            "2:48: a relationship is no key by itself: let a property have the key, '@Attribute(.primaryKey) var id', and the relationship the column of it, '@Relationship(columns: [\"id\"])'"
        ),
        member(
            "two keys", "var a = 1; var b = 1; #PrimaryKey<Trip>([\\.a, \\.b]); #PrimaryKey<Trip>([\\.b, \\.a])",
            "2:55: 'Trip' has a '#PrimaryKey'"
        ),
        member(
            "a key that is not stored", "var a = 1; @Transient var b = 1; #PrimaryKey<Trip>([\\.a, \\.b])",
            "2:58: 'b' is not stored, so it cannot be in '#PrimaryKey'"
        ),
        member(
            "a partition without a key", "var a = 1; var at = Date(); #Partition<Trip>(by: \\.at, every: .day)",
            "2:30: the key of a partitioned class contains 'at': declare '#PrimaryKey<Trip>([\\.…, \\.at])'"
        ),
        member(
            "a partition by what is no part of the key",
            "var a = 1; var b = 1; var at = Date(); #PrimaryKey<Trip>([\\.a, \\.b]); #Partition<Trip>(by: \\.at, every: .day)",
            "2:58: the key of a class that '#Partition' divides by 'at' contains 'at': add \\.at"
        ),
        member(
            "unique values of a partitioned class",
            "var a = 1; var at = Date(); #PrimaryKey<Trip>([\\.a, \\.at]); #Partition<Trip>(by: \\.at, every: .day); #Unique<Trip>([\\.a])",
            "2:116: values are unique within a partition only: add \\.at, by which '#Partition' divides the class"
        ),
        member(
            "a unique property of a partitioned class",
            "@Attribute(.unique) var a = 1; var at = Date(); #PrimaryKey<Trip>([\\.a, \\.at]); #Partition<Trip>(by: \\.at, every: .day)",
            "2:1: values are unique within a partition only: declare '#Unique<Trip>([\\.a, \\.at])'"
        ),
        member(
            "two partitions",
            "var a = 1; var at = Date(); #PrimaryKey<Trip>([\\.a, \\.at]); #Partition<Trip>(by: \\.at, every: .day); #Partition<Trip>(by: \\.at, every: .day)",
            "2:103: 'Trip' has a '#Partition'"
        ),
        member(
            "a partition by what is not stored",
            "var a = 1; @Transient var at = Date(); #PrimaryKey<Trip>([\\.a, \\.b]); var b = 1; #Partition<Trip>(by: \\.at, every: .day)",
            "2:103: 'at' is not stored, so it cannot be in '#Partition'"
        ),
        member(
            "a property twice", "var a = 1; #Unique<Trip>([\\.a, \\Trip.a])",
            "2:32: 'a' is in this list twice"
        ),
        member(
            "a transient property", "@Transient var a = 1; #Index<Trip>([\\.a])",
            "2:37: 'a' is not stored, so it cannot be in '#Index'"
        ),
        member(
            "a computed property", "var a: Int { 1 }; #Index<Trip>(.binary([\\.a]))",
            "2:41: 'a' is not stored, so it cannot be in '#Index'"
        ),
        member(
            "an included property twice", "var a = 1; #Index<Trip>(.binary([\\.b], including: [\\.a, \\.a]))",
            "2:57: 'a' is in this list twice"
        ),
        member(
            "a transient key with an order",
            "@Transient var a = 1; #Index<Trip>(.sorted([.key(\\.a, order: .reverse)]))",
            "2:50: 'a' is not stored, so it cannot be in '#Index'"
        ),
        member(
            "a condition from elsewhere", "var a = 1; #Index<Trip>([\\.a], where: Trip.open)",
            "2:39: the condition of '#Index' is written in place, as in { $0.price > 0 }"
        ),
        member(
            "a unique condition with a variable", "var a = 1; #Unique<Trip>([\\.a]) { $0.a > limit }",
            "2:42: the condition of '#Unique' is part of the table, so it has properties and literals, and not 'limit'"
        ),
        member(
            "a condition with a variable", "var a = 1; #Index<Trip>(.gin([\\.a])) { $0.a > limit }",
            "2:47: the condition of '#Index' is part of the table, so it has properties and literals, and not 'limit'"
        ),
        member(
            "a rule with a value of now", "var a = Date(); #Check<Trip>(\"past\") { $0.a < Date() }",
            "2:47: the condition of '#Check' is part of the table, so it has properties and literals, and not the value of 'Date(…)'"
        ),
        member(
            "a rule without a name of its own", "var a = 1; #Check<Trip>(\"a > 0\") { $0.a > 0 }",
            "2:25: '#Check' needs a name such as a property has, written in place, as in \"positivePrice\""
        ),
        member(
            "two rules of one name",
            "var a = 1; #Check<Trip>(\"rule\") { $0.a > 0 }; #Check<Trip>(\"rule\") { $0.a < 9 }",
            "2:60: 'Trip' has a '#Check' of this name"
        ),
        member(
            "a rule of another class", "var a = 1; #Check<Item>(\"rule\") { $0.a > 0 }",
            """
            2:19: '#Check' in 'Trip' must name 'Trip', not 'Item'
             fix: write 'Trip'
            """,
            fixed: "var a = 1; #Check<Trip>(\"rule\") { $0.a > 0 }"
        ),
        member(
            "computed, and declared nowhere", "var a = 1; #Generated<Trip, Int>(\\.b) { $0.a }",
            "2:34: 'b' is computed: declare it in 'Trip' as '@Attribute(.generated) var b'"
        ),
        member(
            "computed with a variable",
            "@Attribute(.generated) var a: Int; var b = 1; #Generated<Trip, Int>(\\.a) { $0.b + limit }",
            "2:83: the expression of '#Generated' is part of the table, so it has properties and literals, and not 'limit'"
        ),
        member(
            "computed with !",
            "@Attribute(.generated) var a: Int; var b: Int?; #Generated<Trip, Int>(\\.a) { $0.b! + 1 }",
            "2:78: the expression of '#Generated' has no '!': a row without the value would have NULL where memory has an error; say with '??' or 'flatMap' what it has then"
        ),
        member(
            "computed with what is computed",
            "@Attribute(.generated) var a: Int; @Attribute(.generated) var b: Int; #Generated<Trip, Int>(\\.a) { $0.b }; #Generated<Trip, Int>(\\.b) { line in line.a + 1 }",
            """
            2:100: 'b' is computed itself, and no generated column names another: write what it is computed by
            2:145: 'a' is computed itself, and no generated column names another: write what it is computed by
            """
        ),
        member(
            "computed twice",
            "@Attribute(.generated) var a: Int; var b = 1; #Generated<Trip, Int>(\\.a) { $0.b }; #Generated<Trip, Int>(\\.a) { $0.b }",
            "2:106: 'a' has a '#Generated'"
        ),
        ModelMisuse(
            title: "a rule outside of a model",
            source: "class Trip { #Check<Trip>(\"rule\") { $0.a > 0 } }",
            report: "1:15: '#Check' belongs into the body of a '@Model' class"
        ),
        member(
            "an ephemeral property", "@Attribute(.ephemeral) var a = 1; #Unique<Trip>([\\.a])",
            "2:50: 'a' is not stored, so it cannot be in '#Unique'"
        ),
    ]
}
