// What `import Strata` brings: the model graph, and the client's configuration and errors.
@_exported public import Observation
@_exported public import StrataModels

public import struct StrataClient.PostgresConfiguration
public import struct StrataClient.PostgresError
