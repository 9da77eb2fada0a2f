/// An array of objects as an object stores it: what it keeps alive is freed without overflowing the stack (``ReleaseRelay``).
enum HeldObjects {
    case plain([AnyObject]?)
    case relayed(ReleaseRelay)

    init(_ objects: [AnyObject]?) {
        if let objects, let first = objects.first, ReleaseRelay.stands(before: first) {
            self = .relayed(ReleaseRelay(.objects(objects)))
        } else {
            self = .plain(objects)
        }
    }

    var objects: [AnyObject]? {
        switch self {
        case .plain(let objects): return objects
        case .relayed(let relay):
            guard case .objects(let objects)? = relay.content else { return nil }
            return objects
        }
    }
}
