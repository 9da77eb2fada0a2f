import Foundation
import StrataClient
import StrataModels

/// The order that the pages of a fetch are cut from: its terms and then the key, so that no two rows have the same place.
struct PageOrder {
    /// Those that were asked for, then those of the key.
    private let terms: [SortTerm]
    /// How many were asked for.
    private let askedCount: Int
    private let number: UInt64
    private let entity: EntityMapping

    /// - Parameter described: the same terms in SQL that knows of no predicate and no unsaved changes: by them an order is told from
    ///   others.
    init(_ terms: [SortTerm], described: [SortTerm], key: [SQLFragment], of entity: EntityMapping) throws {
        self.terms =
            terms
            + zip(key, entity.key.parts).map {
                SortTerm(expression: SQLExpression(sql: $0, type: $1.type), order: .forward)
            }
        askedCount = terms.count
        self.entity = entity
        let descriptions = try described.map { try $0.description() }
        number = PageCursor.number(ofOrder: ([entity.name] + descriptions).joined(separator: "\n"))
    }

    /// What a cursor holds of a row, as columns. As texts that the server reads exactly, whatever the settings of the role are that reads or
    /// writes them.
    var texts: [SQLFragment] {
        terms.prefix(askedCount).map { term in
            switch term.expression.type {
            // How they are written depends on DateStyle, but not in JSON (manual, 9.16).
            case .timestamp, .timestamptz, .date: "to_json(\(term.expression.operand)) #>> '{}'"
            // extra_float_digits may cut their text (manual, 19.11.2): they are written here.
            case .float4, .float8: "\(term.expression.operand)"
            default: "(\(term.expression.operand))::text"
            }
        }
    }

    /// The cursor at a row that has ``texts`` behind `count` other columns, of which the first is the key.
    func cursor(at row: PostgresRow, behind count: Int) -> PageCursor {
        let values = terms.indices.prefix(askedCount).map { index in
            row.isNull(count + index) ? nil : Self.text(row, count + index, terms[index].expression.type)
        }
        return PageCursor(order: number, values: values, key: row.key(0, entity.keyKind))
    }

    private static func text(_ row: PostgresRow, _ column: Int, _ type: PostgresType) -> String {
        switch type {
        case .float8: row.double(column).description
        case .float4: row.float(column).description
        default: row.string(column)
        }
    }

    /// The rows that come after a place, or all, in this direction: one range after the other.
    ///
    /// Where the first term may be `NULL`, the rows without a value are a range of their own: they are at one end of the order, and may be at
    /// the other end of an index.
    ///
    /// Throws ``SwiftDataError`` with the code `invalidPageCursor` for a cursor of another order.
    func ranges(beyond cursor: PageCursor?, _ direction: PageRequest.Direction) throws -> [PageRange] {
        let places = try cursor.map { try self.places(of: $0, direction) }
        guard let first = terms.first, first.mayBeNull else {
            return [PageRange(condition: places.map(Place.condition), order: Self.clause(terms[...], direction))]
        }
        let present = [first.present] + terms.dropFirst()
        let isInside = places.map { $0[0].value != nil }
        let withValue = PageRange(
            condition: isInside == true
                ? places.map { Place.condition([$0[0].present] + $0.dropFirst()) } : "\(first.operand) IS NOT NULL",
            order: Self.clause(present[...], direction))
        let isNull: SQLFragment = "\(first.operand) IS NULL"
        let withoutValue = PageRange(
            condition: isInside == false
                ? places.map { "\(isNull) AND \(Place.condition(Array($0.dropFirst())))" } : isNull,
            order: Self.clause(terms.dropFirst(), direction))
        let ranges = first.ascends(direction) ? [withoutValue, withValue] : [withValue, withoutValue]
        // What comes before the range that the place is in is not beyond it.
        guard let isInside else { return ranges }
        return isInside == first.ascends(direction) ? [ranges[1]] : ranges
    }

