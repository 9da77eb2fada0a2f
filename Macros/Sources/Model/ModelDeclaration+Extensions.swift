import SwiftSyntax

extension ModelDeclaration {
    /// The conformances the class does not have yet.
    func extensions(of type: String, conformingTo protocols: [TypeSyntax]) -> [String] {
        let missing = Set(protocols.compactMap { $0.lastToken(viewMode: .sourceAccurate)?.text })
        return (missing.contains("PersistentModel") ? [conformance(of: type)] : inheritedConformance(of: type))
            + (missing.contains("Sendable") ? [unsendability(of: type)] : [])
    }

    private func conformance(of type: String) -> String {
        // In a module whose declarations belong to the main actor by default, the extension would too.
        """
        \(availabilityLines)nonisolated extension \(type): StrataModels.PersistentModel {
        \(declaresEquality ? equality(of: type) : "")\(declaresOrder ? order(of: type) : "")}
        """
    }

    /// What a class adds whose superclass is a model.
    private func inheritedConformance(of type: String) -> [String] {
        declaresOrder ? ["\(availabilityLines)nonisolated extension \(type) {\n\(order(of: type))}"] : []
    }

    /// Leads `Equatable` to the class's own `==`. The compiler, which looks for it while the extension is not there yet for it, cannot
    /// tell that one from the one that every model has.
    private func equality(of type: String) -> String {
        """
            @_implements(Equatable, ==(_:_:))
            \(access.member)static func _$isEqual(_ lhs: \(type), _ rhs: \(type)) -> Swift.Bool {
                lhs == rhs
            }

        """
    }

    /// Leads `Comparable` to the class's own `<`. Looking for it, the compiler has the members `@Model` adds written, and finds
    /// the class's own twice.
    private func order(of type: String) -> String {
        """
            @_implements(Comparable, <(_:_:))
            \(access.member)static func _$isLess(_ lhs: \(type), _ rhs: \(type)) -> Swift.Bool {
                lhs < rhs
            }

        """
    }

    private func unsendability(of type: String) -> String {
        """
        @available(*, unavailable, message: "a model stays with its context: send its persistentModelID, or work in a ModelActor")
        extension \(type): Swift.Sendable {
        }
        """
    }

    private var availabilityLines: String { availability.map { "\($0.trimmedDescription)\n" }.joined() }
}
