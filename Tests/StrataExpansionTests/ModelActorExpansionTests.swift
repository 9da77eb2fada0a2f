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

                public nonisolated let modelExecutor: any Strata.ModelExecutor

                public nonisolated let modelContainer: Strata.ModelContainer

                public init(modelContainer: Strata.ModelContainer) {
                    self.modelExecutor = Strata.DefaultSerialModelExecutor(modelContext: Strata.ModelContext(modelContainer))
                    self.modelContainer = modelContainer
                }
            }

            extension Importer: Strata.ModelActor {
            }
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

                nonisolated let modelExecutor: any Strata.ModelExecutor

                nonisolated let modelContainer: Strata.ModelContainer
            }

            extension Importer: Strata.ModelActor {
            }
            """
        )
    }
}
