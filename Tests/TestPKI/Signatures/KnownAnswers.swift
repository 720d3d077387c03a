public import TrustEngine

/// A signature made once with the `openssl` command over `KnownAnswer.message`, and its key.
public struct KnownAnswer: Sendable, CustomStringConvertible {
    /// What signed, in words.
    public let name: String
    /// The name of the key in `keys`.
    public let key: String
    /// The algorithm of the signature.
    public let algorithm: SignatureAlgorithm
    /// The signature.
    public let signature: [UInt8]

    /// The name.
    public var description: String { name }

    /// What was signed.
    public static let message = Array("a hawser holds a ship to its anchor\n".utf8)

    /// SubjectPublicKeyInfo by name.
    public static let keys: [String: [UInt8]] = [
        "rsa2048": octets(
            hex: """
                30820122300d06092a864886f70d01010105000382010f003082010a0282010100a1a58a78ddde011f47\
                29f16638b92304ffe14c91458de7a78c16bcaa7571e7d0b47d033bcb20d4f5d12863ee697c7ef823edd6\
                b0b8cb422642bc8027a5fd2d78e36c976ba64f552159e595917c873c62ea69fc199edd0b447c29c2c447\
                7b67948b847c18e3d0ccbb027585c70713e255087ae124fb7842a930e4d3ee634dfd885ec84400a2bc86\
                dd9cccb893145e108da93f9a7b8629cc39dd13f1bf7ecd23e2899e178f93c18d9ecefecd0ff00075299c\
                9616165076caf17715fc51630538ccb531448e9f1bf37199617eaeebb1f7d8aa94ffef71ba9d3f4b8084\
                07d2a01c90a2470e4b69a8d78dab0097960fc6f8fc563c4e6ad596e71b9f9e838bd2411e190203010001
                """),
        "p256": octets(
            hex: """
                3059301306072a8648ce3d020106082a8648ce3d03010703420004c91c77ffe3ebb7f4cd797ce0e7e171\
                96bdaee696e47b374755ce0403cfa858afd632567074b336b3010fec67e31338a72b79592bb66a5337ad\
                f4c6b9d5626fb5
                """),
        "p384": octets(
            hex: """
                3076301006072a8648ce3d020106052b8104002203620004a8d5fb1f83ace2b6ab735aa77f390beae22b\
                286163173e100ede1c3178c551e90552b877330439a09befcebaff232221f55d2381c902ab607faa8a74\
                411ead21080259c7cf190e67d6a20a2517c31a79c979715a704a10edcd0237421be66339
                """),
        "p521": octets(
            hex: """
                30819b301006072a8648ce3d020106052b81040023038186000400eadc7f070936cb6bddc85bb9e73424\
                6dbf37e213ef4339539de8b5e0fda76acdb412d9ef3df40dcb9936f970fd63579d9d1fc37bd3624c150a\
                53616bcad6b1846a00d5f1297a8b5cda4ef244b913197ca0bc8e48a62ee6f76153e28f8e024e1e481fb6\
                397c12ba35f0a2d910d3fcb3dfd8cb420b5554aeef36c2a89cd7ee217807f506
                """),
        "ed25519": octets(
            hex: """
                302a300506032b657003210012f48915cfcee17fe23b76a6b0818740560584a28516847710f3c8a75918\
                426a
                """),
        "ed448": octets(
            hex: """
                3043300506032b6571033a006132b03f61fd5a50899e72b63a019caeb65b539c17308f90900162794d19\
                a3b6549b57d3348e30fea2b1ccaea0cfc529909e946e3747c73e00
                """),
        "p256 compressed": octets(
            hex: """
                3039301306072a8648ce3d020106082a8648ce3d03010703220003c91c77ffe3ebb7f4cd797ce0e7e171\
                96bdaee696e47b374755ce0403cfa858af
                """),
    ]

