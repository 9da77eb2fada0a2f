public import StrataContext

extension ModelContext {
    /// Calls `block` with every object that matches, in batches from a server-side cursor, in flat memory.
    ///
    /// As the blocking form: what the descriptor prefetches is loaded for each batch before its first object comes. The block is
    /// asynchronous and may use this context.
    public func enumerate<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
        block: (T) async throws -> Void
    ) async throws {
        try await suspendingEnumerate(
            descriptor, batchSize: batchSize, allowEscapingMutations: allowEscapingMutations, block: block)
    }

    /// Calls `block` with every object that matches, in batches from a server-side cursor, in flat memory.
    ///
    /// As the form with an asynchronous block. Without this one, a block that awaits nothing would choose the blocking
    /// form.
    public func enumerate<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
        block: (T) throws -> Void
    ) async throws {
        try await suspendingEnumerate(
            descriptor, batchSize: batchSize, allowEscapingMutations: allowEscapingMutations
        ) { (object: T) async throws -> Void in try block(object) }
    }
}
