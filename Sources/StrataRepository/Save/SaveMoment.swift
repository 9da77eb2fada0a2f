/// Objects that others edit while a save is under way, shown as they were when it began.
///
/// A save plans more than once: after it knows which rows there are, and again when it lost a race. Each time it must write
/// the same.
package protocol SaveMoment {
    func asItBegan<Result>(_ body: () throws -> Result) rethrows -> Result
}

extension SaveRequest {
    func asItBegan<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let beginning else { return try body() }
        return try beginning.asItBegan(body)
    }
}
