import Foundation
import SwiftData

@Model
final class Conversation {
    @Attribute(.unique) var id: String
    var title: String?
    var lastActivity: Date
    @Relationship(inverse: \Participant.conversations) var participants: [Participant] = []
    @Relationship(deleteRule: .cascade, inverse: \Message.conversation) var messages: [Message] = []

    init(id: String = UUID().uuidString, title: String? = nil, participants: [Participant] = []) {
        self.id = id
        self.title = title
        self.lastActivity = .distantPast
        self.participants = participants
    }

    var lastMessage: Message? {
        messages.max { $0.sentAt < $1.sentAt }
    }
}

@Model
final class Participant {
    @Attribute(.unique) var handle: String
    var displayName: String
    var conversations: [Conversation] = []
    @Relationship(deleteRule: .nullify, inverse: \Message.sender) var messages: [Message] = []

    init(handle: String, displayName: String) {
        self.handle = handle
        self.displayName = displayName
    }
}

@Model
final class Message {
    enum Status: String, Codable {
        case sending, sent, read
    }

    var id = UUID()
    var text: String
    var sentAt: Date
    var status: Status = Status.sending
    var reactions: [Reaction] = []
    var sender: Participant?
    var conversation: Conversation?
    @Relationship(deleteRule: .cascade, inverse: \Attachment.message) var attachments: [Attachment] = []

    init(text: String, sentAt: Date = .now, sender: Participant? = nil) {
        self.text = text
        self.sentAt = sentAt
        self.sender = sender
    }
}

struct Reaction: Codable, Equatable {
    var emoji: String
    var by: String
}

@Model
class Attachment {
    var fileName: String
    var size: Int
    var message: Message?

    init(fileName: String, size: Int) {
        self.fileName = fileName
        self.size = size
    }
}

@available(iOS 26, macOS 26, *)
@Model
final class ImageAttachment: Attachment {
    var width: Int
    var height: Int

    init(fileName: String, size: Int, width: Int, height: Int) {
        self.width = width
        self.height = height
        super.init(fileName: fileName, size: size)
    }
}

@available(iOS 26, macOS 26, *)
@Model
final class VoiceAttachment: Attachment {
    var duration: Double
    var waveform: [Float] = []

    init(fileName: String, size: Int, duration: Double) {
        self.duration = duration
        super.init(fileName: fileName, size: size)
    }
}

final class ChatService {
    let context: ModelContext
    init(context: ModelContext) { self.context = context }

    func send(_ text: String, from sender: Participant, in conversation: Conversation, at date: Date) -> Message {
        let message = Message(text: text, sentAt: date, sender: sender)
        context.insert(message)
        message.conversation = conversation
        conversation.lastActivity = date
        return message
    }

    func messages(in conversation: Conversation, before date: Date, limit: Int) throws -> [Message] {
        let id = conversation.id
        var descriptor = FetchDescriptor<Message>(
            predicate: #Predicate { $0.conversation?.id == id && $0.sentAt < date },
            sortBy: [SortDescriptor(\.sentAt, order: .reverse)])
        descriptor.fetchLimit = limit
        descriptor.relationshipKeyPathsForPrefetching = [\.sender, \.attachments]
        return try context.fetch(descriptor).reversed()
    }

    func conversations(with handle: String) throws -> [Conversation] {
        try context.fetch(
            FetchDescriptor<Conversation>(
                predicate: #Predicate { conversation in conversation.participants.contains { $0.handle == handle } },
                sortBy: [SortDescriptor(\.lastActivity, order: .reverse)]))
    }

    func bigImages(over width: Int) throws -> [Attachment] {
        try context.fetch(
            FetchDescriptor<Attachment>(
                predicate: #Predicate {
                    if let image = $0 as? ImageAttachment {
                        return image.width > width
                    } else {
                        return false
                    }
                }))
    }

    func images() throws -> [Attachment] {
        try context.fetch(FetchDescriptor<Attachment>(predicate: #Predicate { $0 is ImageAttachment }))
    }
}
