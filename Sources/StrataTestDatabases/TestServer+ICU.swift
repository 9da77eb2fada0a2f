import StrataClient

extension TestServer {
    /// Whether the server was built with ICU, whose collations decide which texts are equal regardless of case. Debian's servers are, those of
    /// PyPI, which `make soak` fetches, are not: tests of such texts are skipped there, with this as the reason.
    ///
    /// ```swift
    /// @Test(.enabled(if: TestServer.hasICU, "a server built with ICU"))
    /// ```
    package static let hasICU: Bool = {
        var isThere = false
        let sql = "SELECT EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu')"
        do { try shared().runBlocking(sql) { isThere = try $0.decode(0, as: Bool.self) } } catch {
            // Whoever took this for a server without ICU would leave tests out.
            fatalError("Whether the server of the tests has ICU cannot be asked: \(error)")
        }
        return isThere
    }()
}
