#if Hummingbird
import HTTPTypes

extension Problem {
    /// What a client is told of a body that cannot be read: where, and which kind of value belongs there.
    public init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context):
            self.init(at: context.codingPath, "is no \(Self.kind(of: type))")
        case .valueNotFound(_, let context):
            self.init(at: context.codingPath, "must not be null")
        case .keyNotFound(let key, let context):
            self.init(at: context.codingPath + [key], "is missing")
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(at: context.codingPath, "is not a value that can be stored there")
        default:
            self.init(.badRequest, detail: "The body is not the JSON that is expected here.")
        }
    }

    private init(at path: [any CodingKey], _ detail: String) {
        guard !path.isEmpty else {
            self.init(.badRequest, detail: "The body is not the JSON that is expected here.")
            return
        }
        self.init(
            .unprocessableContent, detail: "The body has a value of the wrong kind. Nothing was changed.",
            errors: [Place(JSONPointer.fragment(path), detail)])
    }

    /// JSON's word for what a Swift type is read from.
    private static func kind(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "truth value"
        case is any Numeric.Type: "number"
        default: "value of the type that belongs there"
        }
    }
}
#endif
