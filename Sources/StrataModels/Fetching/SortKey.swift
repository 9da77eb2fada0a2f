/// What a sort descriptor sorts by in place of a value that is not comparable itself, or is compared in another way.
///
/// Only a descriptor's own initializers lead to one: a key path to it goes through the value, and through no other computed property.
package protocol SortKey {
    /// The value in its stored form.
    var stored: Any { get }
    static var storedType: Any.Type { get }
}
