import Foundation

/// Holds what an end of a relationship keeps alive, and lets go of it in a loop.
///
/// An object that is freed frees what its relationships hold, each within the other, so a chain that is long enough would overflow
/// the stack. Where a relay stands in the chain it hands over to the one that began. Only some ends have one (``stands(before:)``):
/// between two of them the stack holds what is freed.
@usableFromInline
package final class ReleaseRelay {
    /// What is held.
    enum Content {
        case object(any PersistentModel)
        case objects([AnyObject])
        case models([any PersistentModel])
    }

    /// `nil` only while it is freed.
    private(set) var content: Content?

    init(_ content: Content) { self.content = content }

    deinit {
        guard let content = content.take() else { return }
        Self.release(content)
    }

    // MARK: Which ends have one

    /// Whether an end that holds this object, or begins with it, has a relay: one of 32.
    ///
    /// Chosen by address, so that nothing is counted or noted anywhere. Mixed, because objects that are made one after the other lie
    /// at even distances (the finalizer of MurmurHash3). That 1,000 in a row have none is as likely as 1 to 10^14.
    static func stands(before object: AnyObject) -> Bool {
        var bits = UInt(bitPattern: ObjectIdentifier(object)) >> 4
        bits = (bits ^ bits >> 33) &* 0xff51_afd7_ed55_8ccd
        bits = (bits ^ bits >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return bits >> 59 == 0
    }

    // MARK: Letting go

    /// What is still to be let go of by the relay that began, on this thread.
    private final class Pending {
        var contents: [Content] = []
    }

    /// `nil` when the process has no more keys to give: then chains are freed as Swift frees them.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// Lets go of something, now or when what is freed further up the stack has been.
    static func release(_ content: consuming Content) {
        guard let key else { return }
        if let pending = pthread_getspecific(key) {
            // Set below, by this thread, for as long as it is in that function.
            Unmanaged<Pending>.fromOpaque(pending).takeUnretainedValue().contents.append(content)
            return
        }
        let pending = Pending()
        pthread_setspecific(key, Unmanaged.passUnretained(pending).toOpaque())
        pending.contents.append(content)
        while let next = pending.contents.popLast() { withExtendedLifetime(next) {} }
        pthread_setspecific(key, nil)
    }
}
