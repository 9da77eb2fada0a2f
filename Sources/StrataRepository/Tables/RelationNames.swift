/// Names for constraints and indexes, as PostgreSQL itself would choose them: `trip_pkey`, `trip_name_key`,
/// `trip_start_date_idx`.
///
/// Tables and indexes share one name space in a schema. A name that is taken gets a number, as PostgreSQL does it, so the
/// names depend on the definition alone.
struct RelationNames {
    private var taken: Set<String>

    init(taken: [String]) {
        self.taken = Set(taken)
    }

    /// A name for what spans these columns: `trip`, `["name", "start_date"]`, `key` → `trip_name_start_date_key`.
    mutating func name(_ table: String, _ columns: [String], _ label: String) -> String {
        let stem = ([table] + columns).joined(separator: "_")
        var candidate = Naming.joined(stem, label)
        var number = 1
        while !taken.insert(candidate).inserted {
            candidate = Naming.joined(stem, label + "\(number)")
            number += 1
        }
        return candidate
    }
}
