// What comes with contexts and containers: the model graph, and what users name of the client and of saving.
// Foundation and Observation too, as SwiftData does: predicates expand to Foundation's types.
@_exported public import Foundation
@_exported public import Observation
@_exported public import StrataModels

@_exported public import struct StrataClient.CalendarDate
@_exported public import struct StrataClient.CalendarInterval
@_exported public import enum StrataClient.IsolationLevel
@_exported public import struct StrataClient.ObservedStatement
@_exported public import struct StrataClient.PasswordSource
@_exported public import struct StrataClient.PostgresConfiguration
@_exported public import struct StrataClient.PostgresError
@_exported public import struct StrataClient.PostgresRange
@_exported public import protocol StrataClient.PostgresRangeBound
@_exported public import protocol StrataClient.PostgresTextCodable
@_exported public import enum StrataClient.PreparedStatements
@_exported public import protocol StrataClient.StatementObserver
@_exported public import struct StrataClient.TimeOfDay
@_exported public import struct StrataMigrations.MigrationError
@_exported public import enum StrataMigrations.MigrationPhase
@_exported public import struct StrataMigrations.SchemaChange
@_exported public import protocol StrataRepository.CSVValue
@_exported public import enum StrataRepository.ConflictPolicy
@_exported public import protocol StrataRepository.DatabaseView
@_exported public import struct StrataRepository.SQLStatement
@_exported public import enum StrataRepository.UniquePolicy
@_exported public import struct StrataRepository.UpsertedProperties
