import Testing

/// What `@ModelActor` adds to an actor.
struct ModelActorExpansionTests {
    @Test("an actor gets an executor with a context, its container and an initializer")
    func generated() {
        expectExpansion(
            """
            @ModelActor public actor Importer {
                private var count = 0
                var last: String?
            }
            """,
            """
            public actor Importer {
                private var count = 0
                var last: String?

                public nonisolated let modelExecutor: any StrataContext.ModelExecutor

                public nonisolated let modelContainer: StrataContext.ModelContainer

                public init(modelContainer: StrataContext.ModelContainer) {
                    self.modelExecutor = StrataContext.DefaultSerialModelExecutor(modelContext: StrataContext.ModelContext(modelContainer))
                    self.modelContainer = modelContainer
                }
            }

            extension Importer: StrataContext.ModelActor {}
            """
        )
    }

    @Test("an actor's own initializer is the only one")
    func ownInitializer() {
        expectExpansion(
            """
            @ModelActor actor Importer {
                let limit: Int
                init(container: ModelContainer, limit: Int) {
                    self.limit = limit
                    modelContainer = container
                    modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(container))
                }
            }
            """,
            """
            actor Importer {
                let limit: Int
                init(container: ModelContainer, limit: Int) {
                    self.limit = limit
                    modelContainer = container
                    modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(container))
                }

                nonisolated let modelExecutor: any StrataContext.ModelExecutor

                nonisolated let modelContainer: StrataContext.ModelContainer
            }

            extension Importer: StrataContext.ModelActor {}
            """
        )
    }
}