    /// Every one of them.
    public static let all: [KnownAnswer] = [
        KnownAnswer(
            name: "RSASSA-PKCS1-v1_5 sha1", key: "rsa2048", algorithm: .rsaPKCS1(.sha1),
            signature: octets(
                hex: """
                    8b506434f8ebd97b023aa6a647311476f0110eee0938c74bb92c7fc5a7a3a03dd378eebf18f58363bff4\
                    661c2136537ee8959d4285682306d48a96abc7537283cdf4a5a65dcad54482dcf2cf7a7bdcce90f05801\
                    a967f12df6e4efbdc50aa0c8361cbe09f43a61968665466ab380238dcec69d952e4038a0eba7bdd5b620\
                    383eb3fdb039168984577a8bcb8729803143b0b1044de9680dfe8cca5e78078226a8877bd04788506d52\
                    32e44ee075b9dfae7a4749dc25905135ce0de841ecb294c9b6fa9ac1df5537e410c6cd974d282ec1212c\
                    896add122e5111170c88cf6f9e837da4bb28a3a9f444a017ab5cb946a32b813dc6a244db405b85f092a0\
                    fee2eb77
                    """)),
        KnownAnswer(
            name: "RSASSA-PKCS1-v1_5 sha256", key: "rsa2048", algorithm: .rsaPKCS1(.sha256),
            signature: octets(
                hex: """
                    a10b2c5819d6ed7d3b88c02fce04fe600d858f1cc7318de5065867925e2ecb385cf1b9674f513cdf7b7e\
                    4f9fa4daf4e397ee6e747416307d6b98d193d9d0980f52d548eaf008b9fc84d7e2cf9ff7e3e6ddb0e2f8\
                    e362af6c27b8a4707b7536072dd72b368dd09e50bb99d6318a4946deb5915d2b8c3968bb17d5d9e8cd18\
                    46ec0f59aeb9e965f6603e849d6861f2a2312a9a1757b7520c57ba43d5ad35582dcb29858894bb86b200\
                    d09d5850ac59cf2ed85853bd8e2510eeacd4afb91649fe1f1a1b9b29ea2ad3e39b92531db198e74fc992\
                    411d99d45b009f20fb4172e499a694678b9d2f62204375552779453c16d4cc131899b4dfbf0c20a9d761\
                    efb1a087
                    """)),
        KnownAnswer(
            name: "RSASSA-PKCS1-v1_5 sha384", key: "rsa2048", algorithm: .rsaPKCS1(.sha384),
            signature: octets(
                hex: """
                    197a173b0b3b58367e2b33f1a2bbb49d6799b3b8bdfe233f1278f1be872cc4d333c27049c2d15f3ea258\
                    9e0e940299fac4fb52072beba437553ffe4b2f0eb7a09db9c032652ecc1d673dfdd8a5996f5ed27f60e1\
                    ef02c4ff108447b92544f3676b5c27441f4c8ec24446decd769e6097a84a7cae27aa57c8324463f11914\
                    91e3ecb253586d4c71a8976c1df3ff447c893cdff2893eb2cf039668d1151bdd79433b2ca78b7d766c71\
                    2e6dac8db18e0158d9a8694b727f3e92c23ad4ac7f8a1ec66c8e5b2b83e248fbf3af72fd0f81c9c0beff\
                    31a0931c167b89193067c6f3f02d78f34492d93d0d700a0bfdf9714ffe5100a9991aa20328c76129d821\
                    17e5d827
                    """)),
        KnownAnswer(
            name: "RSASSA-PKCS1-v1_5 sha512", key: "rsa2048", algorithm: .rsaPKCS1(.sha512),
            signature: octets(
                hex: """
                    833204f3ead657e5f382fee26b792d185f5f43f53ca5e1dbe6c483355bf1a7d4a1814861ef67f5380110\
                    335d724a12b9598cfbee1e815be618647c8336613c87d312a14c286a30c81723352eed2e40bcecebe04f\
                    6ae263e450b96f318d5c4ebe38cb7573d26efe783a5aa8286f54dbaf408c4a53007ef28403567c1e2a91\
                    849cad204f62e3e4ee750145a093eb240a055b4bf643dfad4a6a0f56fe446eeaa2766ee2e2262b2319c0\
                    717e00dfcd9fae00da69c5d8e299acd9b013734b6a4f0a54942a4ed853015c5bb27cd8232b9643c19591\
                    5143a1481e318c0e2309c705541b5226e923ac85aae824f6861631945fe8a0d9c344076f2c335338ae8e\
                    d8452e67
                    """)),
        KnownAnswer(
            name: "RSASSA-PSS sha256, MGF1 sha256, salt 32", key: "rsa2048",
            algorithm: .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 32),
            signature: octets(
                hex: """
                    405217fe623338605aea616f7b62d8aba9e9c1c82b4e483c65401d9ee311a0f2da251246f308eb4cbe99\
                    a6f63b4948df621e7f152bcdc388bef0fce5ab5cbf690076ac7cee1980d6bec771a04baf1581e241740e\
                    3f00f894d0656736d51ad1af598ff13a551a67df78005a15d7fb2c8b56861e8acc60414a986a46dffc81\
                    c56334ed750eb579d9f451b402834755ed90339e091b065fe5e4ace4cafc8a6a5f5031808683b1e85480\
                    7b5983a39a4fb4556d71ce4284c1b631e64f02a50ff645d9b8a33409c09d579b78c49e8e447651aa4227\
                    07079e826322714dc361c8569bb80126d3d68883633388014dff8dd813c06c7433d9b33861640ce1b2a2\
                    fa1a5e49
                    """)),
        KnownAnswer(
            name: "RSASSA-PSS sha384, MGF1 sha384, salt 48", key: "rsa2048",
            algorithm: .rsaPSS(hash: .sha384, mgfHash: .sha384, saltLength: 48),
            signature: octets(
                hex: """
                    02e01326c48a9b3e00c201364fd44f42e104152b112cef2038cc884846107d8003bc5082589409eeea64\
                    918999eec83bf0ef2fa4e58299996090c6e33c0d0930ef71daf9af2a1b63cc54a2eafc6628b7491d58b6\
                    bbcccd55ffe45cc9cc9583105fee08c7ddfbb020c797324164d8b7a1223c006b3d6cc768772f852e490b\
                    1994080871de473fa87137a4789b183f4566007a9d69749483c02a281e706cdc2ef2821b09faacd1c036\
                    15a468d1345bb3876b3fbab7bc7361970a5e13336bfd82dd2f0a47d263107403133a93e788af996cf937\
                    20f412c5de1a6bba25bb2f46bbfcb00a446ed6ba7473c4e9bb10f0e297d3a6e1645cf29534965b496ed4\
                    05893c3e
                    """)),
        KnownAnswer(
            name: "RSASSA-PSS sha512, MGF1 sha512, salt 64", key: "rsa2048",
            algorithm: .rsaPSS(hash: .sha512, mgfHash: .sha512, saltLength: 64),
            signature: octets(
                hex: """
                    78f0b0f8392817a3f01d7f5fac4d07414b1ff72b974923f29fdeabfb0c10137d04d8ff60dacbb4c76761\
                    f87f48c8378d7f983965aa19938337e00f078bcde91e577e5ea8397fcc0cff6d657c9f5e375c0f554acc\
                    9af5222cadda0ab741b6b88c515e287dc42fa3478f67c1d59d106c0b819252149596fbfee806e6b56247\
                    fb693f27cf37ab57d92ca9546ebba1d1494a0a04b0db67a95b75dd480d56eb083e39b0cc7ded0580e0b3\
                    f2d6d28df9bf5b1568ba7d483a1bca37da90ba85e496266af7752bf3d9527d6c4a150bbe00b99e454316\
                    aede6edac40315502b5faada4437d1b4121a69eb218932490c63f74c3606bbebc90a43034e9c3cd351cb\
                    bd2e7adb
                    """)),
        KnownAnswer(
            name: "RSASSA-PSS sha1, MGF1 sha1, salt 20", key: "rsa2048",
            algorithm: .rsaPSS(hash: .sha1, mgfHash: .sha1, saltLength: 20),
            signature: octets(
                hex: """
                    911c5ea87cf8e75236e2171fb55977fe1194e4b5e75c8213659a1165ba952dcc566611408afd6d8fc0d3\
                    7f596948085d80a9b9b5e44bbdcf60c4a6c70c80cb4a2833ae45d7e6fd93fb80aa2db401ba7baed6b0c2\
                    8522847b75db60e519a0254f946eeb4ccd92aa0e3f012956032ee58a50d77f2002aa4b4c9de283a4a227\
                    2e9d22e3bc53527a0353a66ec26b4b41a3f62a5cde3f32ec340b4fc2a9022327c184ceb4c0955c147292\
                    a4a69bec1e6b478ae7f8847c6e97cb4ea4dc4ebc5285d9a2b33848031bdb3fe72e9c6af39e38456e8cb8\
                    d021b51027efc09578ff0e710782592ae52998b40efa70040e4a76e46377ed1bd2011e1f1478b339f54e\
                    b97db384
                    """)),
        KnownAnswer(
            name: "RSASSA-PSS sha512, MGF1 sha256, salt 20", key: "rsa2048",
            algorithm: .rsaPSS(hash: .sha512, mgfHash: .sha256, saltLength: 20),
            signature: octets(
                hex: """
                    625f28745e59e9c47e40ef4efb37310df1aceccb4bee061ffd30f8a648aec2a1096f983940a090f8c62a\
                    973aae3f7e7adadde60c544c1682fccae8ebc3650860a2b27fe1c277988df3ac4fdc5340d6cc8a94e9b4\
                    797b8502c79e89fedd99a8022c1d96ac1cdee4c5cb20b4ef12062466bfb03bdc0c9ab11104d5f7b26b5c\
                    7ec18e8b8935bc593b45b6c0948a1b9b986577711a053c188113cde56258208757df6a1af9a29fc54bcc\
                    55d6a35c39595b8e511cf55624a8015646d4199b65e8781186df3640c32ad9d9d36276e876653eed38f6\
                    bfa7fc5377aee73cf4833979b1b220f762203625387a7e857e630d36a0dd47d39be31919d6204e9e3f01\
                    27ab831f
                    """)),
        KnownAnswer(
            name: "RSASSA-PSS sha256, MGF1 sha256, salt 0", key: "rsa2048",
            algorithm: .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 0),
            signature: octets(
                hex: """
                    156ba9c468cae0bd665aef47b1ebc348f2214a369167f6cf8cd7173cd930c542229747d575323f7aa1d3\
                    c0e3da3c94f2ad27bdc9bc955dd016d1e3d3862b93bb92402835783bd84a62fcb8102e86e248e7a9379c\
                    b7d47bd2e39d674dfe754041b3df73b239c02ddb2c77e3510292ad3e7adf7c29a1e05dde60bddce43d8e\
                    8cbd18fc14c37e8c794103d076fa2b757e023ba1c26d6598bd66d71580131fef596ef91db8996ccd4d5a\
                    9cc92649e33065b59733753d15c6a95e57d506c1c56dc6daaaff7addb29a72bdba5b86d6c40021968865\
                    437e65c54ffb9ec01b75b4ef7792c496f437f70880135bb47e8e86ff5b399d241b2caa9bc155c3ee5b85\
                    ea6ba98c
                    """)),
        KnownAnswer(
            name: "ECDSA p256 sha1", key: "p256", algorithm: .ecdsa(.sha1),
            signature: octets(
                hex: """
                    3046022100816c1fcd927a8c0ef1d15ea14b9a392089776a6e8d1605d3b8fd75f01ac72d0a022100d7fc\
                    4ba8c30bebe7a55fea7ed5b9fe3a9c03245331ceff8eb76a0f78f80fb8d2
                    """)),
        KnownAnswer(
            name: "ECDSA p256 sha256", key: "p256", algorithm: .ecdsa(.sha256),
            signature: octets(
                hex: """
                    304502205d4a07675e9a3b5c13323c20bdc6000eac6b153be11052ed9fbd715e5246c5e80221009c7353\
                    77ac370eae580eb7847451816b55d0dd734096b54b97c9d7674b82bef3
                    """)),
        KnownAnswer(
            name: "ECDSA p256 sha384", key: "p256", algorithm: .ecdsa(.sha384),
            signature: octets(
                hex: """
                    30440220590b4daef28f7df327361c9fb986032c6a111b724cf62a08e8ae2e48dc2a097f022058ab0899\
                    e708e83495ea5ab9678a0e93ea8e03c4391e5a91fce7e5cbfe7315aa
                    """)),
        KnownAnswer(
            name: "ECDSA p256 sha512", key: "p256", algorithm: .ecdsa(.sha512),
            signature: octets(
                hex: """
                    3046022100e99db61536e91a16e7174b730455c916ad285a4850b66be158d523caba99aa3f022100fbe2\
                    f5d42a1c427f345efe27651b4e76a3d870a194fe93325436bbb4715cab70
                    """)),
        KnownAnswer(
            name: "ECDSA p384 sha256", key: "p384", algorithm: .ecdsa(.sha256),
            signature: octets(
                hex: """
                    306402303ebbce8e67f31858f285546f7f20b04efd6787323b756578ccdaf568e6ee07e5e7e37527f49b\
                    84d6fa4b38c7b1b55f7402305dc144d393020f1e447d8a1142e82726c8f05655afbce63d68f40624e0fa\
                    99007acfc6dc62a81aa7ef7ed6a82d1acae7
                    """)),
        KnownAnswer(
            name: "ECDSA p384 sha384", key: "p384", algorithm: .ecdsa(.sha384),
            signature: octets(
                hex: """
                    3066023100c6a7e0569985fdad451797423223ad87b120a6c4ba2425b7d27f9ac2349a7272b15951467d\
                    28f6a2759cf2d8aa8e737d023100d05ec4e87249621afdc9a1e950e2a16e90335a4277dfb323e65d1d31\
                    cd2bc54989b5f7cee138d71fdcf4a8411553d642
                    """)),
        KnownAnswer(
            name: "ECDSA p384 sha512", key: "p384", algorithm: .ecdsa(.sha512),
            signature: octets(
                hex: """
                    3065023062e425dee72f90463ca601e04af2eb3319117f28c098e01cf4bf6353ac8224d94f801c35fc70\
                    91e0ff8652134f18ee0c023100f36bf1e6f80cb23928a50775aef8697de588928556b49fc4c04b665aca\
                    e76e38422813344fd3597513bf5192e2eae1bf
                    """)),
        KnownAnswer(
            name: "ECDSA p521 sha256", key: "p521", algorithm: .ecdsa(.sha256),
            signature: octets(
                hex: """
                    308187024201095456623aeb2b5892bd112d32317fde6f085875418d5353cb05c5deeafe56810255d836\
                    c71f16c4049bae79de66a468e9a85b946e3db34cb93ca114c83f559f3802410db2d2e6a1df2d871ec72c\
                    ef45994e29e2340820c12915b369d6cd16eb7db4f2d9c85087f1c88e1f3adb56c99976aeb5275925059e\
                    882a04b6fa67e3feaf12828a
                    """)),
        KnownAnswer(
            name: "ECDSA p521 sha512", key: "p521", algorithm: .ecdsa(.sha512),
            signature: octets(
                hex: """
                    308188024200a223b18c3e79620d737498d5d1d700722ab7dddef40d77382dcdca5b288bab8422e06bc3\
                    f1f5f5f18b43023da6934a9cb37155c3f3b03c90331dc25a27ceebe0980242011691e795d19228377b83\
                    0169c187a9762e1f661b5c20e9c102b831343566803de7d11cc790f0976069c41e2a4b34de1c1bc217c3\
                    39fce2d51eb9a8965b5e369ccf
                    """)),
        KnownAnswer(
            name: "ed25519", key: "ed25519", algorithm: .ed25519,
            signature: octets(
                hex: """
                    76a3b56302c1e683c6310bd5e82e8c194f05d038f76237ca1fc6885fa86b4ee86b689e7743406b325482\
                    56d5891684d787bf20cbe803a8fd9563f014152dcf0e
                    """)),
        KnownAnswer(
            name: "ed448", key: "ed448", algorithm: .ed448,
            signature: octets(
                hex: """
                    b77088d3ba8b06d128bd9118b1c46224dd965253554b11a5eec5bf994c5fd28030e202935a1cc2a361e9\
                    a02b197a493bd28024ee0915d80a8098590c9849950b3858d10b0baa42c36b5ac49772a07c261639c768\
                    7d0cb9bbb62d4acf658c0bdcb9b308442d84fd2b6a38a2f478f37d0f2200
                    """)),
        KnownAnswer(
            name: "ECDSA p256 sha256, compressed point", key: "p256 compressed",
            algorithm: .ecdsa(.sha256),
            signature: octets(
                hex: """
                    304502205d4a07675e9a3b5c13323c20bdc6000eac6b153be11052ed9fbd715e5246c5e80221009c7353\
                    77ac370eae580eb7847451816b55d0dd734096b54b97c9d7674b82bef3
                    """)),
    ]
}
