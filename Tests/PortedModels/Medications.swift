import Foundation
import SwiftData

@Model
final class Medication {
    @Attribute(.unique) let id: UUID
    let createdAt: Date
    var name: String
    var dosage: Measure
    var isActive: Bool = true
    @Relationship(deleteRule: .cascade, inverse: \Dose.medication) var doses: [Dose] = []
    @Relationship(deleteRule: .cascade, inverse: \MedicationSchedule.medication) var schedule: MedicationSchedule?

    init(id: UUID = UUID(), createdAt: Date = .now, name: String, dosage: Measure) {
        self.id = id
        self.createdAt = createdAt
        self.name = name
        self.dosage = dosage
    }

    struct Measure: Codable, Hashable {
        var value: Double
        var unit: Unit

        enum Unit: String, Codable, CaseIterable {
            case milligram = "mg"
            case milliliter = "ml"
        }
    }
}

@Model
final class Dose {
    let takenAt: Date
    var amount: Double
    var skipped: Bool
    var medication: Medication?

    init(takenAt: Date, amount: Double, skipped: Bool = false) {
        self.takenAt = takenAt
        self.amount = amount
        self.skipped = skipped
    }
}

@Model
final class MedicationSchedule {
    var weekdays: [Int]
    var times: [Date]
    var remindsBefore: TimeInterval?
    var timeZone: String = "UTC"
    var medication: Medication?

    init(weekdays: [Int] = Array(1...7), times: [Date] = []) {
        self.weekdays = weekdays
        self.times = times
    }
}

final class MedicationStore {
    private let context: ModelContext
    init(_ context: ModelContext) { self.context = context }

    func add(_ name: String, _ value: Double, _ unit: Medication.Measure.Unit) -> Medication {
        let medication = Medication(name: name, dosage: .init(value: value, unit: unit))
        context.insert(medication)
        return medication
    }

    func take(_ medication: Medication, at date: Date) {
        let dose = Dose(takenAt: date, amount: medication.dosage.value)
        context.insert(dose)
        medication.doses.append(dose)
    }

    func medication(with id: UUID) throws -> Medication? {
        try context.fetch(FetchDescriptor<Medication>(predicate: #Predicate { $0.id == id })).first
    }

    func doses(since date: Date) throws -> [Dose] {
        try context.fetch(
            FetchDescriptor<Dose>(
                predicate: #Predicate { $0.takenAt >= date && !$0.skipped },
                sortBy: [SortDescriptor(\.takenAt, order: .reverse)]))
    }

    func lastDose(of medication: Medication) throws -> Dose? {
        let id = medication.id
        var descriptor = FetchDescriptor<Dose>(
            predicate: #Predicate { $0.medication?.id == id }, sortBy: [SortDescriptor(\.takenAt, order: .reverse)])
        descriptor.fetchLimit = 1
        return try context.fetch(descriptor).first
    }

    func save() throws { try context.save() }
}
