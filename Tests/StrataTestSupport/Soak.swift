import Foundation

/// Whether this run is a soak (`make soak`): tests that need minutes run then, and only then.
///
/// ```swift
/// @Suite(.enabled(if: isSoak, "make soak"))
/// struct TerminatedBackendSoakTests { … }
/// ```
/// `make soak` runs the suites whose names end with `SoakTests`.
package let isSoak = ProcessInfo.processInfo.environment["STRATA_SOAK"] != nil
