import Testing

/// What `@Model` declares for each access level, and where.
struct ModelAccessExpansionTests {
    @Test("members of a public class are public, of a final one static")
    func publicFinal() {
        expectSignatures(
            """
            @Model public final class Trip {
                public var name = ""
                public init() {}
            }
            """,
            """
            public final class Trip {
                @_PersistedProperty(0, "Trip", isSubclass: false)
                public var name = ""
                public init() {}
                public final let _$state = StrataModels.ModelState()
                @exclusivity(unchecked) private final var _name = StrataModels._storage(inferredFrom: "")
                public required init(_$blank _: StrataModels._Assigned) {
                public required convenience init(_$decoding row: inout StrataModels.RowReader) {
                public func _$decode(_ row: inout StrataModels.RowReader) {
                public func _$encode(_ row: inout StrataModels.RowWriter) {
                public func _$restore(_ originals: inout StrataModels.OriginalsReader) {
                public static func _$properties<_$Root: Trip>(rootedAt _: _$Root.Type) -> [StrataModels.Schema.PropertyMetadata] {
                public static var schemaMetadata: [StrataModels.Schema.PropertyMetadata] {
                public static var _$constraints: [StrataModels.Schema.ModelConstraint] {
                private static let _$ownDescriptor = StrataModels.ModelDescriptor(Trip.self, superclass: nil)
                public static var _$descriptor: StrataModels.ModelDescriptor {
                public static var _$slotCount: Swift.Int {
                private static let _$base: Swift.Int = 0
            nonisolated extension Trip: StrataModels.PersistentModel {
            @available(*, unavailable, message: "a model stays with its context: send its persistentModelID, or work in a ModelActor")
            extension Trip: Swift.Sendable {
            """
        )
    }

    @Test("members of an open class can be overridden in another module")
    func openClass() {
        expectSignatures(
            """
            @Model open class Trip {
                open var name = ""
                public init() {}
            }
            """,
            """
            open class Trip {
                @_PersistedProperty(0, "Trip", isSubclass: false)
                open var name = ""
                public init() {}
                public final let _$state = StrataModels.ModelState()
                @exclusivity(unchecked) private final var _name = StrataModels._storage(inferredFrom: "")
                public required init(_$blank _: StrataModels._Assigned) {
                public required convenience init(_$decoding row: inout StrataModels.RowReader) {
                open func _$decode(_ row: inout StrataModels.RowReader) {
                open func _$encode(_ row: inout StrataModels.RowWriter) {
                open func _$restore(_ originals: inout StrataModels.OriginalsReader) {
                public final class func _$properties<_$Root: Trip>(rootedAt _: _$Root.Type) -> [StrataModels.Schema.PropertyMetadata] {
                open class var schemaMetadata: [StrataModels.Schema.PropertyMetadata] {
                open class var _$constraints: [StrataModels.Schema.ModelConstraint] {
                private static let _$ownDescriptor = StrataModels.ModelDescriptor(Trip.self, superclass: nil)
                open class var _$descriptor: StrataModels.ModelDescriptor {
                open class var _$slotCount: Swift.Int {
                private static let _$base: Swift.Int = 0
            nonisolated extension Trip: StrataModels.PersistentModel {
            @available(*, unavailable, message: "a model stays with its context: send its persistentModelID, or work in a ModelActor")
            extension Trip: Swift.Sendable {
            """
        )
    }

    @Test("members of a package class are package")
    func packageClass() {
        expectSignatures(
            """
            @Model package class Trip {
                package init() {}
            }
            """,
            """
            package class Trip {
                package init() {}
                package final let _$state = StrataModels.ModelState()
                package required init(_$blank _: StrataModels._Assigned) {
                package required convenience init(_$decoding row: inout StrataModels.RowReader) {
                package func _$decode(_ row: inout StrataModels.RowReader) {
                package func _$encode(_ row: inout StrataModels.RowWriter) {
                package func _$restore(_ originals: inout StrataModels.OriginalsReader) {
                package final class func _$properties<_$Root: Trip>(rootedAt _: _$Root.Type) -> [StrataModels.Schema.PropertyMetadata] {
                package class var schemaMetadata: [StrataModels.Schema.PropertyMetadata] {
                package class var _$constraints: [StrataModels.Schema.ModelConstraint] {
                private static let _$ownDescriptor = StrataModels.ModelDescriptor(Trip.self, superclass: nil)
                package class var _$descriptor: StrataModels.ModelDescriptor {
                package class var _$slotCount: Swift.Int {
            nonisolated extension Trip: StrataModels.PersistentModel {
            @available(*, unavailable, message: "a model stays with its context: send its persistentModelID, or work in a ModelActor")
            extension Trip: Swift.Sendable {
            """
        )
    }

    @Test("a nested class is named by its path in the extensions only")
    func nested() {
        expectSignatures(
            """
            enum V1 {
                @available(*, deprecated)
                @Model final class Trip {
                    var note: String?
                    init() {}
                }
            }
            """,
            """
            enum V1 {
                @available(*, deprecated)
                final class Trip {
            @available(*, deprecated)
            nonisolated extension V1.Trip: StrataModels.PersistentModel {
            @available(*, unavailable, message: "a model stays with its context: send its persistentModelID, or work in a ModelActor")
            extension V1.Trip: Swift.Sendable {
            """
        )
    }
}
