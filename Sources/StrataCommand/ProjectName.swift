import ArgumentParser

/// The name of a package and of its program, and the beginning of its modules' names.
struct ProjectName {
    let text: String
    /// For a user, a database and an image.
    var lowercased: String { text.lowercased() }

    /// - Throws: `ValidationError` for what is no name of a module, or is another module's already.
    init(_ text: String) throws {
        guard let first = text.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first),
            text.utf8.allSatisfy({ $0 < 128 && Character(UnicodeScalar($0)).isLetter || Self.isDigit($0) }),
            text.utf8.count <= 40
        else {
            throw ValidationError(
                "\"\(text)\" is no name for a package: a capital letter, then letters and digits of ASCII, 40 at most, as in Shop."
            )
        }
        guard !Self.taken.contains(text) else {
            throw ValidationError("\(text) is the name of a module that the package uses. Choose another one.")
        }
        self.text = text
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Modules that the package's programs and tests import, and names of its own.
    private static let taken: Set<String> = [
        "Swift", "Foundation", "Testing", "XCTest", "Strata", "StrataTesting", "StrataMigrationTool", "SwiftData",
        "Product", "Order", "Catalog", "OrderError", "Sample",
    ]
}
