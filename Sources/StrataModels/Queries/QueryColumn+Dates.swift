public import Foundation

// MARK: Dates by the beginning of a month

extension QueryColumn where Value: QueryDate {
    /// Groups by the hour, day, week, month, quarter or year of a date; the value is the first moment of it in the time zone.
    ///
    /// ```swift
    /// .key(\.startDate, by: .month, in: TimeZone(identifier: "Europe/Paris")!)
    /// ```
    public static func key(_ keyPath: KeyPath<Root, Value>, by unit: QueryDateUnit, in timeZone: TimeZone) -> Self {
        Self(Self.key(keyPath), .beginning(unit), timeZone)
    }
    /// Groups by the hour, day, week, month, quarter or year of a date that an expression gives; the value is the first moment of
    /// it in the time zone.
    public static func key(
        _ expression: Expression<Root, Value>, by unit: QueryDateUnit, in timeZone: TimeZone
    ) -> Self { Self(Self.key(expression), .beginning(unit), timeZone) }
}

// MARK: Numbers of the calendar

extension QueryColumn where Value == Int {
    /// A number that the calendar has for a date in the time zone: its weekday, its hour, the day of its year.
    ///
    /// ```swift
    /// .value(.weekday, from: \.startDate, in: .gmt)
    /// ```
    ///
    /// As `Calendar(identifier: .iso8601)` in that time zone gives it for dates since 1582: weekdays from 1, which is Sunday.
    public static func value(
        _ component: QueryDateComponent, from keyPath: KeyPath<Root, Date>, in timeZone: TimeZone
    ) -> Self { Self(QueryColumn<Root, Date>.value(keyPath), .component(component), timeZone) }
    /// A number that the calendar has in the time zone for a date that an expression gives.
    public static func value(
        _ component: QueryDateComponent, from expression: Expression<Root, Date>, in timeZone: TimeZone
    ) -> Self { Self(QueryColumn<Root, Date>.value(expression), .component(component), timeZone) }

    /// Groups by a number that the calendar has for a date in the time zone: all Mondays, all hours from nine to ten.
    ///
    /// ```swift
    /// selecting: .key(.weekday, from: \.startDate, in: .gmt), .count
    /// ```
    public static func key(
        _ component: QueryDateComponent, from keyPath: KeyPath<Root, Date>, in timeZone: TimeZone
    ) -> Self { Self(QueryColumn<Root, Date>.key(keyPath), .component(component), timeZone) }
    /// Groups by a number that the calendar has in the time zone for a date that an expression gives.
    public static func key(
        _ component: QueryDateComponent, from expression: Expression<Root, Date>, in timeZone: TimeZone
    ) -> Self { Self(QueryColumn<Root, Date>.key(expression), .component(component), timeZone) }
}

extension QueryColumn where Value == Int? {
    /// A number that the calendar has for a date in the time zone; `nil` where there is no date.
    public static func value(
        _ component: QueryDateComponent, from keyPath: KeyPath<Root, Date?>, in timeZone: TimeZone
    ) -> Self { Self(QueryColumn<Root, Date?>.value(keyPath), .component(component), timeZone) }
    /// A number that the calendar has in the time zone for a date that an expression gives; `nil` where that is `nil`.
    public static func value(
        _ component: QueryDateComponent, from expression: Expression<Root, Date?>, in timeZone: TimeZone
    ) -> Self { Self(QueryColumn<Root, Date?>.value(expression), .component(component), timeZone) }

    /// Groups by a number that the calendar has for a date in the time zone. `nil` is a group too.
    public static func key(
        _ component: QueryDateComponent, from keyPath: KeyPath<Root, Date?>, in timeZone: TimeZone
    ) -> Self { Self(QueryColumn<Root, Date?>.key(keyPath), .component(component), timeZone) }
    /// Groups by a number that the calendar has in the time zone for a date that an expression gives. `nil` is a group too.
    public static func key(
        _ component: QueryDateComponent, from expression: Expression<Root, Date?>, in timeZone: TimeZone
    ) -> Self { Self(QueryColumn<Root, Date?>.key(expression), .component(component), timeZone) }
}

extension QueryColumn {
    /// A part of the calendar in place of a column's date.
    private init<D: QueryDate>(_ column: QueryColumn<Root, D>, _ part: CalendarPart.Part, _ timeZone: TimeZone) {
        var term = column.term
        term.calendar = CalendarPart(part: part, timeZone: timeZone)
        self.init(term)
    }
}
