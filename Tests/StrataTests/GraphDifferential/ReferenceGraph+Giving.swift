import StrataClient

/// A to-many relationship without an inverse: the badges of sites. There is room for one site in the row of a badge: of several
/// that claim it, the last has it, and the arrays of the others show it until the save.
extension ReferenceGraph {
    /// Whether a site has a badge in its array, as a context has it. Another one's array may show it too until the save.
    func hasGiven(_ badge: RowKey, to site: RowKey, _ c: Int) -> Bool {
        let own = contexts[c]
        if own.claimed[badge]?.contains(site) == true { return true }
        return gifts[badge] == site && own.withdrawn[badge]?.contains(site) != true
    }

    func canGive(_ badge: Int, to site: Int, _ c: Int) -> Bool {
        guard canReadGifts(site, c), let (key, object) = object(badge, c), object.row.kind == .badge else {
            return false
        }
        return rows[key] != nil || object.phase == .inserted
    }

    func canReadGifts(_ site: Int, _ c: Int) -> Bool {
        guard let (key, object) = object(site, c), object.row.kind == .site else { return false }
        return (rows[key] != nil || object.phase == .inserted) && !contexts[c].staleGifts.contains(key)
    }

    mutating func give(_ badge: RowKey, to site: RowKey, _ c: Int) {
        if !hasGiven(badge, to: site, c), contexts[c].withdrawn[badge]?.remove(site) == nil {
            contexts[c].claimed[badge, default: []].append(site)
        }
        dropEmptyClaims(c)
    }

    mutating func withdraw(_ badge: RowKey, from site: RowKey, _ c: Int) {
        if contexts[c].claimed[badge]?.contains(site) == true {
            contexts[c].claimed[badge]?.removeAll { $0 == site }
        } else if gifts[badge] == site {
            contexts[c].withdrawn[badge, default: []].insert(site)
        }
        dropEmptyClaims(c)
    }

    private mutating func dropEmptyClaims(_ c: Int) {
        contexts[c].claimed = contexts[c].claimed.filter { !$1.isEmpty }
        contexts[c].withdrawn = contexts[c].withdrawn.filter { !$1.isEmpty }
    }

    /// Badges are with the sites that they were with at another time, by unsaved changes.
    ///
    /// - Parameter known: the sites whose badges were in memory. Of others nobody knows what they have lost.
    mutating func giveBack(_ other: ReferenceGraph, known: Set<RowKey>, _ c: Int) {
        (contexts[c].claimed, contexts[c].withdrawn) = ([:], [:])
        for badge in Set(gifts.keys).union(other.gifts.keys) where gifts[badge] != other.gifts[badge] {
            if let site = gifts[badge] { contexts[c].withdrawn[badge] = [site] }
            if let site = other.gifts[badge], known.contains(site) { contexts[c].claimed[badge] = [site] }
        }
    }

    /// Taking edits back claims nothing that was claimed already.
    mutating func keepOrder(of later: [RowKey: [RowKey]], _ c: Int) {
        for (badge, sites) in contexts[c].claimed {
            let known = (later[badge] ?? []).filter(sites.contains)
            contexts[c].claimed[badge] = known + sites.filter { !known.contains($0) }
        }
    }

    /// Whether a site shows the badges that it must.
    func compareGifts(_ site: RowKey, _ keys: [RowKey], _ c: Int) -> String? {
        let own = contexts[c]
        var sure: Set<RowKey> = []
        var unsure: Set<RowKey> = []
        for badge in Set(gifts.keys).union(own.claimed.keys) {
            let phase = own.objects[badge]?.phase
            let isGone = rows[badge] == nil && phase != .inserted
            if phase == .deleted || isGone {
                unsure.insert(badge)
            } else if hasGiven(badge, to: site, c) {
                sure.insert(badge)
            }
        }
        // What others have deleted stays until the end is read again.
        for badge in keys where rows[badge] == nil && own.objects[badge]?.phase != .inserted { unsure.insert(badge) }
        if Set(keys).symmetricDifference(sure).isSubset(of: unsure), Set(keys).count == keys.count { return nil }
        return "the keys of \(numbers([site])) in context \(c) are \(numbers(keys)), not \(numbers(sure.sorted()))"
    }
}
