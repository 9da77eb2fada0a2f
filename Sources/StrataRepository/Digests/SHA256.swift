import CLibCrypto

/// SHA-256 (FIPS 180-4) by OpenSSL's libcrypto, which libpq brings along.
package enum SHA256 {
    /// The digest of a text's bytes in UTF-8, in 64 lower-case hexadecimal digits.
    package static func hexadecimal(of text: String) -> String {
        hexadecimal(of: Array(text.utf8))
    }

    /// The digest of bytes, in 64 lower-case hexadecimal digits.
    package static func hexadecimal(of bytes: [UInt8]) -> String {
        let digest = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { digest, count in
            var length: UInt32 = 0
            let isDone = EVP_Digest(bytes, bytes.count, digest.baseAddress, &length, EVP_sha256(), nil) == 1
            // Fails only without memory, or when the machine's OpenSSL is set up without SHA-256: no input leads here.
            precondition(isDone, "OpenSSL's libcrypto could not compute a SHA-256")
            count = Int(length)
        }
        return digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
