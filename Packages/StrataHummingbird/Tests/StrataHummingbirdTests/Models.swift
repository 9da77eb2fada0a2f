import Foundation
import Strata

/// What the tests' routes serve.
@Model class Tour {
    @Attribute(.unique) var name: String
    var destination: String
    var budget: Int = 0
    @Attribute(.hidden) var margin: Int = 7
    @Attribute(.externalStorage) var badge: Data?
    @Attribute(.hidden) var badgeType: String?
    @Relationship(deleteRule: .cascade, inverse: \Stop.tour) var stops: [Stop] = []

    init(_ name: String, _ destination: String, budget: Int = 0) {
        self.name = name
        self.destination = destination
        self.budget = budget
    }
}

@Model final class GuidedTour: Tour {
    var guide: String

    init(_ name: String, _ destination: String, guide: String) {
        self.guide = guide
        super.init(name, destination)
    }
}

@Model final class Stop {
    var title: String
    var tour: Tour?

    init(_ title: String) { self.title = title }
}
