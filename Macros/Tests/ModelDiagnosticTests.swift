import Testing

/// Every wrong use of `@Model` and the macros that go with it, as a table: source, report.
struct ModelDiagnosticTests {
    @Test("reports the misuse at its token", arguments: ModelMisuse.all)
    func reports(misuse: ModelMisuse) {
        let expander = ModelMacroExpander(misuse.source, isSubclass: misuse.isSubclass)
        #expect(expander.report == misuse.report)
        if let fixed = misuse.fixed { #expect(expander.fixed.first == fixed) }
    }

    @Test("what SwiftData's macros pass over in silence is a warning, which stops no build")
    func severities() {
        let sources =
            ModelMisuse.places.dropLast().map(\.source) + ["@Model final class Trip: @unchecked Sendable { init() {} }"]
        for source in sources {
            let expander = ModelMacroExpander(source)
            #expect(!expander.report.isEmpty)
            #expect(!expander.hasErrors, "\(source)")
        }
        #expect(ModelMacroExpander("extension Trip { @Transient var title: String { name } }").report == "")
    }

    @Test("reports nothing for what is right")
    func acceptsEveryForm() {
        let source = """
            @Model(table: "trips", keyColumn: "id", classColumn: "kind", keyConstraint: "pk_trips") public class Trip: Codable {
                #Unique<Trip>([\\.name, \\.startDate], [\\.code])
                #Unique<Trip>([\\.code]) { $0.endDate == nil }
                #Unique<Trip>([\\.code], [\\.name], where: { $0.kind == .open })
                #Index<Trip>([\\.startDate])
                #Index<Trip>(.binary([\\.startDate]), .rtree([\\.place]))
                #Index<Trip>(.binary([\\.startDate], including: [\\.name]), where: { $0.kind == .open && $0.b != Kind.done })
                #Index<Trip>([\\.startDate]) { $0.both2 != "" }
                #Index<Trip>(.sorted([.key(\\.startDate, order: .reverse, nils: .last), .lowercased(\\.name)]))
                #Check<Trip>("named", name: "trips are named") { trip in !trip.name.isEmpty && trip.name != "\\u{e9}" }
                @Attribute(.unique, .preserveValueOnDeletion, originalName: "title", hashModifier: "2") var name: String
                @Attribute(.externalStorage) var photo: Data?
                @Attribute(.transformable(by: PlaceTransformer.self)) var place: Place
                @Attribute(.transformable(by: "ColorTransformer")) var color: Color?
                @Attribute(.unique) @Attribute(.unique, .spotlight, originalName: "key") var both2: String
                @Attribute(.codable) var notes: [String: String] = [:]
                @Attribute(.ephemeral) var isOpen = false
                @Relationship(deleteRule: .cascade, minimumModelCount: 1, maximumModelCount: 3, inverse: \\Item.trip)
                var items: [Item] = []
                @Relationship(.unique) var owner: Person?
                @Transient var cache: [Int: String] = [:]
                @Transient var last: Int?
                @Transient lazy var slow = 1
                @Transient var observed = 1 { didSet { print(oldValue) } }
                @Transient var title: String { name }
                @available(*, deprecated) var old = 1
                private var secret = 1
                var watched = 1 { willSet { print(newValue) } didSet(old) { print(old) } }
                public private(set) var count = 1
                var `default` = 1
                var code: String = ""
                var pk = 1
                var `class` = ""
                @Attribute(.unique, column: "legacy_no", originalName: "no") var number = 1
                @Relationship(deleteRule: .deny, column: "boss_id", constraint: "fk_boss", originalName: "chief") var boss: Person?
                @Relationship(table: "trip_guest", column: "trip_id", inverseColumn: "guest_id", inverse: \\Person.trips)
                var guests: [Person] = []
                @Attribute(column: nil) var unnamed = 1
                let constant = 1, other = 2
                static let shared = 1
                class var kind: String { "" }
                var computed: Int { 1 }
                var both: Int { get { 1 } set { } }
                #if DEBUG
                @Transient var trace = 1
                func dump() {}
                #endif
                enum Kind { case a }
                init(name: String, place: Place, startDate: Date) { }
            }
            """
        #expect(ModelMacroExpander(source).report == "")
    }
}
