/// The stored value of an attribute, beside the property it belongs to: `nil` while it is not loaded.
public struct AttributeStorage<Coding: AttributeCoding> {
    @usableFromInline package var stored: Coding.Value?

    /// Not loaded.
    @inlinable
    public init() { stored = nil }

    /// A loaded value.
    @inlinable
    public init(_ value: Coding.Value) { stored = value }
}

/// Takes part in nothing but initialisation: a property without a default has one of these, so that the compiler
/// demands a value in every initializer.
public struct _Assigned {
    /// The mark that a property was given a value; holds nothing itself.
    @inlinable public init() {}
}
