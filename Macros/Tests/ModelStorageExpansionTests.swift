import Testing

/// The stored properties that `@Model` declares behind those of the class.
struct ModelStorageExpansionTests {
    @Test("each form of property has its storage")
    func forms() {
        expectStorages(
            """
            var name: String
            var note: String?
            var mark: String!
            var `default`: Int
            var shape: any Shape & Codable = Square()
            var guests = [Guest]()
            @Attribute(.codable) var tags: [String: String] = [:]
            @Attribute(.transformable(by: PlaceTransformer.self)) var place: Place?
            var days = 1 { didSet { tell() } }
            let code: UUID
            """,
            """
            @exclusivity(unchecked) private final var _name = StrataModels._storage(of: String.self)
            private final var _$assigned_name: StrataModels._Assigned
            @exclusivity(unchecked) private final var _note = StrataModels._storage(of: String?.self)
            @exclusivity(unchecked) private final var _mark = StrataModels._storage(of: String?.self)
            @exclusivity(unchecked) private final var _default = StrataModels._storage(of: Int.self)
            private final var _$assigned_default: StrataModels._Assigned
            @exclusivity(unchecked) private final var _shape = StrataModels._storage(of: (any Shape & Codable).self)
            @exclusivity(unchecked) private final var _guests = StrataModels._storage(inferredFrom: [Guest]())
            @exclusivity(unchecked) private final var _tags = StrataModels._storage(codable: [String: String].self)
            @exclusivity(unchecked) private final var _place = StrataModels._storage(transformed: Place?.self, by: PlaceTransformer.self)
            @exclusivity(unchecked) private final var _days = StrataModels._storage(inferredFrom: 1)
            private final var _$observing_days = false
            @exclusivity(unchecked) private final var _code = StrataModels._storage(of: UUID.self)
            private final var _$assigned_code: StrataModels._Assigned
            """)
    }

    @Test("a transformer that is given by name has a type that stands for it")
    func transformerByName() {
        expectStorages(
            """
            @Attribute(.transformable(by: "PlaceTransformer")) var place: Place?
            """,
            """
            nonisolated private enum _$transformer_place: StrataModels.NamedTransformer {
                typealias Value = Place
                static let name = "PlaceTransformer"
            }
            @exclusivity(unchecked) private final var _place = StrataModels._storage(transformed: Place?.self, by: _$transformer_place.self)
            """)
    }

    @Test("several attributes are one, each option and each label once")
    func united() {
        let expansion = ModelMacroExpander(
            """
            @Model class Trip {
                @Attribute(.unique) @Attribute(.unique, .spotlight, originalName: "title") @Attribute(hashModifier: "2") var name = ""
            }
            """
        ).expansion
        #expect(
            expansion.contains(
                "metadata: .attribute(.unique, .spotlight, originalName: \"title\", hashModifier: \"2\")"),
            "\(expansion)")
    }

    @Test("an == of the class's own is what Equatable calls")
    func equality() {
        let source = """
            @Model public class Trip {
                var name = ""
                public static func == (lhs: Trip, rhs: Trip) -> Bool { lhs.name == rhs.name }
            }
            """
        let conformance = """
            nonisolated extension Trip: StrataModels.PersistentModel {
                @_implements(Equatable, ==(_:_:))
                public static func _$isEqual(_ lhs: Trip, _ rhs: Trip) -> Swift.Bool {
                    lhs == rhs
                }
            }
            """
        #expect(ModelMacroExpander(source).expansion.contains(conformance))
        #expect(!ModelMacroExpander(source, isSubclass: true).expansion.contains("_$isEqual"))
    }

    @Test("a < of the class's own is what Comparable calls, where the class states Comparable")
    func order() {
        func source(_ clause: String) -> String {
            """
            @Model final class Trip\(clause) {
                var name = ""
                static func < (lhs: Trip, rhs: Trip) -> Bool { lhs.name < rhs.name }
            }
            """
        }
        let conformance = """
            nonisolated extension Trip: StrataModels.PersistentModel {
                @_implements(Comparable, <(_:_:))
                static func _$isLess(_ lhs: Trip, _ rhs: Trip) -> Swift.Bool {
                    lhs < rhs
                }
            }
            """
        #expect(ModelMacroExpander(source(": Comparable")).expansion.contains(conformance))
        #expect(ModelMacroExpander(source(": Named, Swift.Comparable")).expansion.contains(conformance))
        #expect(!ModelMacroExpander(source("")).expansion.contains("_$isLess"))
        let subclass = ModelMacroExpander(source(": Journey, Comparable"), isSubclass: true).expansion
        #expect(subclass.contains(conformance.replacing(": StrataModels.PersistentModel", with: "")), "\(subclass)")
    }

    @Test("nobody makes a row of a view: its class needs no initializer")
    func view() {
        for name in ["DatabaseView", "Strata.DatabaseView"] {
            let expander = ModelMacroExpander("@Model final class Statistics: \(name) { var city: String }")
            #expect(expander.report == "")
            #expect(expander.expansion.contains("required init(_$blank _: StrataModels._Assigned)"))
        }
    }

    private func expectStorages(
        _ properties: String, _ storages: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let source = "@Model class Trip {\n\(properties)\ninit() {}\n}"
        let expander = ModelMacroExpander(source)
        let lines = storages.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
        #expect(expander.expansion.contains(lines), "\(expander.expansion)", sourceLocation: sourceLocation)
    }
}
