#if Tracing
import Tracing

/// What sqlcommenter appends to a statement: keys in order, values in quotes, both encoded as in a URL.
enum TraceComment {
    /// `nil` where the tracer has nothing to hand on.
    static func text(of span: any Span) -> String? {
        var fields: [String: String] = [:]
        InstrumentationSystem.instrument.inject(span.context, into: &fields, using: FieldInjector())
        guard !fields.isEmpty else { return nil }
        return fields.sorted { $0.key < $1.key }.map { "\(encoded($0))='\(encoded($1))'" }.joined(separator: ",")
    }

    private struct FieldInjector: Injector {
        func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
            carrier[key] = value
        }
    }

    /// Nothing that could end the comment or the quotes is left.
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                result += "%" + (hex.count == 1 ? "0" + hex : hex)
            }
        }
        return result
    }
}
#endif
