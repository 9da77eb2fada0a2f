// What `import Strata` brings: the model graph, and what users name of the client and of saving.
@_exported public import Observation
@_exported public import StrataModels

@_exported public import enum StrataClient.IsolationLevel
@_exported public import struct StrataClient.PostgresConfiguration
@_exported public import struct StrataClient.PostgresError
@_exported public import enum StrataClient.PreparedStatements
@_exported public import enum StrataRepository.ConflictPolicy
@_exported public import enum StrataRepository.UniquePolicy
