extension ModelMisuse {
    static let classes: [ModelMisuse] = [
        ModelMisuse(
            title: "on a struct",
            source: "@Model struct Trip { var name = \"\" }",
            report: """
                1:8: '@Model' needs a class, not a struct: an object has an identity, and its context shares it
                 fix: write 'class'
                """,
            fixed: "@Model class Trip { var name = \"\" }"
        ),
        ModelMisuse(
            title: "on an actor",
            source: "@Model actor Trip { }",
            report: """
                1:8: '@Model' needs a class, not an actor: an object has an identity, and its context shares it
                 fix: write 'class'
                """
        ),
        ModelMisuse(
            title: "on an enum",
            source: "@Model enum Trip { }",
            report: "1:8: '@Model' needs a class, not an enum: an object has an identity, and its context shares it"
        ),
        ModelMisuse(
            title: "on a protocol",
            source: "@Model protocol Trip { }",
            report: "1:8: '@Model' needs a class, not a protocol: an object has an identity, and its context shares it"
        ),
        ModelMisuse(
            title: "on an extension",
            source: "@Model extension Trip { }",
            report:
                "1:8: '@Model' needs a class, not an extension: an object has an identity, and its context shares it"
        ),
        ModelMisuse(
            title: "on a generic class",
            source: "@Model class Box<Content> { init() {} }",
            report: """
                1:17: a model cannot be generic: it has one table; declare a model for each type, with a common superclass
                """
        ),
        ModelMisuse(
            title: "in a generic type",
            source: "struct Box<Content> { @Model class Trip { init() {} } }",
            report: "1:36: a model cannot be nested in a generic type: it has one table"
        ),
        ModelMisuse(
            title: "private in another type",
            source: "enum V1 { @Model private class Trip { init() {} } }",
            report: """
                1:18: a nested model cannot be private: its conformance is declared outside the type it is in
                 fix: write 'fileprivate'
                """,
            fixed: "enum V1 { @Model fileprivate class Trip { init() {} } }"
        ),
        ModelMisuse(
            title: "on the main actor",
            source: "@MainActor @Model class Trip { init() {} }",
            report: """
                1:1: a model belongs to the isolation of its context, not to 'MainActor'
                 fix: remove '@MainActor'
                """,
            fixed: "@Model class Trip { init() {} }"
        ),
        ModelMisuse(
            title: "Sendable",
            source: "@Model final class Trip: Codable, @unchecked Sendable { init() {} }",
            report: """
                1:35: a model is not Sendable, whatever it says: it stays with its context; send its persistentModelID, or use a \
                ModelActor
                """
        ),
        ModelMisuse(
            title: "persisted members in #if",
            source: """
                @Model class Trip {
                    #if DEBUG
                    var trace = 1
                    init() {}
                    #Index<Trip>([\\.trace])
                    #endif
                }
                """,
            report: """
                3:9: a persisted property cannot be inside '#if': the table is the same in every build; mark it '@Transient'
                4:5: a designated initializer of a model cannot be inside '#if'; put the '#if' into its body
                5:5: '#Index' cannot be inside '#if': the table is the same in every build
                """
        ),
    ]

    static let initializers: [ModelMisuse] = [
        ModelMisuse(
            title: "no initializer",
            source: """
                @Model public class Trip {
                    var name: String
                    var note: String?
                    var start: Date
                }
                """,
            report: """
                1:21: 'Trip' needs an initializer: 'name', 'start' have no value of their own
                 fix: add an initializer
                """,
            fixed: """
                @Model public class Trip {
                    var name: String
                    var note: String?
                    var start: Date

                    public init(name: String, start: Date) {
                        self.name = name
                        self.start = start
                    }
                }
                """
        ),
        ModelMisuse(
            title: "no initializer in a subclass",
            source: "@Model class BusinessTrip: Trip { var perdiem: Double }",
            report: "1:14: 'BusinessTrip' needs an initializer: 'perdiem' has no value of its own",
            isSubclass: true
        ),
        ModelMisuse(
            title: "only a convenience initializer",
            source: "@Model class Trip { var name: String; convenience init() { self.init(name: \"\") } }",
            report: """
                1:14: 'Trip' needs an initializer: 'name' has no value of its own
                 fix: add an initializer
                """
        ),
    ]
}
