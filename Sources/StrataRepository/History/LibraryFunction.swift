/// A function of the library's schema: the database's own part of the history.
package struct LibraryFunction: Hashable, Sendable {
    package let name: String
    /// `CREATE OR REPLACE FUNCTION …`, safe to repeat.
    package let creation: String

    /// What stands between the function's dollar quotes: PostgreSQL keeps it as `pg_proc.prosrc`.
    package let source: String
    /// The SHA-256 of ``source`` in hexadecimal digits, as the server computes it.
    package let digest: String

    /// Takes the creation apart once: each opening of a store and each run of migrations asks for all functions.
    ///
    /// - Parameter creation: `CREATE OR REPLACE FUNCTION "strata"."name"(…`, the body between `$function$`.
    package init(_ creation: String) {
        self.creation = creation
        let names = creation.split(separator: "\"", maxSplits: 4)
        name = names.count > 3 ? String(names[3]) : ""
        let parts = creation.split(separator: "$function$", omittingEmptySubsequences: false)
        source = parts.count == 3 ? String(parts[1]) : ""
        digest = SHA256.hexadecimal(of: source)
    }

    /// Functions run with their owner's rights or serve the owner only: nobody else may call them unless he is granted to.
    package var revocation: String {
        "REVOKE ALL ON FUNCTION \(SQLFragment.quoted(LibrarySchema.name)).\(SQLFragment.quoted(name)) FROM PUBLIC"
    }
}
