// Whoever takes a database for a test needs what it is asked with.
@_exported public import StrataTestDatabases
