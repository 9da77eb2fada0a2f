/// Who gives which keys (decision 0002): other programs the small ones, through the identity column; Strata the large
/// ones, `block * 65536 + n`, with blocks from one sequence for the whole database.
package enum KeySpace {
    /// The keys in one block.
    package static let blockSize: Int64 = 65_536
    /// The first block: its keys begin at 2^40.
    package static let firstBlock: Int64 = 16_777_216
    /// The last block whose keys are `bigint`.
    package static let lastBlock: Int64 = Int64.max / blockSize
    /// The largest key an identity column gives, 2^40 - 1.
    package static let largestIdentity: Int64 = firstBlock * blockSize - 1
}
