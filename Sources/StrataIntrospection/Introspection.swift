package import Foundation
package import StrataClient

/// Reads a database and writes its model classes: catalogs → description → plan → Swift → files.
package struct Introspection {
    /// What was done, and what could not be expressed.
    package struct Outcome: Hashable, Sendable {
        package var changes: GeneratedFolder.Changes
        package var coverage: IntrospectionCoverage
        package var gaps: [IntrospectionGap]

        /// For people: what was written, the shares, and each gap.
        package var lines: [String] {
            var lines = changes.written.map { "wrote \($0)" } + changes.removed.map { "removed \($0)" }
            lines += changes.left.map {
                "left \($0): none of the tables that were read is its; --overwrite removes it"
            }
            if lines.isEmpty { lines.append("All \(changes.unchanged) files are as they were.") }
            lines.append(
                "Expressed: \(Self.text(coverage.tables, "tables")), \(Self.text(coverage.columns, "columns")), "
                    + "\(Self.text(coverage.constraints, "constraints")).")
            guard !gaps.isEmpty else { return lines }
            lines.append("Not expressed:")
            return lines + gaps.map { "  \($0.table)\($0.column.map { "." + $0 } ?? ""): \($0.reason)" }
        }

        private static func text(_ share: IntrospectionCoverage.Share, _ noun: String) -> String {
            "\(share.expressed) of \(share.total) \(noun)"
        }
    }

    /// Why there are no classes.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let description: String
        /// What to do now.
        package let remedy: String
    }

    /// The PostgreSQL schema that is read.
    package var schemaName: String
    /// Patterns of the tables that are read; none for all.
    package var tables: [String]
    /// The tables at the top of hierarchies without a class column.
    package var inheritance: [String]
    /// The name of the `VersionedSchema`.
    package var name: String
    package var access: ModelSource.Access

    /// - Throws: ``Failure`` for a name that is none of a Swift type.
    package init(
        schemaName: String = "public", tables: [String] = [], inheritance: [String] = [],
        name: String = "DatabaseSchema", access: ModelSource.Access = .public
    ) throws(Failure) {
        guard let first = name.first, first.isUppercase, name.allSatisfy({ $0.isLetter || $0.isNumber }) else {
            throw Failure(
                description: "\"\(name)\" is no name for a schema: it is that of a Swift type.",
                remedy: "write a capital letter, then letters and digits, as in ShopSchema")
        }
        (self.schemaName, self.tables, self.inheritance) = (schemaName, tables, inheritance)
        (self.name, self.access) = (name, access)
    }

    /// Two round trips, then files; blocks the thread. The same database always makes the same files.
    ///
    /// - Parameters:
    ///   - folder: gets the files; what an earlier run has left there and this one has no table for is said.
    ///   - overwriting: whether that is removed, and files that somebody else has written may give way.
    /// - Throws: ``Failure`` when there is no such schema, nothing to write, or a file of somebody else's in the way; what the server and the file
    ///   system say.
    package func run(
        on connection: PostgresConnection, into folder: URL, overwriting: Bool = false
    ) throws -> Outcome {
        guard let found = try DatabaseDescription.read(schemaName: schemaName, connection: connection) else {
            throw Failure(
                description: "The database has no schema \"\(schemaName)\".", remedy: "name another with --schema")
        }
        let database = found.limited(to: tables).identified()
        let roles = TableRoles(database, keyedRoots: inheritance)
        if let name = inheritance.first(where: { !roles.keyedRoots.contains($0) }) {
            throw Failure(
                description:
                    "--inheritance names \(name), and no table that is read has a key that refers to the key of it under the same name.",
                remedy: "leave it out, or read its subclasses too with --tables")
        }
        let plan = ModelPlan(database, roles)
        guard !plan.classes.isEmpty else {
            let reasons = plan.gaps.prefix(10).map { "\n- \($0.table): \($0.reason)" }.joined()
            throw Failure(
                description: "The schema \"\(schemaName)\" has no table whose rows can be objects.\(reasons)",
                remedy: tables.isEmpty ? "name another with --schema" : "name others with --tables")
        }
        let names = plan.classes.map(\.name) + plan.enumerations.map(\.name)
        guard names.allSatisfy({ $0.lowercased() != name.lowercased() }) else {
            throw Failure(
                description: "A class or an enum is called \(name) too.",
                remedy: "give the schema another name with --name")
        }
        let files = ModelSource(plan, schemaName: name, access: access).files
        do {
            let changes = try GeneratedFolder(folder).write(files, overwriting: overwriting)
            return Outcome(changes: changes, coverage: plan.coverage, gaps: plan.gaps)
        } catch let refusal as GeneratedFolder.Refusal {
            throw Failure(
                description: "\(refusal). Nothing was changed in \(folder.path).",
                remedy:
                    "name another folder with --out, or let them be overwritten with --overwrite; what is to stay belongs into extensions, in files of their own"
            )
        }
    }
}

extension Introspection.Outcome: Encodable {
    private enum CodingKeys: String, CodingKey { case written, removed, left, coverage, gaps }

    /// The files by what became of them, and all else, at one level.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(changes.written, forKey: .written)
        try container.encode(changes.removed, forKey: .removed)
        try container.encode(changes.left, forKey: .left)
        try container.encode(coverage, forKey: .coverage)
        try container.encode(gaps, forKey: .gaps)
    }
}
