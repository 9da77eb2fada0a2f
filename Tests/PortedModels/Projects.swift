import Foundation
import SwiftData

enum TaskPriority: Int, Codable, Comparable {
    case low, normal, high

    static func < (lhs: TaskPriority, rhs: TaskPriority) -> Bool { lhs.rawValue < rhs.rawValue }
}

@Model
final class Project {
    var name: String
    var details: String
    var deadline: Date?
    var isArchived = false
    var progress: Double = 0 {
        didSet {
            if progress > 1 { progress = 1 }
            if progress < 0 { progress = 0 }
        }
    }
    @Relationship(deleteRule: .cascade, inverse: \ProjectTask.project) var tasks = [ProjectTask]()

    init(name: String, details: String = "", deadline: Date? = nil) {
        self.name = name
        self.details = details
        self.deadline = deadline
    }

    func updateProgress() {
        let all = tasks
        guard !all.isEmpty else { return }
        progress = Double(all.filter(\.isDone).count) / Double(all.count)
    }
}

@Model
final class ProjectTask {
    var title: String
    var isDone: Bool = false {
        willSet {
            if newValue { completedTimes += 1 }
        }
        didSet {
            guard isDone != oldValue else { return }
            completedAt = isDone ? Date() : nil
        }
    }
    private(set) var completedAt: Date?
    private(set) var completedTimes = 0
    var priority: TaskPriority = TaskPriority.normal
    var dueDate: Date?
    var estimate: Int?
    var project: Project?
    var parent: ProjectTask?
    @Relationship(deleteRule: .cascade, inverse: \ProjectTask.parent) var subtasks: [ProjectTask]? = []
    @Relationship(inverse: \Assignee.tasks) var assignees: [Assignee]? = []
    @Relationship(deleteRule: .cascade, inverse: \TaskComment.task) var comments: [TaskComment]? = []

    init(_ title: String, priority: TaskPriority = .normal, dueDate: Date? = nil) {
        self.title = title
        self.priority = priority
        self.dueDate = dueDate
    }
}

@Model
final class Assignee {
    var name: String
    @Attribute(.unique) var email: String
    var tasks: [ProjectTask]?

    init(name: String, email: String) {
        self.name = name
        self.email = email
    }

    var initials: String {
        name.split(separator: " ").compactMap(\.first).map(String.init).joined()
    }
}

@Model
final class TaskComment {
    var text: String
    var date: Date
    var author: Assignee?
    var task: ProjectTask?

    init(_ text: String, by author: Assignee?, date: Date = .now) {
        self.text = text
        self.date = date
        self.author = author
    }
}

extension ProjectTask {
    static func overdue(on date: Date) -> Predicate<ProjectTask> {
        let future = Date.distantFuture
        return #Predicate<ProjectTask> { task in
            !task.isDone && (task.dueDate ?? future) < date
        }
    }

    static func assigned(to email: String) -> Predicate<ProjectTask> {
        #Predicate<ProjectTask> { task in
            task.assignees?.contains { $0.email == email } == true
        }
    }
}

final class ProjectManager {
    let context: ModelContext
    init(context: ModelContext) { self.context = context }

    func sample() throws -> Project {
        let project = Project(name: "Launch", deadline: Date(timeIntervalSince1970: 2_000_000))
        context.insert(project)
        let design = ProjectTask("Design", priority: .high, dueDate: Date(timeIntervalSince1970: 1_000_000))
        let build = ProjectTask("Build")
        let ada = Assignee(name: "Ada Lovelace", email: "ada@example.com")
        project.tasks = [design, build]
        design.subtasks = [ProjectTask("Logo"), ProjectTask("Colors")]
        design.assignees?.append(ada)
        design.comments?.append(TaskComment("Looks good", by: ada))
        try context.save()
        return project
    }

    func overdueTasks(on date: Date) throws -> [ProjectTask] {
        try context.fetch(FetchDescriptor(predicate: ProjectTask.overdue(on: date)))
    }

    func tasks(assignedTo email: String) throws -> [ProjectTask] {
        try context.fetch(FetchDescriptor(predicate: ProjectTask.assigned(to: email)))
    }

    func topLevel(of project: Project) throws -> [ProjectTask] {
        let id = project.persistentModelID
        return try context.fetch(
            FetchDescriptor<ProjectTask>(
                predicate: #Predicate { $0.parent == nil && $0.project?.persistentModelID == id },
                sortBy: [SortDescriptor(\.title)]))
    }

    func openCount(in project: Project) -> Int {
        project.tasks.filter { !$0.isDone }.count
    }
}
