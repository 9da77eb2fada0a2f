public import StrataModels

/// A result in sections: a collection of ``ResultsSection``, in the order in which their first objects come.
///
/// ```swift
/// for section in observer.sections ?? [] {
///     print(section.title, section.map(\.name))
/// }
/// ```
public struct SectionedResults<Model: PersistentModel, SectionTitle: Hashable>: RandomAccessCollection, Equatable {
    private let sections: [ResultsSection<Model, SectionTitle>]
    private let places: [SectionTitle: Int]

    /// Sections of these objects, by their titles.
    ///
    /// Objects of one section need not stand together: those of a result that is sorted by the titles do.
    init(_ objects: [Model], titles: [SectionTitle]) {
        var places: [SectionTitle: Int] = [:]
        var order: [SectionTitle] = []
        var groups: [[Model]] = []
        for (object, title) in zip(objects, titles) {
            if let place = places[title] {
                groups[place].append(object)
            } else {
                places[title] = groups.count
                order.append(title)
                groups.append([object])
            }
        }
        self.places = places
        sections = zip(order, groups).map { ResultsSection(title: $0, elements: $1) }
    }

    /// The titles of the sections, in order.
    public var sectionTitles: [SectionTitle] { sections.map(\.title) }

    /// The section with a title; `nil` if no object has it. Takes the same time whatever the number of sections.
    public subscript(sectionTitle title: SectionTitle) -> ResultsSection<Model, SectionTitle>? {
        places[title].map { sections[$0] }
    }

    /// Whether there is a section with this title.
    public func contains(sectionTitle title: SectionTitle) -> Bool { places[title] != nil }

    /// The position of the section with a title; `nil` if no object has it.
    public func index(ofSectionTitled title: SectionTitle) -> Int? { places[title] }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many sections there are.
    public var endIndex: Int { sections.count }

    /// The section at a position.
    public subscript(position: Int) -> ResultsSection<Model, SectionTitle> { sections[position] }
}
