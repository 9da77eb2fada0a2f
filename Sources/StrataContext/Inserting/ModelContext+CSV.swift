public import Foundation
import StrataClient
public import StrataModels
public import StrataRepository

/// CSV files, in and out.
extension ModelContext {
    /// Inserts the rows of a CSV file into a class, at once and without objects; blocks this thread.
    ///
    /// ```swift
    /// let result = try context.importCSV(from: file, into: Product.self, \.sku, \.name, \.price, uniquePolicy: .upsert)
    /// ```
    ///
    /// The file is CSV as RFC 4180 has it, in UTF-8; its first line names the properties, in any order, a relationship by its own name. It is
    /// read piece by piece, whatever its length. A field without text is `nil` where the property is optional, and the empty text for a
    /// `String`; `""` in quotes is the empty text.
    ///
    /// As `insert(into:_:rows:uniquePolicy:reportsIdentifiers:)`: all rows, or none.
    /// - Parameters:
    ///   - url: the file.
    ///   - type: the class of the new objects.
    ///   - properties: one for each column of the file. Their types say how fields are read: see ``CSVValue``.
    ///   - uniquePolicy: `nil` for the context's.
    /// - Throws: ``SwiftDataError``: `invalidValue` with line, column and type for a field that is no such value, a record with another number of
    ///   fields, what is no CSV, and a first line that names other columns; `insert(into:rows:)` throws the rest.
    @discardableResult
    public func importCSV<T: PersistentModel, each Value: CSVValue>(
        from url: URL, into type: T.Type, _ properties: repeat KeyPath<T, each Value>,
        uniquePolicy: UniquePolicy? = nil
    ) throws -> InsertedRows {
        let insertion = try insertion(into: type, (repeat each properties), uniquePolicy: uniquePolicy)
        var rows = try CSVRows(CSVReader(url), insertion.plan.propertyNames, of: repeat (each Value).self)
        return try insert(RowIntake(insertion, insertion.plan.encoder(of: repeat (each Value).self))) { intake in
            while let row = try rows.next() {
                guard try intake.append(row) else { return true }
            }
            return false
        }
    }

    /// Inserts the rows of a CSV file into a class, at once and without objects. As the blocking form; the file is read on a thread of its own.
    ///
    /// - Throws: as well `CancellationError`.
    @discardableResult
    public func importCSV<T: PersistentModel, each Value: CSVValue>(
        from url: URL, into type: T.Type, _ properties: repeat KeyPath<T, each Value>,
        uniquePolicy: UniquePolicy? = nil
    ) async throws -> InsertedRows {
        let insertion = try insertion(into: type, (repeat each properties), uniquePolicy: uniquePolicy)
        var rows = try await CSVRows(CSVReader(url), insertion.plan.propertyNames, of: repeat (each Value).self)
        return try await insert(RowIntake(insertion, insertion.plan.encoder(of: repeat (each Value).self))) {
            (intake) async throws -> Bool in
            while let row = try await rows.next() {
                guard try intake.append(row) else { return true }
            }
            return false
        }
    }

    /// Writes properties of the objects that match into a CSV file; blocks this thread. One round trip for each 2,000 objects.
    ///
    /// ```swift
    /// let count = try context.exportCSV(
    ///     FetchDescriptor<Product>(sortBy: [SortDescriptor(\.sku)]), selecting: \.sku, \.name, \.price, to: file)
    /// ```
    ///
    /// The first line names the properties: `name`, `owner.name`; `\.owner?.persistentModelID` is `owner`. `importCSV(from:into:_:uniquePolicy:)`
    /// reads what is written. `nil` is a field without text, an empty text is in quotes.
    ///
    /// Objects are read page by page, as by `stream(_:selecting:pageSize:)`: for a file that shows one moment, call it in a transaction with
    /// `isolation: .repeatableRead`. The file takes the place of one that is there when it is complete.
    /// - Parameters:
    ///   - descriptor: which objects, in which order, without limit and offset.
    ///   - properties: what is written. Their types say how: see ``CSVValue``.
    ///   - url: the file.
    /// - Returns: how many objects were written.
    /// - Throws: ``SwiftDataError``: what `fetch(_:selecting:)` throws; `storeFailure` where the file cannot be written.
    @discardableResult
    public func exportCSV<T: PersistentModel, each Value: CSVValue & Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting properties: repeat KeyPath<T, each Value>, to url: URL
    ) throws -> Int {
        let export = try CSVExport(descriptor, selecting: (repeat each properties), in: self)
        let file = try CSVTarget(url)
        do {
            repeat {
                export.append(try export.pages.blockingPage(after: export.cursor))
                try file.write(export.text.take())
            } while export.cursor != nil
            try file.finish()
            return export.count
        } catch {
            file.discard()
            throw error
        }
    }

    /// Writes properties of the objects that match into a CSV file. As the blocking form; the file is written on a thread of its own.
    ///
    /// - Throws: as well `CancellationError`.
    @discardableResult
    public func exportCSV<T: PersistentModel, each Value: CSVValue & Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting properties: repeat KeyPath<T, each Value>, to url: URL
    ) async throws -> Int {
        let export = try CSVExport(descriptor, selecting: (repeat each properties), in: self)
        let file = try await BlockingThread.value("strata.csv") { try CSVTarget(url) }
        do {
            repeat {
                try Task.checkCancellation()
                export.append(try await export.pages.page(after: export.cursor))
                let bytes = export.text.take()
                try await BlockingThread.value("strata.csv") { try file.write(bytes) }
            } while export.cursor != nil
            try await BlockingThread.value("strata.csv") { try file.finish() }
            return export.count
        } catch {
            try await BlockingThread.value("strata.csv") { file.discard() }
            throw error
        }
    }
}
