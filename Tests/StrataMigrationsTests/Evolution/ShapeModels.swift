import StrataModels

/// Hierarchies of up to four levels, in the shapes that they change between.
enum ShapeModels {
    enum Three {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip { var cost: Int? }
        @Model class Work: Paid { var purpose: String? }
    }
    enum Four {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip { var cost: Int? }
        @Model class Work: Paid { var purpose: String? }
        @Model class Talk: Work { var title: String? }
    }
    /// The title of the fourth level stands in the first.
    enum FourTitled {
        @Model class Trip {
            var name: String = ""
            var title: String?
            init() {}
        }
        @Model class Paid: Trip { var cost: Int? }
        @Model class Work: Paid { var purpose: String? }
        @Model class Talk: Work { var seats: Int? }
    }
    enum TitledAbove {
        @Model class Trip {
            var name: String = ""
            var title: Int?
            init() {}
        }
        @Model class Paid: Trip { var cost: Int? }
        @Model class Work: Paid { var purpose: String? }
    }
    enum TitledBelow {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip { var cost: Int? }
        @Model class Work: Paid {
            var purpose: String?
            var title: Int?
        }
    }
    /// The second level is gone.
    enum FourShort {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Work: Trip {
            var cost: Int?
            var purpose: String?
        }
        @Model class Talk: Work { var title: String? }
    }
    /// The third level has another name.
    enum FourNamed {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip { var cost: Int? }
        @Model class Business: Paid { var purpose: String? }
        @Model class Talk: Business { var title: String? }
    }
    /// The order of the two classes in the middle is the other one.
    enum FourTurned {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Work: Trip { var purpose: String? }
        @Model class Paid: Work { var cost: Int? }
    }
    enum Siblings {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip { var cost: Int? }
        @Model class Work: Trip { var purpose: String? }
    }
    enum Merged {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Paid: Trip {
            var cost: Int?
            var purpose: String?
        }
    }
    enum MergedAnew {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Job: Trip {
            var cost: Int?
            var purpose: String?
        }
    }
    enum Flat {
        @Model class Trip {
            var name: String = ""
            var cost: Int?
            var purpose: String?
            init() {}
        }
    }
    /// Split off and renamed at once.
    enum FlatNamed {
        @Model class Journey {
            @Attribute(originalName: "name") var label: String = ""
            var purpose: String?
            init() {}
        }
        @Model class Paid: Journey { @Attribute(originalName: "cost") var price: Int? }
    }
    enum Only {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
    }
    /// Two classes of their own, and a superclass above both.
    enum Apart {
        @Model class Paid {
            var name: String = ""
            var cost: Int?
            init() {}
        }
        @Model class Work {
            var name: String = ""
            var purpose: String?
            init() {}
        }
    }

    static let three = [
        "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 'a'), (2, 'Paid', 'b'), (3, 'Work', 'c')",
        "INSERT INTO paid (pk, cost) VALUES (2, 20), (3, 30)", "INSERT INTO work (pk, purpose) VALUES (3, 'p3')",
    ]
    static let four = [
        "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 'a'), (2, 'Paid', 'b'), (3, 'Work', 'c'), (4, 'Talk', 'd')",
        "INSERT INTO paid (pk, cost) VALUES (2, 20), (3, 30), (4, 40)",
        "INSERT INTO work (pk, purpose) VALUES (3, 'p3'), (4, 'p4')", "INSERT INTO talk (pk, title) VALUES (4, 't4')",
    ]
    static let siblings = [
        "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 'a'), (2, 'Paid', 'b'), (3, 'Work', 'c')",
        "INSERT INTO paid (pk, cost) VALUES (2, 20)", "INSERT INTO work (pk, purpose) VALUES (3, 'p3')",
    ]
    static let flat = [
        """
        INSERT INTO trip (pk, name, cost, purpose) VALUES
            (1, 'a', NULL, NULL), (2, 'b', 20, NULL), (3, 'c', NULL, 'p3'), (4, 'd', NULL, NULL)
        """
    ]
    static let apart = [
        "INSERT INTO paid (pk, name, cost) VALUES (2, 'b', 20)",
        "INSERT INTO work (pk, name, purpose) VALUES (3, 'c', 'p3')",
    ]
}
