/// `Optional`, without its type.
protocol WrappingOptional {
    var wrapped: Any? { get }
}

extension Optional: WrappingOptional {
    var wrapped: Any? { self }
}
