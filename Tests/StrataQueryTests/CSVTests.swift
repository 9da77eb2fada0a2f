import Foundation
import Strata
import StrataModelTestSupport
import Synchronization
import Testing

@Model final class Entry {
    enum Grade: Int, Codable, CSVValue { case low, high }

    var text: String
    var note: String?
    var count: Int
    var ratio: Double
    var price: Decimal
    var time: Date
    var isOpen: Bool
    var token: UUID
    var link: URL?
    var bytes: Data
    var grade: Grade
    var shelf: Shelf?

    init(_ text: String, note: String?, price: Decimal, time: Date, grade: Grade, shelf: Shelf? = nil) {
        self.text = text
        self.note = note
        count = text.count
        ratio = Double(text.utf8.count) / 3
        self.price = price
        self.time = time
        isOpen = note == nil
        token = UUID()
        link = note == nil ? URL(string: "https://example.org/?a=1,2") : nil
        bytes = Data(text.utf8)
        self.grade = grade
        self.shelf = shelf
    }
}

@Model private final class Reading {
    enum Sign: String, Codable, CSVValue {
        case none = ""
        case plus = "+"
    }

    var number: Int
    var time: Date
    var smallest: Int8
    var large: UInt64
    var larger: UInt
    var single: Float
    var double: Double
    var decimal: Decimal
    var bytes: Data
    var sign: Sign
    var maybe: Sign?
    var flag: Bool?
    var other: Date?

    init(_ number: Int, time: Date) {
        self.number = number
        self.time = time
        smallest = [.min, .max, 0][number % 3]
        large = [.min, .max, 1][number % 3]
        larger = [.max, 1, .min][number % 3]
        single = [.infinity, .leastNonzeroMagnitude, -.greatestFiniteMagnitude, -0.0, .pi][number % 5]
        double = [-.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1 + 0.2][number % 5]
        decimal = [.nan, Decimal(string: "-0.000000000000000000000001") ?? 0, Decimal(string: "1e38") ?? 0][number % 3]
        bytes = Data((0..<UInt8(number % 200)).map { $0 &* 37 })
        sign = number % 2 == 0 ? .none : .plus
        maybe = [nil, Sign.none, .plus][number % 3]
        flag = [nil, true, false][number % 3]
        other = number % 2 == 0 ? nil : time
    }
}

@Model final class Remark {
    var text: String?
    init(_ text: String?) { self.text = text }
}

/// A pipe with a path, and the end of it that is written to.
private final class NamedPipe: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString).pipe")
    private let file: Mutex<Int32?>

    init() throws {
        guard mkfifo(url.path, 0o600) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        // For both, so that it does not wait for a reader.
        file = Mutex(open(url.path, O_RDWR))
    }

    func write(_ text: String) {
        file.withLock { file in
            guard let file else { return }
            _ = Array(text.utf8).withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
        }
    }

    func close() {
        file.withLock { file in
            if let file { _ = Foundation.close(file) }
            file = nil
        }
        try? FileManager.default.removeItem(at: url)
    }
}

@Suite struct CSVTests {
    @Test func `one column tells nil from an empty text`() async throws {
        try await withModelStore(Remark.self) { store in
            let context = ModelContext(store.container)
            for text in ["a", nil, "", "z"] { context.insert(Remark(text)) }
            try await context.save()
            try await withFile { file in
                _ = try await context.exportCSV(FetchDescriptor<Remark>(), selecting: \.text, to: file)
                let written = try String(contentsOf: file, encoding: .utf8)
                #expect(written == "text\r\na\r\n\r\n\"\"\r\nz\r\n")
                try context.delete(model: Remark.self)
                try await context.save()
                _ = try await context.importCSV(from: file, into: Remark.self, \.text)
                let read = try await context.fetch(FetchDescriptor<Remark>(), selecting: \.text)
                #expect(read == ["a", nil, "", "z"])
            }
        }
    }

