import StrataModels

extension RelatedModels {
    enum Plain {
        @Model class Trip {
            @Attribute(.unique) var code: String?
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
    }
    enum Cascading {
        @Model class Trip {
            var code: String?
            @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Business: Trip { var number: Int? }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
    }
    enum CascadingOne {
        @Model class Trip {
            var code: String?
            @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
    }
    enum Denying {
        @Model class Trip {
            var code: String?
            @Relationship(deleteRule: .deny, inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Business: Trip { var number: Int? }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
    }
    enum DenyingOne {
        @Model class Trip {
            var code: String?
            @Relationship(deleteRule: .deny, inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
    }
}
