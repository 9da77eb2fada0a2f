import Foundation

/// What the unsaved change of an object's date of deletion means.
package enum SoftDeletion {
    /// The object was there, and has a date now.
    case deletes
    /// The object had a date, and has none now.
    case restores

    /// `nil` for an object of which neither is to be written.
    package init?(of model: any PersistentModel) {
        guard let property = type(of: model)._$descriptor.deletionDate,
            let before = model._$state.original(at: property.slot)
        else { return nil }
        // What was written without being read may have been either: as it is now, it was not.
        switch (property.date(before), property.date(of: model)) {
        case (nil, .some): self = .deletes
        case (.some, nil): self = .restores
        case (nil, nil): if before.isKnown { return nil } else { self = .restores }
        case (.some, .some): return nil
        }
    }
}

extension ModelDescriptor {
    /// The property that says when an object was deleted; `nil` where objects are deleted for good.
    package var deletionDate: AnyAttributeProperty? {
        dates.deletion.flatMap { properties[$0] as? AnyAttributeProperty }
    }
}

extension PersistentModel {
    /// Whether the object has a date of deletion, saved or not. Asks nobody: a date that is not loaded is none.
    package var _$isSoftlyDeleted: Bool { type(of: self)._$descriptor.deletionDate?.date(of: self) != nil }
}
