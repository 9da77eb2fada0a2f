import StrataClient
import StrataContext

/// What a container has done while an expectation's closure ran.
struct ContainerRecording {
    var statements: [ObservedStatement] = []
    var roundTrips = 0
    /// Each lazy load, by the name of its call: `load Trip.owner`.
    var lazyLoads: [String] = []

    /// Those that have a name, in order: what begins and ends a transaction has none.
    var names: [String] { statements.compactMap(\.name) }

    /// The statements, one a line, for a person.
    var description: String {
        guard !statements.isEmpty else { return "  nothing" }
        return statements.map { statement in
            let name = statement.name.map { "\($0): " } ?? ""
            return "  \(name)\(statement.sql.replacing("\n", with: " "))"
        }.joined(separator: "\n")
    }
}

/// Runs an expectation's closure and records what the container does meanwhile, in whatever task or thread.
///
/// - Returns: the closure's result, and what was recorded; `nil` where nobody observes, which was reported.
func recording<Result>(
    _ container: ModelContainer, _ location: CallerLocation, _ body: () async throws -> Result
) async rethrows -> (Result, ContainerRecording?) {
    guard let observer = observer(of: container, location) else { return (try await body(), nil) }
    let number = observer.begin()
    do {
        let result = try await body()
        return (result, observer.end(number))
    } catch {
        _ = observer.end(number)
        throw error
    }
}

/// The same for a closure that blocks.
func recording<Result>(
    _ container: ModelContainer, _ location: CallerLocation, _ body: () throws -> Result
) rethrows -> (Result, ContainerRecording?) {
    guard let observer = observer(of: container, location) else { return (try body(), nil) }
    let number = observer.begin()
    do {
        let result = try body()
        return (result, observer.end(number))
    } catch {
        _ = observer.end(number)
        throw error
    }
}

private func observer(of container: ModelContainer, _ location: CallerLocation) -> ExpectationObserver? {
    for case let observer as ExpectationObserver in container.callObservers { return observer }
    location.report(
        "Nothing is known of this container's statements. Take one from withTestStore, or open it with "
            + "observers: [ExpectationObserver()].")
    return nil
}