    private func places(of cursor: PageCursor, _ direction: PageRequest.Direction) throws -> [Place] {
        // No text of the server holds the character that ends texts in C.
        let parts = entity.key.isSingle ? [cursor.key] : cursor.key.parts(entity.key.kinds)
        guard let parts, cursor.order == number, cursor.key.kind == entity.keyKind, cursor.values.count == askedCount,
            !cursor.values.contains(where: { $0?.utf8.contains(0) == true })
        else {
            throw SwiftDataError(
                .invalidPageCursor,
                "A page cursor belongs to a fetch of another class or order than this one of \(entity.name). Pass it with the sortBy "
                    + "that its page had, or begin with the first page.")
        }
        let values =
            zip(terms, cursor.values).map { term, value in value.map { Self.value($0, term) } }
            + zip(entity.key.parts, parts).map { $0.bound($1) }
        // Seen from behind the key, the way back leads over it.
        let holdsKey = cursor.side == (direction == .forward ? -1 : 1)
        return zip(terms.indices, values).map { index, value in
            let term = terms[index]
            return Place(
                term: term, value: value, ascends: term.ascends(direction),
                isInclusive: holdsKey && index == terms.count - 1)
        }
    }

    /// The terms of `ORDER BY`.
    private static func clause(_ terms: ArraySlice<SortTerm>, _ direction: PageRequest.Direction) -> SQLFragment {
        terms.map { $0.sql(direction) }.joined(separator: ", ")
    }

    private static func value(_ text: String, _ term: SortTerm) -> SQLFragment {
        var value = SQLFragment()
        // A cast of a text would be done again for each row that the condition is asked of.
        value.append(text: text, of: term.expression.type)
        return value
    }
}

/// Rows that follow each other in the order of a page, and that one index finds.
struct PageRange {
    /// `nil` for all rows.
    let condition: SQLFragment?
    /// The terms of `ORDER BY`.
    let order: SQLFragment
}

/// The value of one term at a cursor.
private struct Place {
    var term: SortTerm
    /// `nil` for `NULL`.
    let value: SQLFragment?
    /// Whether greater values are beyond.
    let ascends: Bool
    /// Whether the value itself is beyond, too.
    let isInclusive: Bool

    /// Whether the rows beyond and those at the place are one range of an index: `NULL` is at the lower end.
    var isBound: Bool { value != nil && (ascends || !term.mayBeNull) }

    /// The same place among rows that have a value.
    var present: Place {
        var place = self
        place.term = term.present
        return place
    }

    /// The rows beyond a place. What an index finds comes first: the leading terms, as far as they go the same way and are of one table. A
    /// comparison of columns of two tables is a condition of their join, which no index serves.
    static func condition(_ places: [Place]) -> SQLFragment {
        let leading = places.prefix { $0.ascends == places[0].ascends && $0.isBound }
        let isWhole = leading.count == places.count
        let exact: SQLFragment =
            isWhole
            ? row(leading, isStrict: !leading.contains(where: \.isInclusive)) : "(\(beyond(places[...])))"
        let found = leading.prefix { $0.isBeside(places[0]) }
        guard !found.isEmpty, !isWhole || found.count < leading.count else { return exact }
        return "\(row(found, isStrict: false)) AND \(exact)"
    }

    /// Whether an index that finds the first term may find this one too. What is computed of several tables no index finds.
    private func isBeside(_ first: Place) -> Bool {
        !first.term.operand.aliases.isOne || term.operand.aliases == first.term.operand.aliases
    }

    /// The rows beyond the place by the first term, or at it and beyond by those that follow.
    private static func beyond(_ places: ArraySlice<Place>) -> SQLFragment {
        guard let first = places.first else { return "FALSE" }
        guard places.count > 1 else { return first.strict }
        return "\(first.strict) OR (\(first.same) AND (\(beyond(places.dropFirst()))))"
    }

    /// A comparison of all terms at once.
    private static func row(_ places: ArraySlice<Place>, isStrict: Bool) -> SQLFragment {
        let terms = places.map(\.term.operand).joined(separator: ", ")
        let values = places.compactMap(\.value).joined(separator: ", ")
        let comparison = (places.first?.ascends == true ? ">" : "<") + (isStrict ? "" : "=")
        guard places.count > 1 else { return "\(terms) \(raw: comparison) \(values)" }
        return "(\(terms)) \(raw: comparison) (\(values))"
    }

    private var strict: SQLFragment {
        switch (value, ascends) {
        case (nil, true): "\(term.operand) IS NOT NULL"
        case (nil, false): "FALSE"
        case (let value?, true): "\(term.operand) >\(raw: isInclusive ? "=" : "") \(value)"
        case (let value?, false):
            term.mayBeNull
                ? "\(term.operand) < \(value) OR \(term.operand) IS NULL"
                : "\(term.operand) <\(raw: isInclusive ? "=" : "") \(value)"
        }
    }

    private var same: SQLFragment {
        value.map { "\(term.operand) = \($0)" } ?? "\(term.operand) IS NULL"
    }
}
