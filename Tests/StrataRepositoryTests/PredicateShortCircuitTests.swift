import Foundation
import StrataModels
import StrataRepository
import Testing

/// What decides without a row is decided before SQL is made, in Swift's order; the other side is never translated.
@Suite struct PredicateShortCircuitTests {
    private let all = "FROM journey AS t0 WHERE TRUE"
    private let none = "FROM journey AS t0 WHERE FALSE"

    @Test(arguments: [nil, "Paris"] as [String?])
    func `A captured optional that is unwrapped behind its own test`(name: String?) {
        let byName = "FROM journey AS t0 WHERE t0.name = $1::text"
        let isNil = name == nil
        expectSQL(#Predicate<Journey> { name == nil || $0.name == name! }, isNil ? all : byName)
        expectSQL(#Predicate<Journey> { name != nil && $0.name == name! }, isNil ? none : byName)
        expectSQL(#Predicate<Journey> { name == nil ? true : $0.name == name! }, isNil ? all : byName)
        expectSQL(
            #Predicate<Journey> { !(name != nil && $0.name != name!) },
            isNil ? all : "FROM journey AS t0 WHERE NOT (t0.name <> $1::text)")
        expectSQL(#Predicate<Journey> { if let name { $0.name == name } else { true } }, isNil ? all : byName)
        expectSQL(
            #Predicate<Journey> { $0.isOpen && (name == nil || $0.name == name!) },
            isNil ? "FROM journey AS t0 WHERE t0.is_open" : "FROM journey AS t0 WHERE t0.is_open AND t0.name = $1::text"
        )
        let matches = #Predicate<Journey> { name == nil || $0.name == name! }
        expectSQL(#Predicate<Journey> { matches.evaluate($0) }, isNil ? all : byName)
    }

    @Test func `The side that is not reached needs no translation and no join`() {
        let (isOff, isOn) = (true, false)
        expectSQL(#Predicate<Journey> { isOff || $0.title == "x" }, all)
        expectSQL(#Predicate<Journey> { isOn && $0.title == "x" }, none)
        expectSQL(#Predicate<Journey> { isOff || $0.home?.city == "x" }, all)
        expectSQL(#Predicate<Journey> { isOff ? true : $0.title == "x" }, all)
        let limit: Int? = 3
        expectSQL(
            #Predicate<Journey> { if let limit { $0.rating > limit } else { $0.title == "x" } },
            "FROM journey AS t0 WHERE t0.rating > $1::bigint")
        let names: [String] = []
        expectSQL(#Predicate<Journey> { names.isEmpty || $0.name == names[0] }, all)
        let divisor = 0
        expectSQL(#Predicate<Journey> { divisor == 0 || $0.rating > 10 / divisor }, all)
    }

    @Test func `What a captured optional holds is computed before SQL is made`() {
        let text: String? = "Paris"
        let names: [String]? = ["a", "b"]
        let city = "FROM journey AS t0 WHERE t0.name = $1::text"
        expectSQL(#Predicate<Journey> { if let text { $0.name == text.lowercased() } else { true } }, city)
        expectSQL(#Predicate<Journey> { if let text { $0.name == text + text } else { true } }, city)
        expectSQL(#Predicate<Journey> { if let text { text.isEmpty || $0.name == text } else { true } }, city)
        expectSQL(#Predicate<Journey> { if let names { $0.name == names[1] } else { true } }, city)
        expectSQL(
            #Predicate<Journey> { if let names { names.contains("a") || $0.name == "x" } else { true } }, all)
    }

    @Test func `What Swift would reach is still refused`() {
        let name: String? = nil
        expectUnsupported(
            #Predicate<Journey> { $0.isOpen && $0.name == name! || name == nil }, .unsupportedPredicate, "! after nil")
        let isOff = true
        expectUnsupported(
            #Predicate<Journey> { $0.title == "x" || isOff }, .unsupportedKeyPath, "Journey has no column")
    }
}
