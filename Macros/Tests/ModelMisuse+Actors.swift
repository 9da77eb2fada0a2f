extension ModelMisuse {
    static let actors: [ModelMisuse] = [
        ModelMisuse(
            title: "@ModelActor on a class",
            source: "@ModelActor class Importer { }",
            report: """
                1:13: '@ModelActor' needs an actor: its isolation is that of the context it holds
                 fix: write 'actor'
                """,
            fixed: "@ModelActor actor Importer { }"
        ),
        ModelMisuse(
            title: "@ModelActor on a struct",
            source: "@ModelActor struct Importer { }",
            report: "1:13: '@ModelActor' needs an actor: its isolation is that of the context it holds"
        ),
        ModelMisuse(
            title: "an actor's property without a value",
            source: "@ModelActor actor Importer { let limit: Int; var name: String?; lazy var slow: Int = 1 }",
            report: """
                1:34: 'limit' has no value of its own: give it one, or write an initializer that assigns 'modelContainer', and \
                'modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(modelContainer))'
                """
        ),
        ModelMisuse(
            title: "an actor's own modelContext",
            source: "@ModelActor actor Importer { var modelContext = 1 }",
            report: "1:34: 'modelContext' is a member that '@ModelActor' adds; give this property another name"
        ),
    ]
}
