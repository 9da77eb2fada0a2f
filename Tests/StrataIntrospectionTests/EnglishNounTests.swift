import Testing

@testable import StrataIntrospection

@Suite struct EnglishNounTests {
    @Test(arguments: [
        ("trips", "trip"), ("categories", "category"), ("addresses", "address"), ("statuses", "status"),
        ("people", "person"),
        ("status", "status"), ("news", "news"), ("boxes", "box"), ("branches", "branch"), ("movies", "movie"),
        ("houses", "house"),
        ("invoices", "invoice"), ("children", "child"), ("address", "address"), ("bus", "bus"),
        ("employees", "employee"),
        ("territories", "territory"), ("keys", "key"), ("analyses", "analysis"), ("us", "us"),
    ])
    func aTableOfManyIsAClassOfOne(plural: String, singular: String) {
        #expect(EnglishNoun.singular(plural) == singular)
    }

    @Test(arguments: [
        ("trip", "trips"), ("category", "categories"), ("address", "addresses"), ("status", "statuses"),
        ("person", "people"),
        ("box", "boxes"), ("branch", "branches"), ("key", "keys"), ("staff", "staff"), ("class", "classes"),
        ("trips", "trips"),
    ])
    func manyObjectsHaveAPlural(singular: String, plural: String) {
        #expect(EnglishNoun.plural(singular) == plural)
    }
}
