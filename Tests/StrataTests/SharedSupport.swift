// Stores of a test's own are shared with other test targets; one import makes them visible to every file of this one.
@_exported import StrataModelTestSupport
