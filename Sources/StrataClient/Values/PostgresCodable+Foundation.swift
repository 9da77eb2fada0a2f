public import Foundation

extension Data: PostgresCodable {
    /// `bytea`.
    @inlinable public static var postgresType: PostgresType { .bytea }
    /// The bytes.
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        for region in regions {
            region.withUnsafeBytes { buffer.append($0) }
        }
    }
    /// Copies the bytes.
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        self.init(postgresBytes)
    }
}

extension UUID: PostgresCodable {
    /// `uuid`.
    @inlinable public static var postgresType: PostgresType { .uuid }
    /// Sixteen bytes.
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        withUnsafeBytes(of: uuid) { buffer.append($0) }
    }
    /// Reads sixteen bytes.
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard postgresBytes.count == 16 else {
            throw .wrongLength("UUID", expected: "16", got: postgresBytes.count)
        }
        self.init(uuid: postgresBytes.loadUnaligned(as: uuid_t.self))
    }
}

extension URL: PostgresCodable {
    /// `text`.
    @inlinable public static var postgresType: PostgresType { .text }
    /// The text types.
    @inlinable public static func canDecode(_ type: UInt32) -> Bool { String.canDecode(type) }
    /// The absolute string.
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        try absoluteString.encode(into: &buffer)
    }
    /// Reads the text; throws when it is no URL.
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard let url = URL(string: try String(postgresBytes: postgresBytes)) else {
            throw PostgresError(.decoding, "The stored text is not a URL.")
        }
        self = url
    }
}

extension Date: PostgresCodable {
    /// `timestamptz`: microseconds, so a date is rounded to the nearest microsecond on its way in.
    @inlinable public static var postgresType: PostgresType { .timestamptz }

    /// From 2000-01-01, where the server counts from, to 2001-01-01, where Foundation does.
    static let microsecondsToReferenceDate: Int64 = 31_622_400_000_000
    /// 4714-11-24 BC, the first day the server knows, in microseconds since 2000.
    static let firstMicrosecond: Int64 = -211_813_488_000_000_000
    /// 294277-01-01, the first moment the server does not know any more.
    static let endMicrosecond: Int64 = 9_223_371_331_200_000_000
    /// The same two in Foundation's seconds.
    private static let firstSecond = Double((firstMicrosecond - microsecondsToReferenceDate) / 1_000_000)
    private static let endSecond = Double((endMicrosecond - microsecondsToReferenceDate) / 1_000_000)

    /// Microseconds since 2000-01-01, the value the server stores. `distantFuture` and `distantPast` are its
    /// `infinity` and `-infinity`. Throws `.encoding` outside the server's range.
    package var postgresMicroseconds: Int64 {
        get throws(PostgresError) {
            if self == .distantFuture { return .max }
            if self == .distantPast { return .min }
            let wholeSeconds = timeIntervalSinceReferenceDate.rounded(.down)
            // Also false for NaN. Within these seconds nothing below can overflow.
            guard wholeSeconds >= Self.firstSecond, wholeSeconds < Self.endSecond else { throw Self.outsideTimestamps }
            // Apart from each other, so that the product does not round a second time: every microsecond that a Date can
            // tell from the next (272 years around 2001) comes back as it was.
            let fraction = (timeIntervalSinceReferenceDate - wholeSeconds) * 1_000_000
            let value =
                Int64(wholeSeconds) * 1_000_000 + Int64(fraction.rounded()) + Self.microsecondsToReferenceDate
            guard value >= Self.firstMicrosecond, value < Self.endMicrosecond else { throw Self.outsideTimestamps }
            return value
        }
    }

    /// The date of a `timestamptz`; the server's infinities become `distantFuture` and `distantPast`.
    package init(postgresMicroseconds value: Int64) {
        switch value {
        case .max: self = .distantFuture
        case .min: self = .distantPast
        default:
            let sinceReference = value &- Self.microsecondsToReferenceDate
            guard sinceReference.magnitude > 1 << 53 else {
                self.init(timeIntervalSinceReferenceDate: Double(sinceReference) / 1_000_000)
                return
            }
            // No Double has all of these microseconds: apart from the seconds, they are rounded once.
            let (seconds, rest) = sinceReference.quotientAndRemainder(dividingBy: 1_000_000)
            self.init(timeIntervalSinceReferenceDate: Double(seconds) + Double(rest) / 1_000_000)
        }
    }

    /// Eight bytes: microseconds since 2000-01-01 UTC.
    public func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        buffer.appendInteger(try postgresMicroseconds)
    }

    /// Reads eight bytes.
    public init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        guard postgresBytes.count == 8 else {
            throw .wrongLength("Date", expected: "8", got: postgresBytes.count)
        }
        self.init(postgresMicroseconds: Int64(bigEndian: postgresBytes.loadUnaligned(as: Int64.self)))
    }

    private static var outsideTimestamps: PostgresError {
        PostgresError(.encoding, "A Date lies outside of what timestamptz holds (4714 BC to 294276 AD).")
    }
}
