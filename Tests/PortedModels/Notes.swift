import Foundation
import SwiftData

@Model
class NoteFolder {
    var name: String
    var parent: NoteFolder?
    @Relationship(deleteRule: .cascade, inverse: \NoteFolder.parent) var children: [NoteFolder]
    @Relationship(deleteRule: .cascade, inverse: \Note.folder) var notes: [Note]

    init(name: String, parent: NoteFolder? = nil) {
        self.name = name
        self.parent = parent
        self.children = []
        self.notes = []
    }

    var path: String {
        if let parent { return parent.path + "/" + name }
        return name
    }
}

@Model
class Note {
    @Attribute(.unique) var id = UUID()
    var title: String = ""
    var content: String = ""
    var createdAt: Date = Date()
    var updatedAt: Date = Date()
    var isPinned: Bool = false
    var folder: NoteFolder?
    @Relationship(inverse: \NoteTag.notes) var tags: [NoteTag] = []

    init(title: String, content: String = "") {
        self.title = title
        self.content = content
    }

    var wordCount: Int { content.split(whereSeparator: \.isWhitespace).count }

    func touch() { updatedAt = .now }
}

@Model
class NoteTag {
    @Attribute(.unique) var name: String
    var notes: [Note] = []

    init(_ name: String) { self.name = name }
}

extension Note {
    static func predicate(searchText: String, pinnedOnly: Bool = false) -> Predicate<Note> {
        #Predicate<Note> { note in
            if pinnedOnly && !note.isPinned {
                return false
            } else if searchText.isEmpty {
                return true
            } else {
                return note.title.localizedStandardContains(searchText)
                    || note.content.localizedStandardContains(searchText)
                    || note.tags.contains { $0.name == searchText }
            }
        }
    }

    static var recent: FetchDescriptor<Note> {
        var descriptor = FetchDescriptor<Note>(sortBy: [SortDescriptor(\.updatedAt, order: .reverse)])
        descriptor.fetchLimit = 5
        return descriptor
    }
}

class NotesManager {
    private let context: ModelContext
    init(context: ModelContext) { self.context = context }

    func makeFolder(_ name: String, in parent: NoteFolder? = nil) -> NoteFolder {
        let folder = NoteFolder(name: name)
        context.insert(folder)
        folder.parent = parent
        return folder
    }

    func makeNote(_ title: String, _ content: String, in folder: NoteFolder? = nil, tags: [String] = []) throws -> Note
    {
        let note = Note(title: title, content: content)
        context.insert(note)
        note.folder = folder
        for name in tags {
            let existing = try context.fetch(FetchDescriptor<NoteTag>(predicate: #Predicate { $0.name == name })).first
            note.tags.append(existing ?? NoteTag(name))
        }
        return note
    }

    func search(_ text: String, pinnedOnly: Bool = false) throws -> [Note] {
        try context.fetch(
            FetchDescriptor(
                predicate: Note.predicate(searchText: text, pinnedOnly: pinnedOnly), sortBy: [SortDescriptor(\.title)]))
    }

    func notes(inFoldersNamed names: [String]) throws -> [Note] {
        try context.fetch(
            FetchDescriptor<Note>(
                predicate: #Predicate { note in
                    note.folder.flatMap { names.contains($0.name) } ?? false
                }, sortBy: [SortDescriptor(\.title)]))
    }

    func rootFolders() throws -> [NoteFolder] {
        try context.fetch(
            FetchDescriptor<NoteFolder>(
                predicate: #Predicate { $0.parent == nil },
                sortBy: [SortDescriptor(\.name, comparator: .localizedStandard)]))
    }

    func recentTitles() throws -> [String] { try context.fetch(Note.recent).map(\.title) }

    func deleteAllNotes() throws {
        try context.delete(model: Note.self)
        try context.save()
    }

    func save() {
        guard context.hasChanges else { return }
        do {
            try context.save()
        } catch {
            print("Could not save: \(error.localizedDescription)")
        }
    }
}
