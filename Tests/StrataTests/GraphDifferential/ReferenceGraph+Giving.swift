/// A to-many relationship without an inverse: the badges of sites. There is room for one site in the row of a badge.
extension ReferenceGraph {
    /// The site that a badge is given to, as a context has it.
    func giver(of badge: Int64, _ c: Int) -> Int64? {
        if let gift = contexts[c].given[badge] { return gift.site }
        return gifts[badge]
    }

    /// Whether a badge can come to a site. One that another site has would stay in that one's array until the save.
    func canGive(_ badge: Int, to site: Int, _ c: Int) -> Bool {
        guard canReadGifts(site, c), let (key, object) = object(badge, c), object.row.kind == .badge,
            rows[key] != nil || object.phase == .inserted
        else { return false }
        return giver(of: key, c).map { $0 == names[site] } ?? true
    }

    func canReadGifts(_ site: Int, _ c: Int) -> Bool {
        guard let (key, object) = object(site, c), object.row.kind == .site else { return false }
        return (rows[key] != nil || object.phase == .inserted) && !contexts[c].staleGifts.contains(key)
    }

    mutating func give(_ badge: Int64, to site: Int64?, _ c: Int) {
        let before = contexts[c].given[badge].map(\.before) ?? gifts[badge]
        contexts[c].given[badge] = site == before ? nil : .init(site: site, before: before)
        // The end was loaded first, and with it those of other objects of the same fetch.
        for key in contexts[c].objects.keys { contexts[c].objects[key]?.mayBeReread = true }
    }

    /// Whether a site shows the badges that it must.
    func compareGifts(_ site: Int64, _ keys: [Int64], _ c: Int) -> String? {
        let own = contexts[c]
        var sure: Set<Int64> = []
        var unsure: Set<Int64> = []
        for badge in Set(gifts.keys).union(own.given.keys) {
            let phase = own.objects[badge]?.phase
            let isGone = rows[badge] == nil && phase != .inserted
            if phase == .deleted || isGone {
                unsure.insert(badge)
            } else if giver(of: badge, c) == site {
                sure.insert(badge)
            }
        }
        // What others have deleted stays until the end is read again.
        for badge in keys where rows[badge] == nil && own.objects[badge]?.phase != .inserted { unsure.insert(badge) }
        if Set(keys).symmetricDifference(sure).isSubset(of: unsure), Set(keys).count == keys.count { return nil }
        return "the keys of \(numbers([site])) in context \(c) are \(numbers(keys)), not \(numbers(sure.sorted()))"
    }
}