    @Test func `each kind of value comes back as it was, dates of all years among them`() async throws {
        try await withModelStore(Reading.self) { store in
            let context = ModelContext(store.container)
            var numbers = SeededGenerator(8)
            // The first and the last moment of a timestamptz, both sides of the years 0, 1 and 10000, and the ends of the calendar.
            var times: [Date] = [
                .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: -211_845_110_400),
                Date(timeIntervalSinceReferenceDate: 9_223_339_708_799),
                Date(timeIntervalSinceReferenceDate: -0.000_001),
            ]
            for year: Double in [-63_145_526_400, -63_113_904_000, 252_423_993_600] {
                times += [-1, -86_400, 0, 86_399].map { Date(timeIntervalSinceReferenceDate: year + $0) }
            }
            while times.count < 400 {
                // Where a Date tells each microsecond from the next: further away, reading the column does not always give the nearest Date.
                let time = Double.random(in: -4e9...4e9, using: &numbers)
                times.append(Date(timeIntervalSinceReferenceDate: time))
            }
            for (number, time) in times.enumerated() { context.insert(Reading(number, time: time)) }
            try await context.save()
            let saved = try await rows(of: Reading.self, in: ModelContext(store.container))
            try await withFile { file in
                let written = try await context.exportCSV(
                    FetchDescriptor<Reading>(), selecting: \.number, \.time, \.smallest, \.large, \.larger, \.single,
                    \.double,
                    \.decimal, \.bytes, \.sign, \.maybe, \.flag, \.other, to: file)
                #expect(written == times.count)
                try context.delete(model: Reading.self)
                try await context.save()
                let read = try await context.importCSV(
                    from: file, into: Reading.self, \.number, \.time, \.smallest, \.large, \.larger, \.single, \.double,
                    \.decimal, \.bytes, \.sign, \.maybe, \.flag, \.other)
                #expect(read.insertedCount == times.count)
                let again = try await rows(of: Reading.self, in: ModelContext(store.container))
                for (row, other) in zip(saved, again) { #expect(row == other) }
                #expect(saved.count == again.count)
            }
        }
    }

    /// What the database holds, as text.
    private func rows(of _: Reading.Type, in context: ModelContext) async throws -> [String] {
        try await context.fetch(
            String.self,
            sql:
                "SELECT ROW(\(\Reading.number), \(\Reading.time), \(\Reading.smallest), \(\Reading.large), \(\Reading.larger), \(\Reading.single), \(\Reading.double), \(\Reading.decimal), \(\Reading.bytes), \(\Reading.sign), \(\Reading.maybe), \(\Reading.flag), \(\Reading.other))::text FROM \(Reading.self) ORDER BY \(\Reading.number)"
        )
    }

    @Test(arguments: [
        ("2026-11-24T18:30:00Z", 817_237_800.0), ("2026-11-24 20:30:00.250+02:00", 817_237_800.25),
        ("+12026-11-24T18:30:00Z", 316_386_757_800), ("12026-11-24T18:30:00Z", 316_386_757_800),
        ("0001-01-01T00:00:00Z", -63_113_904_000), ("0000-12-30T00:00:00Z", -63_114_076_800),
        ("-0001-03-01T00:00:00Z", -63_171_964_800),
        ("2000-02-29T23:59:60Z", -26_438_400),
    ])
    func `dates are read in any offset and any year`(text: String, seconds: Double) {
        #expect(Date(csvField: text) == Date(timeIntervalSinceReferenceDate: seconds))
    }

    @Test(arguments: [
        "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-11-24T24:00:00Z", "2026-11-24T18:60:00Z", "2026-11-24T18:30:00", "2026-11-24", "26-11-24T18:30:00Z",
        "9999999-01-01T00:00:00Z", "2026-11-24T18:30:00+16:00",
    ])
    func `what is no date is none`(text: String) {
        #expect(Date(csvField: text) == nil)
    }

