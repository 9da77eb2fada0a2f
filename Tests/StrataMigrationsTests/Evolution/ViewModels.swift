import StrataModels
import StrataRepository

/// Versions of a schema with a view, each a change of the one before.
enum ViewModels {
    enum Tables {
        @Model final class Trip {
            var city: String = ""
            var price: Int = 0
            var note: String?
            init() {}
        }
    }
    enum Counted {
        @Model final class Trip {
            var city: String = ""
            var price: Int = 0
            var note: String?
            init() {}
        }
        @Model final class CityStatistics: DatabaseView {
            static let definition: SQLStatement = """
                SELECT min(\(\Trip.persistentModelID)) AS \(column: \CityStatistics.persistentModelID), \
                \(\Trip.city) AS \(column: \CityStatistics.city), count(*) AS \(column: \CityStatistics.trips)
                FROM \(Trip.self) WHERE \(\Trip.city) <> \("it's") GROUP BY \(\Trip.city)
                """
            var city: String
            var trips: Int
        }
    }
    /// One column more, behind the others or not: who reads the older form can read this one.
    enum Summed {
        @Model final class Trip {
            var city: String = ""
            var price: Int = 0
            var note: String?
            init() {}
        }
        @Model final class CityStatistics: DatabaseView {
            static let definition: SQLStatement = """
                SELECT min(\(\Trip.persistentModelID)) AS \(column: \CityStatistics.persistentModelID), \
                sum(\(\Trip.price)) AS \(column: \CityStatistics.paid), \
                \(\Trip.city) AS \(column: \CityStatistics.city), count(*) AS \(column: \CityStatistics.trips)
                FROM \(Trip.self) GROUP BY \(\Trip.city)
                """
            var paid: Int
            var city: String
            var trips: Int
        }
    }
    /// The same view of a column that is called otherwise.
    enum Renamed {
        @Model final class Trip {
            @Attribute(originalName: "city") var town: String = ""
            var price: Int = 0
            var note: String?
            init() {}
        }
        @Model final class CityStatistics: DatabaseView {
            static let definition: SQLStatement = """
                SELECT min(\(\Trip.persistentModelID)) AS \(column: \CityStatistics.persistentModelID), \
                \(\Trip.town) AS \(column: \CityStatistics.city), count(*) AS \(column: \CityStatistics.trips)
                FROM \(Trip.self) GROUP BY \(\Trip.town)
                """
            var city: String
            var trips: Int
        }
    }
    /// The sum of a column that is of another type, and a view of the view.
    enum Retyped {
        @Model final class Trip {
            var city: String = ""
            var price: Double = 0
            var note: String?
            init() {}
        }
        @Model final class CityStatistics: DatabaseView {
            static let definition: SQLStatement = """
                SELECT min(\(\Trip.persistentModelID)) AS \(column: \CityStatistics.persistentModelID), \
                sum(\(\Trip.price)) AS \(column: \CityStatistics.paid), \
                \(\Trip.city) AS \(column: \CityStatistics.city), count(*) AS \(column: \CityStatistics.trips)
                FROM \(Trip.self) GROUP BY \(\Trip.city)
                """
            var paid: Double
            var city: String
            var trips: Int
        }
        @Model final class Best: DatabaseView {
            static let definition: SQLStatement = """
                SELECT \(\CityStatistics.persistentModelID) AS \(column: \Best.persistentModelID), \
                \(\CityStatistics.city) AS \(column: \Best.city)
                FROM \(CityStatistics.self) ORDER BY \(\CityStatistics.paid) DESC LIMIT 1
                """
            var city: String
        }
    }
    /// The same view, of which the server keeps the rows, and one that reads it.
    enum Kept {
        @Model final class Trip {
            var city: String = ""
            var price: Int = 0
            var note: String?
            init() {}
        }
        @Model final class CityStatistics: DatabaseView {
            static let isMaterialized = true
            static let definition: SQLStatement = """
                SELECT min(\(\Trip.persistentModelID)) AS \(column: \CityStatistics.persistentModelID), \
                \(\Trip.city) AS \(column: \CityStatistics.city), count(*) AS \(column: \CityStatistics.trips)
                FROM \(Trip.self) WHERE \(\Trip.city) <> \("it's") GROUP BY \(\Trip.city)
                """
            var city: String
            var trips: Int
        }
        @Model final class Best: DatabaseView {
            static let definition: SQLStatement = """
                SELECT \(\CityStatistics.persistentModelID) AS \(column: \Best.persistentModelID), \
                \(\CityStatistics.city) AS \(column: \Best.city)
                FROM \(CityStatistics.self) ORDER BY \(\CityStatistics.trips) DESC LIMIT 1
                """
            var city: String
        }
    }
    /// Another form of what the server keeps, and rows that it keeps of these.
    enum Totalled {
        @Model final class Trip {
            var city: String = ""
            var price: Int = 0
            var note: String?
            init() {}
        }
        @Model final class CityStatistics: DatabaseView {
            static let isMaterialized = true
            static let definition: SQLStatement = """
                SELECT min(\(\Trip.persistentModelID)) AS \(column: \CityStatistics.persistentModelID), \
                \(\Trip.city) AS \(column: \CityStatistics.city), count(*) AS \(column: \CityStatistics.trips), \
                sum(\(\Trip.price)) AS \(column: \CityStatistics.paid)
                FROM \(Trip.self) GROUP BY \(\Trip.city)
                """
            var city: String
            var trips: Int
            var paid: Int
        }
        @Model final class Best: DatabaseView {
            static let isMaterialized = true
            static let definition: SQLStatement = """
                SELECT \(\CityStatistics.persistentModelID) AS \(column: \Best.persistentModelID), \
                \(\CityStatistics.city) AS \(column: \Best.city)
                FROM \(CityStatistics.self) ORDER BY \(\CityStatistics.paid) DESC LIMIT 1
                """
            var city: String
        }
    }
    /// Properties are the key of the rows that the server keeps.
    enum Keyed {
        @Model final class Trip {
            var city: String = ""
            var price: Int = 0
            var note: String?
            init() {}
        }
        @Model final class CityStatistics: DatabaseView {
            #PrimaryKey<CityStatistics>([\.city, \.price])
            static let isMaterialized = true
            static let definition: SQLStatement = """
                SELECT \(\Trip.city) AS \(column: \CityStatistics.city), \(\Trip.price) AS \(column: \CityStatistics.price), \
                count(*) AS \(column: \CityStatistics.trips) FROM \(Trip.self) GROUP BY 1, 2
                """
            var trips: Int
            var city: String
            var price: Int
        }
    }
    /// The same rows, with another key.
    enum KeyedOtherwise {
        @Model final class Trip {
            var city: String = ""
            var price: Int = 0
            var note: String?
            init() {}
        }
        @Model final class CityStatistics: DatabaseView {
            #PrimaryKey<CityStatistics>([\.price, \.city])
            static let isMaterialized = true
            static let definition: SQLStatement = """
                SELECT \(\Trip.city) AS \(column: \CityStatistics.city), \(\Trip.price) AS \(column: \CityStatistics.price), \
                count(*) AS \(column: \CityStatistics.trips) FROM \(Trip.self) GROUP BY 1, 2
                """
            var trips: Int
            var city: String
            var price: Int
        }
    }
    /// A table that comes with rows that the server keeps of it.
    enum Invoiced {
        @Model final class Trip {
            var city: String = ""
            var price: Int = 0
            var note: String?
            init() {}
        }
        @Model final class Invoice {
            var city: String = ""
            var total: Int = 0
            init() {}
        }
        @Model final class InvoiceTotals: DatabaseView {
            static let isMaterialized = true
            static let definition: SQLStatement = """
                SELECT min(\(\Invoice.persistentModelID)) AS \(column: \InvoiceTotals.persistentModelID), \
                \(\Invoice.city) AS \(column: \InvoiceTotals.city), sum(\(\Invoice.total)) AS \(column: \InvoiceTotals.total)
                FROM \(Invoice.self) GROUP BY \(\Invoice.city)
                """
            var city: String
            var total: Int
        }
    }
    /// A table that comes with a view of it.
    enum Grown {
        @Model final class Trip {
            var city: String = ""
            var price: Int = 0
            var note: String?
            init() {}
        }
        @Model final class Guest {
            var name: String = ""
            init() {}
        }
        @Model final class GuestName: DatabaseView {
            static let definition: SQLStatement = """
                SELECT \(\Guest.persistentModelID) AS \(column: \GuestName.persistentModelID), \
                upper(\(\Guest.name)) AS \(column: \GuestName.name) FROM \(Guest.self)
                """
            var name: String
        }
    }
}
