import Foundation
import SwiftData

protocol Named {
    var name: String { get }
}

@Model
class School: Named {
    var name: String
    var motto: String?
    @Relationship(deleteRule: .cascade, inverse: \Teacher.school) var teachers: [Teacher] = []
    @Relationship(deleteRule: .cascade, inverse: \Student.school) var students: [Student] = []

    init(name: String) { self.name = name }
}

@Model
class Teacher: Named {
    var name: String
    var subjects: Set<String> = []
    var school: School?
    @Relationship(deleteRule: .nullify, inverse: \Course.teacher) var courses: [Course] = []

    init(name: String) { self.name = name }
}

@Model
class Student: Named {
    var firstName: String
    var lastName: String
    var birthday: Date?
    @Attribute(.unique) var number: Int
    var school: School?
    @Relationship(inverse: \Course.students) var courses: [Course] = []
    @Relationship(deleteRule: .cascade, inverse: \Grade.student) var grades: [Grade] = []

    init(firstName: String, lastName: String, number: Int) {
        self.firstName = firstName
        self.lastName = lastName
        self.number = number
    }

    var name: String { "\(firstName) \(lastName)" }

    var average: Double? {
        grades.isEmpty ? nil : Double(grades.map(\.points).reduce(0, +)) / Double(grades.count)
    }
}

@Model
class Course {
    var code: String
    var title: String
    var credits: Int16 = 3
    var capacity: Int?
    var teacher: Teacher?
    var students: [Student] = []
    @Relationship(deleteRule: .cascade, inverse: \Grade.course) var grades: [Grade] = []

    init(code: String, title: String) {
        self.code = code
        self.title = title
    }
}

@Model
class Grade {
    var points: Int
    var student: Student
    var course: Course

    init(points: Int, student: Student, course: Course) {
        self.points = points
        self.student = student
        self.course = course
    }
}

enum SchoolSeeder {
    static func seed(_ context: ModelContext) throws {
        let school = School(name: "North")
        context.insert(school)
        let noether = Teacher(name: "E. Noether")
        noether.subjects = ["algebra", "physics"]
        school.teachers.append(noether)
        let algebra = Course(code: "M1", title: "Algebra")
        algebra.teacher = noether
        let history = Course(code: "H1", title: "History")
        context.insert(history)
        for (index, name) in ["Ann", "Bob", "Cem", "Dua"].enumerated() {
            let student = Student(firstName: name, lastName: "X", number: index)
            student.school = school
            student.courses.append(algebra)
            if index.isMultiple(of: 2) { student.courses.append(history) }
            context.insert(Grade(points: 10 + index, student: student, course: algebra))
        }
        try context.save()
    }
}

final class SchoolViewModel {
    var modelContext: ModelContext
    var students = [Student]()
    var minimumPoints = 0

    init(modelContext: ModelContext) {
        self.modelContext = modelContext
        fetchData()
    }

    func fetchData() {
        do {
            let minimum = minimumPoints
            let descriptor = FetchDescriptor<Student>(
                predicate: #Predicate { student in
                    minimum == 0 || student.grades.contains { $0.points >= minimum }
                },
                sortBy: [SortDescriptor(\.lastName), SortDescriptor(\.firstName)])
            students = try modelContext.fetch(descriptor)
        } catch {
            print("Fetch failed")
        }
    }

    func courses(taughtBy name: String) throws -> [Course] {
        try modelContext.fetch(FetchDescriptor<Course>(predicate: #Predicate { $0.teacher?.name == name }))
    }

    func fullCourses(atLeast count: Int) throws -> [Course] {
        try modelContext.fetch(
            FetchDescriptor<Course>(
                predicate: #Predicate { $0.students.count >= count }, sortBy: [SortDescriptor(\.code)]))
    }

    func students(numbered numbers: Set<Int>) throws -> [Student] {
        let wanted = Array(numbers)
        return try modelContext.fetch(
            FetchDescriptor<Student>(
                predicate: #Predicate { wanted.contains($0.number) }, sortBy: [SortDescriptor(\.number)]))
    }

    func expel(_ student: Student) throws {
        modelContext.delete(student)
        try modelContext.save()
        fetchData()
    }
}