    /// Who reads a pipe that nobody writes to waits. Those who write are tasks as the others.
    @Test func `a file that makes wait blocks no thread of Swift's`() async throws {
        try await withStore { store, _ in
            let pipes = try (0..<ProcessInfo.processInfo.activeProcessorCount + 2).map { _ in try NamedPipe() }
            defer { for pipe in pipes { pipe.close() } }
            // So that the test ends if there is no thread for the writers.
            let rescue = Thread {
                Thread.sleep(forTimeInterval: 60)
                for pipe in pipes { pipe.close() }
            }
            rescue.start()
            let container = store.container
            try await withThrowingTaskGroup(of: Int.self) { group in
                for pipe in pipes {
                    group.addTask {
                        try await ModelContext(container).importCSV(
                            from: pipe.url, into: Item.self, \.code, \.label, \.price
                        ).insertedCount
                    }
                }
                try await Task.sleep(for: .milliseconds(200))
                for (number, pipe) in pipes.enumerated() {
                    group.addTask {
                        pipe.write("code,label,price\nc\(number),l,1\n")
                        pipe.close()
                        return 0
                    }
                }
                var inserted = 0
                for try await number in group { inserted += number }
                #expect(inserted == pipes.count)
            }
        }
    }

    private func withFile(_ text: String? = nil, _ body: (URL) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: url) }
        if let text { try Data(text.utf8).write(to: url) }
        try await body(url)
    }

    private func withStore(line: Int = #line, _ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Entry.self, Item.self, Tool.self, Shelf.self, line: line) { store in
            try await body(store, ModelContext(store.container))
        }
    }

    private struct Values: Equatable {
        let text: String
        let note: String?
        let count: Int
        let ratio: Double
        let price: Decimal
        let time: Date
        let isOpen: Bool
        let token: UUID
        let link: URL?
        let bytes: Data
        let grade: Entry.Grade
        let shelf: PersistentIdentifier?

        init(_ entry: Entry) {
            (text, note, count, ratio, price) = (entry.text, entry.note, entry.count, entry.ratio, entry.price)
            (time, isOpen, token, link) = (entry.time, entry.isOpen, entry.token, entry.link)
            (bytes, grade, shelf) = (entry.bytes, entry.grade, entry.shelf?.persistentModelID)
        }
    }

    private func all(_ store: ModelStore) async throws -> [Values] {
        try await ModelContext(store.container).fetch(FetchDescriptor<Entry>(sortBy: [SortDescriptor(\.text)])).map(
            Values.init)
    }

    @Test func `what is exported is imported again`() async throws {
        try await withStore { store, context in
            let shelf = Shelf("s")
            let texts = ["plain", "", "a,b", "\"quoted\"", "two\r\nlines\nthree", " ä€😀 ", "\r"]
            for (number, text) in texts.enumerated() {
                let time = Date(timeIntervalSince1970: Double(number * 40_000_000) - 90_000_000.5 + 0.000_25)
                context.insert(
                    Entry(
                        text, note: [nil, "", "x"][number % 3], price: Decimal(number * 25 - 50) / 100, time: time,
                        grade: number % 2 == 0 ? .low : .high, shelf: number % 2 == 0 ? shelf : nil))
            }
            try await context.save()
            let before = try await all(store)
            try await withFile { url in
                let written = try await context.exportCSV(
                    FetchDescriptor<Entry>(), selecting: \.text, \.note, \.count, \.ratio, \.price, \.time, \.isOpen,
                    \.token,
                    \.link, \.bytes, \.grade, \.shelf?.persistentModelID, to: url)
                #expect(written == texts.count)
                try context.delete(model: Entry.self)
                try await context.save()
                let read = try await context.importCSV(
                    from: url, into: Entry.self, \.shelf?.persistentModelID, \.grade, \.bytes, \.link, \.token,
                    \.isOpen,
                    \.time, \.price, \.ratio, \.count, \.note, \.text)
                #expect(read.insertedCount == texts.count)
                let after = try await all(store)
                #expect(after == before)
            }
        }
    }

    @Test func `a file has a line of names, and a field without text is no value`() async throws {
        try await withStore { _, context in
            context.insert(Item("a", "x,\"y\""))
            let item = Item("b", "")
            item.note = ""
            item.shelf = Shelf("top")
            context.insert(item)
            try await context.save()
            try await withFile("what was there before") { url in
                let written = try blockingExport(context, url)
                #expect(written == 2)
                let text = try String(contentsOf: url, encoding: .utf8)
                #expect(
                    text
                        == "code,label,note,price,shelf.name\r\na,\"x,\"\"y\"\"\",,1,\r\nb,\"\",\"\",1,top\r\n")
            }
            try await withFile { url in
                await #expect(throws: SwiftDataError.self) {
                    try await context.exportCSV(FetchDescriptor<Item>(), selecting: \.code, \.shout, to: url)
                }
                #expect(!FileManager.default.fileExists(atPath: url.path))
            }
        }
    }

    private func blockingExport(_ context: ModelContext, _ url: URL) throws -> Int {
        try context.exportCSV(
            FetchDescriptor<Item>(sortBy: [SortDescriptor(\.code)]), selecting: \.code, \.label, \.note, \.price,
            \.shelf?.name, to: url)
    }

    private func blocking(_ context: ModelContext, _ url: URL) throws -> InsertedRows {
        try context.importCSV(from: url, into: Item.self, \.code, \.price, \.label, uniquePolicy: .upsert)
    }

    @Test func `a long file is read piece by piece, and updates what is named`() async throws {
        try await withStore { store, context in
            let item = Item("c7", "before")
            item.note = "kept"
            context.insert(item)
            try await context.save()
            let lines = (0..<20_000).map { "\"Label \($0), boxed\",c\($0),\($0).5\n" }.joined()
            try await withFile("\u{FEFF}label,code,price\n" + lines) { url in
                let result = try blocking(context, url)
                #expect(result.insertedCount == 19_999)
                #expect(result.updatedCount == 1)
            }
            #expect(item.label == "Label 7, boxed")
            #expect(item.price == Decimal(string: "7.5"))
            #expect(item.note == "kept")
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Item>()) == 20_000)
        }
    }

    @Test(arguments: [
        (
            "code,label,price\na,b,1\nc,d,x1\n",
            #"Line 3 of FILE, column price: the field is no Decimal. Nothing was inserted."#
        ),
        (
            "code,label,price\na,\"two\nlines\",1\nc,d,\n",
            #"Line 4 of FILE, column price: the field is empty, and a value is required. Nothing was inserted."#
        ),
        (
            "code,label,price\na,b\n",
            "Line 2 of FILE has 2 fields, and the first line names 3 columns. Nothing was inserted."
        ),
        (
            "code,price\na,1\n",
            "FILE lacks the columns \"label\". Its first line has to name the properties that are imported: code, label, price."
        ),
        (
            "code,label,price,size\na,b,1,2\n",
            // Names that nobody has asked for may be values: a file without a first line.
            "FILE has, besides those that are named in the call, 1 other column. Its first line has to name the properties that are "
                + "imported: code, label, price."
        ),
        (
            "code,label,price,code\na,b,1,2\n",
            "FILE has more than once the columns \"code\". Its first line has to name the properties that are imported: code, label, price."
        ),
        ("", "FILE is empty. Its first line has to name the columns."),
        (
            "code,label,price\na,\"b,1\n\n",
            "Line 4 of FILE is no CSV: a field that begins in line 2 has no closing quote."
        ),
        (
            "code,label,price\na,b\"c,1\n",
            "Line 2 of FILE is no CSV: there is a quote within a field that is not in quotes. Put the field in quotes, and write the quote "
                + "twice."
        ),
        (
            "code,label,price\na,\"b\"c,1\n",
            "Line 2 of FILE is no CSV: a field in quotes is followed by something else than a comma or the end of the line."
        ),
    ])
    func `what cannot be read is said with line, column and type, and nothing is inserted`(
        text: String, message: String
    ) async throws {
        try await withStore { _, context in
            try await withFile(text) { url in
                let error = await #expect(throws: SwiftDataError.self) {
                    try await context.importCSV(from: url, into: Item.self, \.code, \.label, \.price)
                }
                #expect(error?.code == .invalidValue)
                #expect(error?.message.replacing(url.lastPathComponent, with: "FILE") == message)
                #expect(error?.description.contains("x1") == false)
                let count = try await context.fetchCount(FetchDescriptor<Item>())
                #expect(count == 0)
            }
        }
    }
}
