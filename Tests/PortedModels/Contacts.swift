import Foundation
import SwiftData

// An address book: compound unique constraints, indexes, composite values, names with parts.

struct PostalAddress: Codable, Hashable, Sendable {
    struct Coordinate: Codable, Hashable, Sendable {
        var latitude, longitude: Double
    }

    var street: String
    var city: String
    var postalCode: String = ""
    var coordinate: Coordinate?
}

struct LabeledValue<Value: Codable & Hashable>: Codable, Hashable {
    enum Label: String, Codable { case home, work, other }

    var label: Label = .other
    var value: Value
}

extension LabeledValue: Sendable where Value: Sendable {}

@Model
final class Contact {
    #Unique<Contact>([\.id], [\.givenName, \.familyName, \.birthday])
    #Index<Contact>([\.familyName], [\.familyName, \.givenName])

    private(set) var id: UUID
    var givenName: String
    var familyName: String
    var nickname: String?
    var birthday: Date?
    var address: PostalAddress
    var emails: [LabeledValue<String>] = []
    var sites: [LabeledValue<URL>] = []
    var socials: [String: String] = [:]
    var nameParts: PersonNameComponents?
    @Attribute(.externalStorage) var portrait: Data?
    @Relationship(inverse: \ContactGroup.members) var groups: [ContactGroup]
    var partner: Contact?
    @Relationship(inverse: \Contact.partner) private var partnerOf: Contact?

    required init(givenName: String, familyName: String, address: PostalAddress, birthday: Date? = nil) {
        (id, self.givenName, self.familyName) = (UUID(), givenName, familyName)
        self.address = address
        self.birthday = birthday
        groups = []
    }

    convenience init?(line: String) {
        let parts = line.split(separator: ";").map(String.init)
        guard parts.count == 4 else { return nil }
        self.init(
            givenName: parts[0], familyName: parts[1], address: PostalAddress(street: parts[2], city: parts[3]))
    }

    @Transient lazy var initials: String = String(givenName.prefix(1) + familyName.prefix(1))

    var fullName: String { "\(givenName) \(familyName)" }

    subscript(social name: String) -> String? {
        get { socials[name] }
        set { socials[name] = newValue }
    }
}

extension Contact: CustomStringConvertible {
    var description: String { fullName }
}

@Model
final class ContactGroup {
    @Attribute(.unique) var name: String
    var colorIndex: Int16 = 0
    var members: [Contact] = []
    var isEmergency: Bool { name == "ICE" }

    init(name: String) { self.name = name }
}

class AddressBook {
    let context: ModelContext
    init(context: ModelContext) { self.context = context }

    func `import`(_ text: String) -> Int {
        let contacts = text.split(separator: "\n").compactMap { Contact(line: String($0)) }
        for contact in contacts { context.insert(contact) }
        return contacts.count
    }

    func search(_ words: String) throws -> [Contact] {
        try context.fetch(
            FetchDescriptor(
                predicate: #Predicate<Contact> {
                    words.isEmpty || $0.givenName.localizedStandardContains(words)
                        || $0.familyName.localizedStandardContains(words)
                        || ($0.nickname?.localizedStandardContains(words) ?? false)
                },
                sortBy: [SortDescriptor(\.familyName), SortDescriptor(\.givenName)]))
    }

    func living(in city: String, group: String? = nil) throws -> [Contact] {
        try context.fetch(
            FetchDescriptor<Contact>(
                predicate: #Predicate { contact in
                    contact.address.city == city
                        && (group == nil || contact.groups.contains(where: { $0.name == group! }))
                }, sortBy: [SortDescriptor(\Contact.familyName, order: .reverse)]))
    }

    func marry(_ one: Contact, _ other: Contact) {
        one.partner = other
        other.partner = one
    }
}
