import StrataModels
import StrataRepository
import Testing

/// Everything that is wrong with a schema is found at once, with its place and what to do.
@Suite struct ValidationTests {
    private func findings(_ types: any PersistentModel.Type..., schemaName: String = "public") -> String {
        let schema = Schema(types)
        return SchemaValidation.findings(schema, mapping: StoreMapping(schema, in: schemaName))
            .map(\.description).sorted().joined(separator: "\n")
    }

    @Test func `Schemas without faults have no findings`() {
        for mapping in [TripModels.mapping, TypeModels.mapping, RuleModels.mapping] {
            #expect(SchemaValidation.findings(mapping.schema, mapping: mapping) == [])
        }
        #expect(SwiftDataError.invalidSchema([]) == nil)
    }

    @Test func `Two classes of one name`() {
        expectText(
            findings(WrongModels.Twin.self, WrongModels.Other.Twin.self),
            #"""
            Twin: several classes have this name: StrataRepositoryTests.WrongModels.Other.Twin, StrataRepositoryTests.WrongModels.Twin. Remedy: rename all but one, or name in the schema the classes of one version only.
            """#)
    }

    @Test func `Inverses that are ambiguous or lead elsewhere`() {
        expectText(
            findings(WrongModels.Flight.self, WrongModels.Parent.self),
            #"""
            Flight.pilots: its inverse is ambiguous: Pilot.current or Pilot.next. Remedy: write @Relationship(inverse: \Pilot.current) on one of the two sides, or inverse: nil for a relationship without one.
            Parent.children: the inverse \Stranger.<computed (Optional<Child>)> is no relationship of Child. Remedy: name a relationship of Child that leads back to Parent.
            Pilot.current: its inverse is ambiguous: Flight.pilots may belong to it or to Pilot.next. Remedy: write @Relationship(inverse: \Flight.pilots) on one of the two sides, or inverse: nil for a relationship without one.
            Pilot.next: its inverse is ambiguous: Flight.pilots may belong to it or to Pilot.current. Remedy: write @Relationship(inverse: \Flight.pilots) on one of the two sides, or inverse: nil for a relationship without one.
            """#)
    }

    @Test func `Inverses that not every object could have`() {
        expectText(
            findings(WrongModels.Ship.self, WrongModels.Vessel.self),
            """
            Harbor.ships: the inverse Vessel.harbor belongs to every Vessel, not only to Ship. Remedy: name a relationship of Ship that leads back to Harbor.
            Vessel.crew: the inverse Sailor.ship leads to Ship, not to Vessel. Remedy: name a relationship of Sailor that leads back to Vessel.
            """)
    }

    @Test func `Names that collide in snake case or are taken`() {
        let findings = findings(
            WrongModels.HTMLPage.self, WrongModels.HtmlPage.self, WrongModels.Guild.self, WrongModels.GuildMembers.self)
        expectText(
            findings,
            #"""
            GuildMembers: its table would be called guild_members, as that of Guild.members. Remedy: rename one of them so that the names differ in snake case, or give it a table of its own with @Model(table:), or @Relationship(table:).
            HTMLPage.PK: its column would be called pk in the table html_page, as that of the key. Remedy: give it another with @Attribute(column:), or @Relationship(column:); or give the key another: @Model(keyColumn:) of HTMLPage.
            HTMLPage.links: its column would be called html_page_links in the table link, as that of Link.htmlPageLinks. Remedy: rename one of them so that the names differ in snake case, or give it another column with @Attribute(column:), or @Relationship(column:).
            HTMLPage.pageUrl: its column would be called page_url in the table html_page, as that of HTMLPage.pageURL. Remedy: rename one of them so that the names differ in snake case, or give it another column with @Attribute(column:), or @Relationship(column:).
            HTMLPage.xmin: its column would be called xmin, which PostgreSQL has in every table. Remedy: rename the property, or give it another column with @Attribute(column:).
            HTMLPage: its table would be called html_page, as that of HtmlPage. Remedy: rename one of them so that the names differ in snake case, or give it a table of its own with @Model(table:), or @Relationship(table:).
            """#)
    }

    @Test func `A subclass says something else about its history`() {
        expectText(
            findings(WrongModels.Secret.self, WrongModels.Letter.self),
            """
            Letter: it says something else about its history than Draft, whose history is not recorded. Remedy: remove recordsHistory from Letter, or say the same in Draft.
            Secret: it says something else about its history than Diary, whose history is recorded. Remedy: remove recordsHistory from Secret, or say the same in Diary.
            """)
    }

    @Test func `Constraints over several tables`() {
        expectText(
            findings(WrongModels.Sub.self, WrongModels.Inherited.self),
            #"""
            Inherited: #Unique of name, which Base declares: the constraint would hold for every Base. Remedy: declare it in Base.
            Sub: #Index of code, name mixes properties of Base and Sub: a constraint or an index has the properties of one class. Remedy: name properties of one class, or move them into the same class.
            Sub: #Unique of name, code mixes properties of Base and Sub: a constraint or an index has the properties of one class. Remedy: name properties of one class, or move them into the same class.
            """#)
    }

    @Test func `Constraints that PostgreSQL cannot keep`() {
        expectText(
            findings(WrongModels.Constrained.self),
            #"""
            Constrained.document: Place is stored as jsonb, which cannot be unique: an index entry holds 2,704 bytes at most. Remedy: declare the part that is unique as a property of its own.
            Constrained.flag: a BRIN index is for values with an order, not for boolean. Remedy: use .binary.
            Constrained.many: a to-many relationship has no column that #Unique could use. Remedy: name the to-one relationship on the other side, in Child.
            Constrained.number: PostgreSQL has no GiST index for bigint without an extension. Remedy: use .binary.
            Constrained.number: a GIN index is for arrays and jsonb, not for bigint. Remedy: use .binary.
            Constrained.one: a gin index is not for the key of another object. Remedy: use .binary.
            Constrained.open: an .ephemeral property has no column that #Unique could use. Remedy: remove it from the list, or store the property.
            Constrained.photo: a value in .externalStorage cannot be indexed: an index entry holds 2,704 bytes at most. Remedy: store a hash of the data in a property of its own, and index that.
            Constrained.photo: a value in .externalStorage cannot be unique: an index entry holds 2,704 bytes at most. Remedy: store a hash of the data in a property of its own, and make that unique.
            Constrained.place: Place is stored as jsonb, which a B-tree cannot search. Remedy: use #Index(.gin([…])), or declare the part to search by as a property of its own.
            Constrained: #Unique of open, which Openable declares: the constraint would hold for every Openable. Remedy: declare it in Openable.
            Constrained: \Constrained.<computed (String)> in #Unique or #Index is no stored property of the class. Remedy: name stored properties; a computed, @Transient or nested one has no column.
            Constrained: a hash index on number, text; it takes one property only. Remedy: use .binary.
            """#)
    }

    @Test func `A condition too long for an index`() {
        // How many bytes depends on Unicode's version.
        let found = findings(WrongModels.LongRule.self)
        #expect(found.hasPrefix("LongRule: the condition of #Index of name takes "), "\(found)")
        #expect(found.contains(" bytes of SQL, and before version 18"), "\(found)")
    }

    @Test func `Conditions that no table can have`() {
        expectText(
            findings(WrongModels.Rule.self, WrongModels.SubRule.self),
            #"""
            Rule.children: a to-many relationship has no column that #Index could use. Remedy: name the to-one relationship on the other side, in RuleChild.
            Rule.number: named twice in one #Index. Remedy: name it once.
            Rule.text: String is stored as jsonb, which a B-tree cannot search. Remedy: use #Index(.gin([…])), or declare the part to search by as a property of its own.
            Rule.text: its lower case is asked for, and it is no text in the database. Remedy: use .key, or declare the text as a property of its own.
            Rule: a condition of #Unique, #Index or #Check says something else each time it is made. Remedy: compare with literals: a table keeps what it was given once.
            Rule: an index of name for searching texts has a condition, and a search is in all objects. Remedy: remove the condition.
            Rule: the condition of #Check "child" cannot stand in a table: asks for other rows than the object's own. Remedy: name stored properties of the object itself, and compare them with literals.
            Rule: the condition of #Check "count" cannot stand in a table: asks for other rows than the object's own. Remedy: name stored properties of the object itself, and compare them with literals.
            Rule: the condition of #Check "hidden" cannot stand in a table: Rule has no column for a property of type String: it is computed, or marked @Transient. Use a stored property, or filter the fetched objects in memory. The predicate: { $0.note == "x" }. Remedy: name stored properties of the object itself, and compare them with literals.
            Rule: the condition of #Check "labels" cannot stand in a table: has something that is written as a subquery, which PostgreSQL takes in no table: arithmetic with floating-point numbers, the number of a dictionary's values, or a look at each element of an array. Remedy: name stored properties of the object itself, and compare them with literals.
            Rule: the condition of #Check "literal" names no property of the class. Remedy: name one, or remove it.
            Rule: the condition of #Check "sum" cannot stand in a table: has something that is written as a subquery, which PostgreSQL takes in no table: arithmetic with floating-point numbers, the number of a dictionary's values, or a look at each element of an array. Remedy: name stored properties of the object itself, and compare them with literals.
            Rule: the condition of #Index of number cannot stand in a table: asks for other rows than the object's own. Remedy: name stored properties of the object itself, and compare them with literals.
            Rule: the constraint of #Check "class" would be called rule_class_check, as that of the classes. Remedy: give it another name.
            SubRule: the condition of #Check "both" names properties of Rule, which lie in another table. Remedy: name properties that SubRule declares itself: a check belongs to the table that has them.
            SubRule: the condition of #Index of number names properties of SubRule, which lie in another table. Remedy: name properties of Rule, whose table the index belongs to.
            """#)
    }

    @Test func `Attributes that cannot be stored so`() {
        expectText(
            findings(WrongModels.Attributes.self),
            #"""
            Attributes.kept: an .ephemeral property has no stored value that a deletion could preserve. Remedy: remove one of the two options.
            Attributes.matrix: PostgreSQL has no type for Array<Array<Int>>. Remedy: mark it @Attribute(.codable) to store it as one jsonb value.
            Attributes.text: .externalStorage is for Data, not for String. Remedy: remove the option; PostgreSQL moves large values out of line by itself.
            """#)
    }

    @Test func `Counts and delete rules that cannot be met`() {
        expectText(
            findings(WrongModels.Counts.self, WrongModels.Denied.self, WrongModels.Egg.self),
            #"""
            Counts.few: minimumModelCount 3 is greater than maximumModelCount 2. Remedy: exchange them, or use 0 for no maximum.
            Counts.negative: a model count cannot be negative. Remedy: use 0 for no limit.
            Counts.two: a to-one relationship cannot have a model count of 2. Remedy: remove the counts, or make the property an array.
            Denied.owner: a required relationship with the rule .deny: there always is a Child, so no Denied could ever be deleted. Remedy: make the property optional, or put .deny on the other side.
            Egg.hen: required relationships form a circle, Egg.hen → Hen.egg: no first object could be made. Remedy: make one of them optional.
            """#)
    }

    @Test func `A constraint on the side without the column`() {
        expectText(
            findings(WrongModels.Husband.self),
            #"""
            Wife.husband: its column lies in the table of Husband, so it cannot be part of a constraint or an index here. Remedy: name the other side, Husband.wife.
            """#)
    }

    @Test(arguments: ["strata", "pg_temp", "information_schema", "", String(repeating: "x", count: 64)])
    func `A PostgreSQL schema that cannot hold a store`(name: String) {
        #expect(findings(WrongModels.Child.self, schemaName: name).contains("ModelConfiguration: "))
    }

    @Test func `One error lists all findings`() {
        let schema = Schema(WrongModels.Attributes.self)
        let error = SwiftDataError.invalidSchema(SchemaValidation.findings(schema, mapping: StoreMapping(schema)))
        #expect(error?.code == .invalidSchema)
        #expect(error?.message.hasPrefix("The schema has 3 problems:\n- Attributes.") == true)
    }
}
