// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import SwiftData

// A package of models for several targets: all is public, types are nested, initializers can fail.

public enum Clinic {
    @Model
    public final class Patient {
        @Attribute(.unique) public private(set) var number: String
        public var name: Name
        public internal(set) var admitted: Date?
        fileprivate var secret: String = ""
        @Relationship(deleteRule: .cascade, inverse: \Visit.patient) public var visits: [Visit] = []
        @Relationship(inverse: \Doctor.patients) public var doctors: [Doctor] = []

        public struct Name: Codable, Hashable, Sendable, CustomStringConvertible {
            public var given: String
            public var family: String
            public init(_ given: String, _ family: String) { (self.given, self.family) = (given, family) }
            public var description: String { "\(family), \(given)" }
        }

        public enum NumberError: Error, Equatable { case tooShort(Int) }

        public init(number: String, name: Name) throws {
            guard number.count >= 4 else { throw NumberError.tooShort(number.count) }
            self.number = number
            self.name = name
        }

        public convenience init?(record: [String: String]) {
            guard let number = record["number"], let given = record["given"], let family = record["family"] else {
                return nil
            }
            try? self.init(number: number, name: Name(given, family))
        }

        @discardableResult
        public func visit(_ doctor: Doctor, on date: Date, _ findings: Visit.Finding...) -> Visit {
            let visit = Visit(date: date, doctor: doctor, findings: findings)
            visits.append(visit)
            if !doctors.contains(doctor) { doctors.append(doctor) }
            return visit
        }
    }

    @Model
    public final class Doctor {
        public var name: String
        public var specialties: Set<Specialty> = [.general]
        public var patients: [Patient] = []
        @Relationship(deleteRule: .deny, inverse: \Visit.doctor) public var visits: [Visit] = []
        public init(name: String) { self.name = name }
    }
}

extension Clinic {
    public enum Specialty: String, Codable, CaseIterable, Sendable { case general, heart, skin }

    @Model
    public final class Visit {
        public var date: Date
        public var doctor: Doctor?
        public var patient: Patient?
        public var findings: [Finding]
        public var vitals: Vitals?

        public enum Finding: Codable, Hashable, Sendable {
            case healthy
            case fever(celsius: Double)
            case code(String, severity: Int? = nil)
        }

        public struct Vitals: Codable, Hashable, Sendable {
            public var pulse: ClosedRange<Int>
            public var pressure: Pressure?
            public struct Pressure: Codable, Hashable, Sendable { public var upper, lower: Int }
        }

        public init(date: Date, doctor: Doctor? = nil, findings: [Finding] = []) {
            self.date = date
            self.doctor = doctor
            self.findings = findings
        }
    }

    public typealias Models = (patient: Patient.Type, doctor: Doctor.Type, visit: Visit.Type)
    public static let schema = Schema([Patient.self, Doctor.self, Visit.self], version: Schema.Version(1, 2, 3))
}

public struct ClinicDesk {
    private let context: ModelContext

    public init(_ context: ModelContext) { self.context = context }

    public func admit(_ records: [[String: String]], at date: Date) throws -> Int {
        let patients = records.compactMap(Clinic.Patient.init(record:))
        for patient in patients {
            patient.admitted = date
            patient.secret = "none"
            context.insert(patient)
        }
        try context.save()
        return patients.count
    }

    public func patients(family: String) throws -> [Clinic.Patient] {
        try context.fetch(
            FetchDescriptor<Clinic.Patient>(
                predicate: #Predicate { $0.name.family == family && $0.admitted != nil })
        ).sorted(using: [KeyPathComparator(\.name.family), KeyPathComparator(\.name.given, order: .reverse)])
    }

    public func busiest() throws -> Clinic.Doctor? {
        try context.fetch(FetchDescriptor<Clinic.Doctor>()).max { $0.visits.count < $1.visits.count }
    }

    public func visits(to doctor: Clinic.Doctor, since date: Date) throws -> [Clinic.Visit] {
        let name = doctor.name
        return try context.fetch(
            FetchDescriptor<Clinic.Visit>(
                predicate: #Predicate { $0.doctor?.name == name && $0.date >= date },
                sortBy: [SortDescriptor(\.date), SortDescriptor(\.patient?.number)]))
    }

    public func withoutVisits() throws -> [String] {
        try context.fetch(
            FetchDescriptor<Clinic.Patient>(
                predicate: #Predicate { $0.visits.count == 0 && !$0.doctors.isEmpty == false })
        )
        .map { String(describing: $0.name) }
    }
}
