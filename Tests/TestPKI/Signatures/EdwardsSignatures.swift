/// An Ed25519 signature at which verifiers differ, and whether it is valid here: without the
/// cofactor, and only in the shortest encodings. `edwards.py` makes this file.
public struct EdwardsSignature: Sendable, CustomStringConvertible {
    /// The oddity of the signature.
    public let name: String
    /// Whether `LibCryptoBackend` takes it.
    public let isValid: Bool
    /// The key, the signature and the message.
    public let key, signature, message: [UInt8]

    private init(
        _ name: String, _ isValid: Bool, _ key: String, _ signature: (String, String),
        _ message: String
    ) {
        self.name = name
        self.isValid = isValid
        self.key = octets(hex: key)
        self.signature = octets(hex: signature.0 + signature.1)
        self.message = octets(hex: message)
    }

    /// The name.
    public var description: String { name }

    /// Every one of them.
    public static let all: [EdwardsSignature] = [
        EdwardsSignature(
            "an honest signature", true,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "4b68cd7d8fbcdbb7dc3a2c0e569abac8d16bdb5e60c26095d9036fbd2eb62f0f"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "S plus 1 times the order", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "383cc3daa91fee0fb3d723b1349499ddd16bdb5e60c26095d9036fbd2eb62f1f"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "S plus 2 times the order", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "2510b937c482006889741b54138e78f2d16bdb5e60c26095d9036fbd2eb62f2f"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "S plus 8 times the order", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "b3077c6562d56e788f21e9254b69b26fd26bdb5e60c26095d9036fbd2eb62f8f"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "S plus 15 times the order", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "2ed334f01a8befe06b6bae9a613ecb01d36bdb5e60c26095d9036fbd2eb62fff"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "S with bit 253 set", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "4b68cd7d8fbcdbb7dc3a2c0e569abac8d16bdb5e60c26095d9036fbd2eb62f2f"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "S with bit 254 set", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "4b68cd7d8fbcdbb7dc3a2c0e569abac8d16bdb5e60c26095d9036fbd2eb62f4f"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "S with bit 255 set", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "4b68cd7d8fbcdbb7dc3a2c0e569abac8d16bdb5e60c26095d9036fbd2eb62f8f"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key with a part of order 2, which the challenge clears", true,
            "de89f787cb7697b3fb8d9ffea6a9c71ada73d12f424c2e7261cbac15744ba752",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "bf0036391992468d2400e530087a0e4d26d514950b642bcb8400c6888a337303"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key with a part of order 2, valid with the cofactor alone", false,
            "de89f787cb7697b3fb8d9ffea6a9c71ada73d12f424c2e7261cbac15744ba752",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "3b1393bddbb7d5bebacd6bdff5e19ddc8938fa043431d5aef08fef51f9aa8e08"
            ), "6d6573736167652031"),
        EdwardsSignature(
            "R with a part of order 2, valid with the cofactor alone", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "3ae4df0afbd9dbdaeb27e4c7cab7426f218d02f4730dc7d577060ad31af894dc",
                "6a2a2c51e543968ce9c83152719dd2caaa1b1a031922e576235b4b217a79730f"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R and a key with parts of order 2 that cancel", true,
            "de89f787cb7697b3fb8d9ffea6a9c71ada73d12f424c2e7261cbac15744ba752",
            (
                "3ae4df0afbd9dbdaeb27e4c7cab7426f218d02f4730dc7d577060ad31af894dc",
                "cf639f4ae8c6c1386b95293f7bb1d474e2d3a09cc33978dfc7e3c7d4e46b9a02"
            ), "6d6573736167652031"),
        EdwardsSignature(
            "a key with a part of order 4, which the challenge clears", true,
            "afbd7f2b93e9976bc6dfb416e90cd7e04b46bcd93140221b279ecc8802247d76",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "7e1b5d87e657dcd7aaebe6e3610139a05ec73ccd5bb5273f3469afb90e175a01"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key with a part of order 4, valid with the cofactor alone", false,
            "afbd7f2b93e9976bc6dfb416e90cd7e04b46bcd93140221b279ecc8802247d76",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "c136d8f4b3063e9ee9e949cdae47cdf71226631c177a508b530fd2316a7e8d0a"
            ), "6d6573736167652032"),
        EdwardsSignature(
            "R with a part of order 4, valid with the cofactor alone", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "0bc5eed08660611267ff1c8c425418d2ebd6458bbaa4e5dd53effe2b339f5444",
                "657a85ad7b249a8e8651c63643c21f12f36bb35276fe151511ae54dbe417b40d"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R and a key with parts of order 4 that cancel", true,
            "afbd7f2b93e9976bc6dfb416e90cd7e04b46bcd93140221b279ecc8802247d76",
            (
                "0bc5eed08660611267ff1c8c425418d2ebd6458bbaa4e5dd53effe2b339f5444",
                "735dc2b14360e2bc3b0c0dff71f7228a9858c7a2458c0f10819e1aec466d4e0f"
            ), "6d6573736167652031"),
        EdwardsSignature(
            "a key with a part of order 8, which the challenge clears", true,
            "c668425144eca1e8f9a8e178986f150a310e6f426cbc38a42c17a9e0c0e71982",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "234b2d10409ced4fc8cb9812de384f97edd06b17b2c6682e961c8218c753ee0b"
            ), "6d6573736167652037"),
        EdwardsSignature(
            "a key with a part of order 8, valid with the cofactor alone", false,
            "c668425144eca1e8f9a8e178986f150a310e6f426cbc38a42c17a9e0c0e71982",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "2859f3a13197ce7b9c4e535208734b95f4348f5654c4db5ff7bb75d5af32910e"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R with a part of order 8, valid with the cofactor alone", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "186ed2bdbd1a36f6437c5168b0221914018ea4f32a1c3fcd1c1794d64fbd596e",
                "535e8c0d26717a579bc4882cc8b04675a63139b60268d0964241d34c29f9650c"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R and a key with parts of order 8 that cancel", true,
            "c668425144eca1e8f9a8e178986f150a310e6f426cbc38a42c17a9e0c0e71982",
            (
                "186ed2bdbd1a36f6437c5168b0221914018ea4f32a1c3fcd1c1794d64fbd596e",
                "2817dc8f6a704cf22bdf8c0b8b67a2e4a02613d3fb6c6928412882c624d64002"
            ), "6d657373616765203135"),
        EdwardsSignature(
            "R is 0 times a point of order 8", true,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "0100000000000000000000000000000000000000000000000000000000000000",
                "0aa336e65e42f3a45736e874763dd0dfa9ccc1cd74badf18fefdfde2e142e404"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R is 1 times a point of order 8", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
                "6ab2ff1898fa8c54668ff9c337888a219c271ef17d7717e3e4f0b922f56cc00e"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R is 2 times a point of order 8", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "0000000000000000000000000000000000000000000000000000000000000080",
                "640ae582d315ec896f578031d03cd366d6bbf247b54eea9128d899ca88136100"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R is 3 times a point of order 8", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
                "7b8aa16c50d856ae79f7d6131567f131cde73cdca1ae1cf29d99cdf9813b4f0d"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R is 4 times a point of order 8", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "c6d66baf3775b1f8ab5b88df6d237463dc71b991955581d6137b096cc6140401"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R is 5 times a point of order 8", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
                "670d862e18d05950b547c107f178e0dc7b8c0057344b057481c85fd5e7bd2c01"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R is 6 times a point of order 8", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "0000000000000000000000000000000000000000000000000000000000000000",
                "583aaa8c042d2aeb6ead25994cac011074a186880ec13d09129b2a31b53f0009"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R is 7 times a point of order 8", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
                "c35151a17a5456b7e13ceaf5d10fe0521eec32ce759b9049f6a9a8bb5c6bc400"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R is the identity with y + p", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "b33cd311b4dbfd0bd29dbdde12827ac4850a0bd22637d04af90da426fdd2e708"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R is the identity with a sign", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "0100000000000000000000000000000000000000000000000000000000000080",
                "961ac39ba974c9b0d8bd7bde704104663b55acfb20d61ed9d430c95711f3f90f"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R is the identity with y + p and a sign", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                "358b8e3bba38583899704cf3954a62bfcefc7e8f00c9090b93144468a6ee0603"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "R is the point of order 2 with a sign", false,
            "0f7608783489684c04726001595638e5258c2ed0bdb3d18d9e3453ea8bb458ad",
            (
                "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                "e0e280b6c2355ab2faec22069d94bb25e96ef71247e924af44b0500f47d0720a"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key with y = p + 3", false,
            "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key with y = p + 4", false,
            "f1ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key with y = p + 5", false,
            "f2ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key with y = p + 6", false,
            "f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key with y = p + 9", false,
            "f6ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key with y = p + 10", false,
            "f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key with y = p + 14", false,
            "fbffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key with y = p + 15", false,
            "fcffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key with y = p + 16", false,
            "fdffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key with y = p + 18", false,
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key that is no point, y = 2", false,
            "0200000000000000000000000000000000000000000000000000000000000000",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "2817dc8f6a704cf22bdf8c0b8b67a2e4a02613d3fb6c6928412882c624d64002"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key that is 0 times a point of order 8", false,
            "0100000000000000000000000000000000000000000000000000000000000000",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652037"),
        EdwardsSignature(
            "a key that is 1 times a point of order 8", false,
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652034"),
        EdwardsSignature(
            "a key that is 2 times a point of order 8", false,
            "0000000000000000000000000000000000000000000000000000000000000080",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652033"),
        EdwardsSignature(
            "a key that is 3 times a point of order 8", false,
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d657373616765203232"),
        EdwardsSignature(
            "a key that is 4 times a point of order 8", false,
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652030"),
        EdwardsSignature(
            "a key that is 5 times a point of order 8", false,
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652035"),
        EdwardsSignature(
            "a key that is 6 times a point of order 8", false,
            "0000000000000000000000000000000000000000000000000000000000000000",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d657373616765203132"),
        EdwardsSignature(
            "a key that is 7 times a point of order 8", false,
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
            (
                "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23",
                "e878dca548664051e5e695d8c157b538a506f9a3dd9f0e9cfed7f4de62238207"
            ), "6d6573736167652033"),
    ]
}
