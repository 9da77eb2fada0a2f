import Foundation
import SwiftData

enum Sunlight: String, Codable, CaseIterable { case full, partial, shade }

@Model
final class Plant {
    @Attribute(.unique) private(set) var id = UUID()
    var name: String
    var species: String?
    var sunlight: Sunlight?
    var wateringInterval: Int
    var isPublic: Bool = false
    var `default`: Bool = false
    @Relationship(deleteRule: .cascade, inverse: \Watering.plant) var waterings: [Watering] = []
    var bed: GardenBed?

    init(name: String, wateringInterval: Int = 7) {
        self.name = name
        self.wateringInterval = wateringInterval
    }

    var lastWatered: Date? { waterings.map(\.date).max() }

    func needsWater(on date: Date) -> Bool {
        guard let lastWatered else { return true }
        return date.timeIntervalSince(lastWatered) >= Double(wateringInterval) * 86_400
    }
}

@Model
final class Watering {
    var date: Date
    var liters: Double
    var plant: Plant?

    init(date: Date, liters: Double = 0.5) {
        self.date = date
        self.liters = liters
    }
}

@Model
final class GardenBed {
    var label: String
    var area: Double
    @Relationship(deleteRule: .nullify, inverse: \Plant.bed) var plants: [Plant]?

    init(label: String, area: Double) {
        self.label = label
        self.area = area
    }
}

/// A repository with a protocol, for tests with a fake.
protocol PlantRepository {
    func plants(in bed: GardenBed?) throws -> [Plant]
    func insert(_ plant: Plant) throws
    func delete(_ plant: Plant) throws
}

final class SwiftDataPlantRepository: PlantRepository {
    private let container: ModelContainer
    let context: ModelContext

    init(container: ModelContainer) {
        self.container = container
        self.context = ModelContext(container)
    }

    func plants(in bed: GardenBed?) throws -> [Plant] {
        let label = bed?.label
        return try context.fetch(
            FetchDescriptor<Plant>(predicate: #Predicate { $0.bed?.label == label }, sortBy: [SortDescriptor(\.name)]))
    }

    func insert(_ plant: Plant) throws {
        context.insert(plant)
        try context.save()
    }

    func delete(_ plant: Plant) throws {
        context.delete(plant)
        try context.save()
    }

    func plants(with sunlight: Sunlight) throws -> [Plant] {
        try context.fetch(FetchDescriptor<Plant>(predicate: #Predicate { $0.sunlight == sunlight }))
    }
}
