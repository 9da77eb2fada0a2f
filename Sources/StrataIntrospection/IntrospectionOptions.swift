package import ArgumentParser

/// What `introspect` is told, whichever program has it.
package struct IntrospectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder of the files.", valueName: "folder"))
    package var out: String

    @Option(
        help: ArgumentHelp(
            "A table to read; legacy_* for all that begin so. Without it all tables.", valueName: "pattern"))
    package var tables: [String] = []

    @Option(
        help: ArgumentHelp(
            "A table at the top of a hierarchy without a class column: tables whose key refers to its key become subclasses.",
            valueName: "table"))
    package var inheritance: [String] = []

    @Option(help: ArgumentHelp("The name of the VersionedSchema.", valueName: "name"))
    package var name = "DatabaseSchema"

    @Option(help: ArgumentHelp("public, package or internal: who may use the classes.", valueName: "level"))
    package var access = ModelSource.Access.public

    @Flag(
        help:
            "Overwrites files of the same names that were written or edited by hand too, and removes generated ones without a table."
    )
    package var overwrite = false

    package init() {}

    /// - Throws: `Introspection.Failure` for a name that is none of a Swift type.
    package func introspection(of schemaName: String) throws(Introspection.Failure) -> Introspection {
        try Introspection(
            schemaName: schemaName, tables: tables, inheritance: inheritance, name: name, access: access)
    }
}

extension ModelSource.Access: ExpressibleByArgument {}
