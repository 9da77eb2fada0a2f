import Foundation
import Strata

// A table of 16 columns, about 180 bytes a row, in the forms that the measured stages lead from and to.

enum FlatTrips {
    @Model class Trip {
        var name: String = ""
        var destination: String = ""
        var startDate: Date = Date.distantPast
        var endDate: Date = Date.distantPast
        var code: String = ""
        var purpose: String?
        var perDiem: Double?
        var budget: Double = 0
        var currency: String = ""
        var travelers: Int = 0
        var distance: Int = 0
        var isFavorite: Bool = false
        var rating: Int = 0
        var notes: String = ""
        var changed: Date = Date.distantPast
        init() {}
    }
}

enum SplitTrips {
    @Model class Trip {
        var name: String = ""
        var destination: String = ""
        var startDate: Date = Date.distantPast
        var endDate: Date = Date.distantPast
        var code: String = ""
        var budget: Double = 0
        var currency: String = ""
        var travelers: Int = 0
        var distance: Int = 0
        var isFavorite: Bool = false
        var rating: Int = 0
        var notes: String = ""
        var changed: Date = Date.distantPast
        init() {}
    }

    @Model final class BusinessTrip: Trip {
        var purpose: String?
        var perDiem: Double?
    }
}

enum PulledUpTrips {
    @Model class Trip {
        var name: String = ""
        var destination: String = ""
        var startDate: Date = Date.distantPast
        var endDate: Date = Date.distantPast
        var code: String = ""
        var purpose: String?
        var budget: Double = 0
        var currency: String = ""
        var travelers: Int = 0
        var distance: Int = 0
        var isFavorite: Bool = false
        var rating: Int = 0
        var notes: String = ""
        var changed: Date = Date.distantPast
        init() {}
    }

    @Model final class BusinessTrip: Trip {
        var perDiem: Double?
    }
}

enum RenamedTrips {
    @Model class Trip {
        var name: String = ""
        var destination: String = ""
        var startDate: Date = Date.distantPast
        var endDate: Date = Date.distantPast
        var code: String = ""
        var purpose: String?
        var perDiem: Double?
        var budget: Double = 0
        var currency: String = ""
        var travelers: Int = 0
        var distance: Int = 0
        var isFavorite: Bool = false
        var rating: Int = 0
        @Attribute(originalName: "notes") var remarks: String = ""
        var changed: Date = Date.distantPast
        init() {}
    }
}

enum RetypedTrips {
    @Model class Trip {
        var name: String = ""
        var destination: String = ""
        var startDate: Date = Date.distantPast
        var endDate: Date = Date.distantPast
        var code: Int = 0
        var purpose: String?
        var perDiem: Double?
        var budget: Double = 0
        var currency: String = ""
        var travelers: Int = 0
        var distance: Int = 0
        var isFavorite: Bool = false
        var rating: Int = 0
        var notes: String = ""
        var changed: Date = Date.distantPast
        init() {}
    }
}
