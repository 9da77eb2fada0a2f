import Testing

@testable import StrataModels

/// The objects of a to-many relationship, as they are kept.
struct MembersTests {
    private final class Object {}

    private func address(_ objects: [AnyObject]?) -> UnsafePointer<AnyObject>? {
        objects?.withUnsafeBufferPointer(\.baseAddress)
    }

    @Test("what is edited in place has an array of its own from the third edit on")
    func edits() {
        var members = Members((0..<40).map { _ in Object() })
        for round in 0..<6 {
            let spare = members.takeSpare()
            #expect((spare == nil) == (round < 2))
            var edited = spare ?? members.array ?? []
            #expect(edited.count == 40 + round)
            #expect((address(edited) == address(members.array)) == (round < 2))
            #expect(edited.elementsEqual(members.array ?? []) { $0 === $1 })
            edited.append(Object())
            let change = members.change(to: edited)
            members.replace(by: change)
            #expect(members.array?.count == 41 + round)
        }
    }

    @Test("what is done to the objects in another way is not done to that array")
    func others() {
        let objects = (0..<42).map { _ in Object() }
        var members = Members(Array(objects[..<40]))
        for object in objects[40...] {
            var edited = members.takeSpare() ?? members.array ?? []
            edited.append(object)
            let change = members.change(to: edited)
            members.replace(by: change)
        }
        members.append(Object())
        #expect(members.takeSpare() == nil)
        #expect(members.array?.count == 43)
        members.remove(objects[0])
        #expect(members.takeSpare() == nil)
        #expect(members.array?.count == 42)
    }
}
