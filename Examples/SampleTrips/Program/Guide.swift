import Foundation
import Strata

/// Somebody who shows the way: one attribute of each kind.
@Model
final class Guide {
    enum Level: Int, Codable {
        case apprentice = 1
        case master = 2
    }

    struct Address: Codable, Equatable {
        var street: String
        var city: String
    }

    @Attribute(.unique) var email: String
    var name: String
    var level: Level
    var languages: [String] = []
    var address: Address?
    var hourlyRate: Decimal = 0
    var website: URL?
    @Attribute(.externalStorage) var photo: Data?
    @Relationship(inverse: \Guide.mentor) var pupils: [Guide] = []
    var mentor: Guide?
    @Transient var isOnline = false

    init(email: String, name: String, level: Level) {
        self.email = email
        self.name = name
        self.level = level
    }
}
