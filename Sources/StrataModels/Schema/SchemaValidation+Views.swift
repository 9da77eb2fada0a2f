// Views: what of a class needs a table, and what leads to one.
extension SchemaValidation {
    mutating func checkView(_ entity: Schema.Entity) {
        let relationships = entity.storedProperties.compactMap { $0 as? Schema.Relationship }
        guard entity.descriptor.isView else {
            for relationship in relationships where relationship.property?.destination.isView == true {
                report(
                    entity.name, relationship.name,
                    "it leads to \(relationship.destination), whose objects are rows of a view: no table can refer to them",
                    remedy: "let \(relationship.destination) lead to \(entity.name), and fetch by that")
            }
            return
        }
        if entity.descriptor.superclass != nil || !entity.subentities.isEmpty || entity.isAbstract {
            report(
                entity.name, "its objects are rows of a view, and a view is no part of a hierarchy of classes",
                remedy: "declare it by itself: @Model final class \(entity.name): DatabaseView")
        }
        if entity.recordsHistory {
            report(
                entity.name, "its objects are rows of a view, which have no history",
                remedy: "remove recordsHistory from \(entity.name)")
        }
        if !entity.uniquenessConstraints.isEmpty || !entity.modelIndices.isEmpty || !entity.modelChecks.isEmpty {
            report(
                entity.name, "its objects are rows of a view, which has no indexes and no checks",
                remedy: "declare #Unique, #Index and #Check in the classes that the view reads")
        }
        for relationship in relationships { checkViewRelationship(relationship, of: entity) }
        for property in entity.storedProperties where property.originalName != property.name {
            report(
                entity.name, property.name, "it is a column of a view, whose former name nobody needs",
                remedy: "remove originalName: the view is made anew")
        }
    }

    private mutating func checkViewRelationship(_ relationship: Schema.Relationship, of entity: Schema.Entity) {
        guard relationship.isToOneRelationship else {
            report(
                entity.name, relationship.name, "it is a column of a view, which holds the key of one object at most",
                remedy: "make it a relationship to one object, or fetch the others by a predicate")
            return
        }
        guard relationship.deleteRule != .nullify else { return }
        report(
            entity.name, relationship.name, "it has a delete rule, and no row of a view is ever deleted",
            remedy: "remove deleteRule")
    }
}
