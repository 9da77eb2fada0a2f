public import StrataModels

/// The objects of a result that have the same value in the property by which it is sectioned.
///
/// A collection of these objects, in the order of the result.
public struct ResultsSection<Element: PersistentModel, SectionTitle: Hashable>: RandomAccessCollection, Identifiable,
    Equatable
{
    /// The value that the objects have in common.
    public let title: SectionTitle
    let elements: [Element]

    init(title: SectionTitle, elements: [Element]) {
        self.title = title
        self.elements = elements
    }

    /// The title.
    public var id: SectionTitle { title }
    /// 0.
    public var startIndex: Int { 0 }
    /// How many objects there are.
    public var endIndex: Int { elements.count }

    /// The object at a position.
    public subscript(position: Int) -> Element { elements[position] }
}
