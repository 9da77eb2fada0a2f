import StrataModels

/// Pairs of versions whose way back must keep what the way forward has moved.
enum WayBackModels {
    enum Direct {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Biz: Trip { var rate: Int? }
    }
    /// A class stands in the middle, and has taken the attribute.
    enum Inserted {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip { var rate: Int? }
        @Model class Biz: Paid {}
    }
    enum DirectRequired {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Biz: Trip { var rate: Int = 0 }
    }
    enum InsertedRequired {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip { var rate: Int = 0 }
        @Model class Biz: Paid {}
    }
    /// The attribute has another name in the class in the middle.
    enum InsertedRenamed {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip { @Attribute(originalName: "rate") var price: Int? }
        @Model class Biz: Paid {}
    }

    enum Flat {
        @Model class Trip {
            var name: String = ""
            var rate: Int?
            init() {}
        }
    }

    // MARK: A to-one changes sides

    enum Bearer {
        @Model class Person {
            var name: String = ""
            @Relationship(inverse: nil) var passport: Passport?
            init() {}
        }
        @Model class Passport {
            var number: String = ""
            init() {}
        }
    }
    enum Document {
        @Model class Person {
            var name: String = ""
            init() {}
        }
        @Model class Passport {
            var number: String = ""
            @Relationship(inverse: nil) var person: Person?
            init() {}
        }
    }
    enum BearerOfMany {
        @Model class Person {
            var name: String = ""
            @Relationship(inverse: nil) var passports: [Passport] = []
            init() {}
        }
        @Model class Passport {
            var number: String = ""
            init() {}
        }
    }

    enum Empty {
        @Model class Item {
            var note: String?
            var code: String = ""
            init() {}
        }
    }
    enum Full {
        @Model class Item {
            var note: String = "none"
            var code: Int = 0
            init() {}
        }
    }

    // MARK: A class comes under a superclass, or under another

    enum Alone {
        @Model class Trip {
            var name: String = ""
            var seats: Int
            init(seats: Int) { self.seats = seats }
        }
        @Model class Cruise {
            var deck: String?
            init() {}
        }
    }
    enum Joined {
        @Model class Trip {
            var name: String = ""
            var seats: Int
            init(seats: Int) { self.seats = seats }
        }
        @Model class Cruise: Trip { var deck: String? }
    }
    enum Apart {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip {
            var cost: Int
            init(cost: Int) {
                self.cost = cost
                super.init()
            }
        }
        @Model class Biz: Trip { var rate: Int? }
    }
    enum Moved {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip {
            var cost: Int
            init(cost: Int) {
                self.cost = cost
                super.init()
            }
        }
        @Model class Biz: Paid { var rate: Int? }
    }
}
