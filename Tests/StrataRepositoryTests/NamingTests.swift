import StrataRepository
import Testing

@Suite struct NamingTests {
    @Test(arguments: [
        ("Trip", "trip"), ("BucketListItem", "bucket_list_item"), ("startURL2", "start_url2"),
        ("URLCache", "url_cache"),
        ("already_snake", "already_snake"), ("aB", "a_b"), ("ID", "id"), ("userID", "user_id"), ("Élan", "élan"),
    ])
    func `Swift's names become snake case`(swift: String, sql: String) {
        #expect(Naming.snakeCase(swift) == sql)
    }

    @Test func `A name of 63 bytes is kept, a longer one gets a stable hash`() {
        let fitting = String(repeating: "a", count: 63)
        #expect(Naming.bounded(fitting) == fitting)
        let long = Naming.bounded(fitting + "b")
        #expect(long == String(repeating: "a", count: 49) + "_" + long.suffix(13))
        #expect(long.utf8.count <= 63)
        #expect(long != Naming.bounded(fitting + "c"))
        #expect(Naming.bounded(String(repeating: "é", count: 40)).utf8.count <= 63)
    }
}
