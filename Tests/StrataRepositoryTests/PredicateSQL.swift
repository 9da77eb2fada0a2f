import Foundation
import StrataModels
import StrataRepository
import Testing

/// `FROM … WHERE …` of a predicate. Parameters show their place and type; the schema's name is left out.
func conditionSQL<T: PersistentModel>(
    _ predicate: Predicate<T>, mapping: StoreMapping = PredicateModels.mapping
) throws -> String {
    let entity = try #require(mapping.entity(for: T.self))
    let scope = TableScope(entity, .stored, aliases: AliasGenerator())
    let condition = try PredicateTranslator(mapping: mapping).condition(predicate, on: scope)
    return short("\(scope.from) WHERE \(condition)")
}

/// `FROM … ORDER BY …` of sort descriptors.
func orderSQL<T: PersistentModel>(_ sort: SortDescriptor<T>...) throws -> String {
    let entity = try #require(PredicateModels.mapping.entity(for: T.self))
    let scope = TableScope(entity, .stored, aliases: AliasGenerator())
    let terms = try PredicateTranslator(mapping: PredicateModels.mapping).order(sort, on: scope).map { $0.sql() }
    return short("\(scope.from) ORDER BY \(terms.joined(separator: ", "))")
}

private func short(_ sql: SQLFragment) -> String {
    sql.text.replacing("\"public\".", with: "").replacing("\"", with: "")
}

/// Compares the SQL of a predicate with what is written below it; a difference shows the text to paste.
func expectSQL<T: PersistentModel>(
    _ predicate: Predicate<T>, _ sql: String, mapping: StoreMapping = PredicateModels.mapping,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    do {
        let text = try conditionSQL(predicate, mapping: mapping)
        #expect(text == sql.replacing("\n", with: " "), sourceLocation: sourceLocation)
    } catch {
        Issue.record("\(error)", sourceLocation: sourceLocation)
    }
}

/// Expects that a predicate is refused with this code and text.
func expectUnsupported<T: PersistentModel>(
    _ predicate: Predicate<T>, _ code: SwiftDataError.Code, _ message: String,
    mapping: StoreMapping = PredicateModels.mapping, sourceLocation: SourceLocation = #_sourceLocation
) {
    do {
        let text = try conditionSQL(predicate, mapping: mapping)
        Issue.record("translated to \(text)", sourceLocation: sourceLocation)
    } catch let error as SwiftDataError {
        #expect(error.code == code, sourceLocation: sourceLocation)
        #expect(error.message.hasPrefix(message), sourceLocation: sourceLocation)
    } catch {
        Issue.record("\(error)", sourceLocation: sourceLocation)
    }
}
