public import Foundation
public import StrataClient

/// A type with a value that says nothing, for getters that cannot throw and could not load.
package protocol NeutralValue {
    static var neutral: Self { get }
}

extension String: NeutralValue { package static var neutral: String { "" } }
extension Bool: NeutralValue { package static var neutral: Bool { false } }
extension Int: NeutralValue { package static var neutral: Int { 0 } }
extension Int8: NeutralValue { package static var neutral: Int8 { 0 } }
extension Int16: NeutralValue { package static var neutral: Int16 { 0 } }
extension Int32: NeutralValue { package static var neutral: Int32 { 0 } }
extension Int64: NeutralValue { package static var neutral: Int64 { 0 } }
extension UInt8: NeutralValue { package static var neutral: UInt8 { 0 } }
extension UInt16: NeutralValue { package static var neutral: UInt16 { 0 } }
extension UInt32: NeutralValue { package static var neutral: UInt32 { 0 } }
extension UInt64: NeutralValue { package static var neutral: UInt64 { 0 } }
extension Float: NeutralValue { package static var neutral: Float { 0 } }
extension Double: NeutralValue { package static var neutral: Double { 0 } }
extension Decimal: NeutralValue { package static var neutral: Decimal { 0 } }
extension Date: NeutralValue { package static var neutral: Date { .distantPast } }
extension CalendarDate: NeutralValue { package static var neutral: CalendarDate { .distantPast } }
extension TimeOfDay: NeutralValue { package static var neutral: TimeOfDay { .midnight } }
extension CalendarInterval: NeutralValue { package static var neutral: CalendarInterval { CalendarInterval() } }
extension Data: NeutralValue { package static var neutral: Data { Data() } }
extension UUID: NeutralValue {
    package static var neutral: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
extension Array: NeutralValue { package static var neutral: [Element] { [] } }
