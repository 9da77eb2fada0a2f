import StrataModels

/// Trips with stops by each delete rule: stops that do not know their trip, and stops that need one.
enum RuleModels {
    enum HiddenNullify {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .nullify, inverse: nil) var stops: [Stop] = []
            init() {}
        }
        @Model class Stop {
            var title: String = ""
            init() {}
        }
    }
    enum RequiredNullify {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .nullify, inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Stop {
            var title: String = ""
            var trip: Trip
            init(trip: Trip) { self.trip = trip }
        }
    }
    enum BelowNullify {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .nullify, inverse: \Break.trip) var breaks: [Break] = []
            init() {}
        }
        @Model class Stop {
            var title: String = ""
            init() {}
        }
        @Model class Break: Stop { var trip: Trip? }
    }
    enum HiddenCascade {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: nil) var stops: [Stop] = []
            init() {}
        }
        @Model class Stop {
            var title: String = ""
            init() {}
        }
    }
    enum RequiredCascade {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Stop {
            var title: String = ""
            var trip: Trip
            init(trip: Trip) { self.trip = trip }
        }
    }
    enum BelowCascade {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Break.trip) var breaks: [Break] = []
            init() {}
        }
        @Model class Stop {
            var title: String = ""
            init() {}
        }
        @Model class Break: Stop { var trip: Trip? }
    }
    enum HiddenDeny {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .deny, inverse: nil) var stops: [Stop] = []
            init() {}
        }
        @Model class Stop {
            var title: String = ""
            init() {}
        }
    }
    enum RequiredDeny {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .deny, inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Stop {
            var title: String = ""
            var trip: Trip
            init(trip: Trip) { self.trip = trip }
        }
    }
    enum BelowDeny {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .deny, inverse: \Break.trip) var breaks: [Break] = []
            init() {}
        }
        @Model class Stop {
            var title: String = ""
            init() {}
        }
        @Model class Break: Stop { var trip: Trip? }
    }
    enum HiddenNoAction {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .noAction, inverse: nil) var stops: [Stop] = []
            init() {}
        }
        @Model class Stop {
            var title: String = ""
            init() {}
        }
    }
    enum RequiredNoAction {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .noAction, inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Stop {
            var title: String = ""
            var trip: Trip
            init(trip: Trip) { self.trip = trip }
        }
    }
    enum BelowNoAction {
        @Model class Trip {
            var name: String = ""
            @Relationship(deleteRule: .noAction, inverse: \Break.trip) var breaks: [Break] = []
            init() {}
        }
        @Model class Stop {
            var title: String = ""
            init() {}
        }
        @Model class Break: Stop { var trip: Trip? }
    }
}
