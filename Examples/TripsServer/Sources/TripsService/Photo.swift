import Foundation
import SampleTripsModels
import Strata

/// A picture of a trip, as somebody uploaded it.
@Model public final class Photo {
    #Unique<Photo>([\.trip])

    /// The bytes; read only where they are asked for.
    @Attribute(.externalStorage) var data: Data
    /// What the client said they are.
    var contentType: String
    /// What it shows; the photo of a trip that is deleted goes with it.
    var trip: Trip?

    init(_ data: Data, contentType: String, of trip: Trip) {
        self.data = data
        self.contentType = contentType
        self.trip = trip
    }
}

extension Photo {
    /// The one photo of a trip.
    static func one(of trip: PersistentIdentifier) -> FetchDescriptor<Photo> {
        FetchDescriptor<Photo>(predicate: #Predicate { $0.trip?.persistentModelID == trip })
    }
}
