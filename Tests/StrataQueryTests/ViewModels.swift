import Strata

/// What the voyages of a port come to.
@Model final class PortStatistics: DatabaseView {
    static let definition: SQLStatement = """
        SELECT min(\(\Voyage.persistentModelID)) AS \(column: \PortStatistics.persistentModelID), \
        \(\Voyage.homePort) AS \(column: \PortStatistics.port), count(*) AS \(column: \PortStatistics.voyages), \
        sum(\(\Voyage.price)) AS \(column: \PortStatistics.earned), \
        min(\(\Voyage.startDate)) AS \(column: \PortStatistics.firstStart), \
        min(\(\Voyage.persistentModelID)) AS \(column: \PortStatistics.firstVoyage)
        FROM \(Voyage.self) WHERE \(\Voyage.mood) <> \(Voyage.Mood.wild) GROUP BY \(\Voyage.homePort)
        """
    var port: String
    var voyages: Int
    var earned: Decimal?
    var firstStart: Date
    var firstVoyage: Voyage?
}

@Model final class StopName: DatabaseView {
    static let definition: SQLStatement = """
        SELECT \(\Stop.persistentModelID) AS \(column: \StopName.persistentModelID), \
        upper(\(\Stop.name)) AS \(column: \StopName.name) FROM \(Stop.self)
        """
    var name: String
    init(_ name: String) { self.name = name }
}

/// What the server keeps of the voyages of a port.
@Model final class PortReport: DatabaseView {
    static let isMaterialized = true
    static let definition: SQLStatement = """
        SELECT min(\(\Voyage.persistentModelID)) AS \(column: \PortReport.persistentModelID), \
        \(\Voyage.homePort) AS \(column: \PortReport.port), count(*) AS \(column: \PortReport.voyages)
        FROM \(Voyage.self) GROUP BY \(\Voyage.homePort)
        """
    var port: String
    var voyages: Int
}

enum WrongViews {
    @Model final class Named: DatabaseView {
        static let definition: SQLStatement = """
            SELECT \(\Stop.name) AS \(column: \Named.persistentModelID), \(\Stop.name) AS \(column: \Named.name) FROM \(Stop.self)
            """
        var name: String
    }
    @Model final class Meter {
        var serial: UInt64 = 0
        init() {}
    }
    @Model final class Metered: DatabaseView {
        static let definition: SQLStatement = """
            SELECT \(\Meter.serial) AS \(column: \Metered.persistentModelID), \(\Meter.serial) AS \(column: \Metered.serial) \
            FROM \(Meter.self)
            """
        var serial: UInt64
    }
    @Model final class Nameless: DatabaseView {
        static let definition: SQLStatement = "SELECT \(\Stop.persistentModelID) AS number FROM \(Stop.self)"
        var number: Int
    }
    @Model final class Indexed: DatabaseView {
        static let definition: SQLStatement = """
            SELECT \(\Stop.persistentModelID) AS \(column: \Indexed.persistentModelID), \
            \(\Stop.name) AS \(column: \Indexed.name) FROM \(Stop.self)
            """
        @Attribute(.unique) var name: String
    }
    @Model final class Circular: DatabaseView {
        static let definition: SQLStatement = """
            SELECT \(\Circular.persistentModelID) AS \(column: \Circular.persistentModelID) FROM \(Circular.self)
            """
        @Attribute(.ephemeral) var note: String = ""
    }
    @Model final class Holder {
        var statistics: PortStatistics?
        init() {}
    }
}
