import Foundation
import StrataModels
import Testing

@Suite("A predicate can be printed and taken apart")
struct PredicateTreeTests {
    @Test func printsTheClosureWithoutCapturedValues() {
        let secret = "Lyon"
        let other = #Predicate<Journey> { $0.name.localizedStandardContains(secret) }
        let predicate = #Predicate<Journey> { $0.name == secret && other.evaluate($0) }
        #expect(predicate.description.contains("{ $0.name == secret && other.evaluate($0) }"))
        #expect(!predicate.description.contains("Lyon"))
        #expect(!predicate.debugDescription.contains("Lyon"))
    }

    @Test func givesTheNodesWithTheirInput() throws {
        let predicate = #Predicate<Journey> { $0.name == "Paris" }
        let tree = PredicateTree(predicate)
        typealias Name = PredicateExpressions.KeyPath<PredicateExpressions.Variable<Journey>, String>
        typealias Comparison = PredicateExpressions.ExactStringComparison<Name, PredicateExpressions.Value<String>>
        let comparison = try #require(tree.expression as? Comparison)
        #expect(comparison.op == .equal)
        #expect(comparison.lhs.root.key == tree.variable.key)
        #expect(comparison.lhs.keyPath == \Journey.name)
        #expect(comparison.rhs.value == "Paris")
    }

    @Test func aPredicateMadeByHandIsItsOwnTree() {
        let predicate = Predicate<Journey> { PredicateExpressions.build_KeyPath(root: $0, keyPath: \.isOpen) }
        #expect(PredicateTree(predicate).variable.key == predicate.variable.key)
    }

    @Test func cannotBeArchivedAndSaysSo() {
        let predicate = #Predicate<Journey> { $0.isOpen }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(predicate.expression) }
    }

    @Test func leavesOtherTypesToFoundation() throws {
        struct Note { var text: String? }
        let predicate = #Predicate<Note> { $0.text == "a" }
        #expect(try predicate.evaluate(Note(text: "a")))
    }
}
