import Foundation
import Strata

/// A place whose tables another program makes.
func externalTables(at url: URL) -> ModelConfiguration {
    var configuration = ModelConfiguration(url: url)
    configuration.tables = .external
    return configuration
}
