/// Swift's names as PostgreSQL's: snake case, at most 63 bytes. Strings for tables and columns are made here and nowhere else.
package enum Naming {
    /// The bytes PostgreSQL keeps of an identifier (manual 4.1.1); longer ones would be cut without a word.
    package static let maximumBytes = 63

    /// The column of the key where no class says otherwise.
    package static let key = "pk"
    /// The column that says which class a row has, where no class says otherwise.
    package static let discriminator = "class"

    /// `BucketListItem` → `bucket_list_item`, `startURL2` → `start_url2`.
    package static func snakeCase(_ name: String) -> String {
        var result = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            if character.isUppercase {
                let previous = index > 0 ? characters[index - 1] : nil
                let next = index + 1 < characters.count ? characters[index + 1] : nil
                let startsWord =
                    previous.map { $0 != "_" && (!$0.isUppercase || next?.isLowercase == true) } ?? false
                if startsWord { result += "_" }
                result += character.lowercased()
            } else {
                result.append(character)
            }
        }
        return result
    }

    package static func table(_ entityName: String) -> String { bounded(snakeCase(entityName)) }
    package static func column(_ propertyName: String) -> String { bounded(snakeCase(propertyName)) }

    /// A name made of parts: `trip_name_key`.
    package static func joined(_ parts: String...) -> String { bounded(parts.joined(separator: "_")) }

    /// The name itself, or its beginning with a hash that is the same on every machine.
    package static func bounded(_ name: String, to maximumBytes: Int = maximumBytes) -> String {
        guard name.utf8.count > maximumBytes else { return name }
        // FNV-1a: stable for ever, as names in a database must be; Swift's own hash changes with every process.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let suffix = "_" + String(hash, radix: 36)
        var kept = ""
        for character in name {
            if kept.utf8.count + character.utf8.count + suffix.utf8.count > maximumBytes { break }
            kept.append(character)
        }
        return kept + suffix
    }
}
