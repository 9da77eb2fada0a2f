/// How calls about a class are named, in errors, traces and metrics. Made once a class: each call asks for its name, observed or not.
package struct CallNames: Sendable {
    package let fetch: String
    package let fetchWithLock: String
    package let fetchPage: String
    package let count: String
    package let identifiers: String
    package let values: String
    package let refresh: String

    init(of entity: String) {
        fetch = "fetch \(entity)"
        fetchWithLock = "fetch \(entity) with a lock"
        fetchPage = "fetch a page of \(entity)"
        count = "count \(entity)"
        identifiers = "identifiers of \(entity)"
        values = "values of \(entity)"
        refresh = "refresh \(entity)"
    }
}
