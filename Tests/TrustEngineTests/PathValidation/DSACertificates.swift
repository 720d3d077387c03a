/// Certificates with DSA keys (1024 bits and SHA-1, 2048 bits and SHA-256) for `api.acme.example`,
/// from 2026 through 2035. They were made once, as a DSA signature is another one each time; their
/// keys are kept nowhere.
enum DSACertificates {
    /// Self-signed, with parameters.
    static let root = decode(
        """
        MIICnTCCAlugAwIBAgIBATAJBgcqhkjOOAQDMBMxETAPBgNVBAMMCERTQSBSb290MB4XDTI2MDEwMTAwMDAwMFoX\
        DTM1MTIzMTIzNTk1OVowEzERMA8GA1UEAwwIRFNBIFJvb3QwggG2MIIBKwYHKoZIzjgEATCCAR4CgYEAsKmN3mSx\
        S3ipIRHpNhA53PStMGe/nw8YeUb5X+BxWHX3yLiLYTImrjoX2KFbJ6NqEGbURgn042ZFOvBpGUwPH+/eOP0m3W8f\
        7KdwOZBhN8IJWwkhufq1kU/Qzkt7+nWo5tehJ7aDG/DH4DimYashUQE//RE/DyTjan+Fy8wt+rMCFQDwOEo/87xA\
        npq760Wxh28e6GV9qwKBgFI0an+erubp89oYodQgjJeDrtyHXX24LXzZdteTMm2POxmzReP7XJcSbq9bV6Cs82V0\
        BPniT7LvXw5kHGB4v6ObM/9qzUk8GmQJiWLwY45sCxo0Zn2kZoSRaqvdGt8Xm3Tv8bOd3m87feCnDsGPRdF9qRZc\
        WoK3gQ2wc44wYKmPA4GEAAKBgEiVLm3gVthfRr48zUGqmhWrNycDQy15OopuSVI3eGf12pacrGoU/L/MaBIYE6eo\
        JONCTC/ZOrTcVq/hK0Igdadc/1IL3Sx/I2zWhCN4/ZVwhgocU2wJXI6jXRosGQRATaMk0HTS17m5Y3TEN0Jdcq5H\
        +/GDXPtyBaEQ75pAniP0o0IwQDAdBgNVHQ4EFgQUGFcQeuX+n7qdbIa4ySTPENTF/5MwDwYDVR0TAQH/BAUwAwEB\
        /zAOBgNVHQ8BAf8EBAMCAQYwCQYHKoZIzjgEAwMxADAuAhUAxJkl4NxkfqcP2sApN9FH+y3VeqcCFQCDrqGSMxoF\
        qIbntrVPC7wIdHp45Q==
        """)

    /// An authority below `root` whose key has no parameters of its own.
    static let inheriting = decode(
        """
        MIIBnjCCAV2gAwIBAgIBAjAJBgcqhkjOOAQDMBMxETAPBgNVBAMMCERTQSBSb290MB4XDTI2MDEwMTAwMDAwMFoX\
        DTM1MTIzMTIzNTk1OVowGTEXMBUGA1UEAwwORFNBIEluaGVyaXRpbmcwgZIwCQYHKoZIzjgEAQOBhAACgYBKv7kK\
        mnhFRd3+ZIvDe29HkRcnbNB7FnLSRwFLm3YklaH4XL200V/rNUPI/+4ROE37yz5B3w6bslJgE3XA8qzuB6s6maVk\
        X7EbMPtwlJpOjclxtx+cpqIxIXGXn/UPtWLoqpTGxmixZ4TPEXDSMKL5iST7X8wIIFybkbO783DVvaNjMGEwHQYD\
        VR0OBBYEFJ+evgwLBda+YTE6EVHRZRiFkEemMB8GA1UdIwQYMBaAFBhXEHrl/p+6nWyGuMkkzxDUxf+TMA8GA1Ud\
        EwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAkGByqGSM44BAMDMAAwLQIVAIIfSo6xjN7F8WxgYOeo4LuVHY0Y\
        AhQ6H5OlJX1PEwmXWQayLT7BR58jiw==
        """)

    /// An end entity that `root` issued.
    static let underRoot = decode(
        """
        MIIC9zCCArWgAwIBAgIBAzAJBgcqhkjOOAQDMBMxETAPBgNVBAMMCERTQSBSb290MB4XDTI2MDEwMTAwMDAwMFoX\
        DTM1MTIzMTIzNTk1OVowGzEZMBcGA1UEAwwQYXBpLmFjbWUuZXhhbXBsZTCCAbYwggErBgcqhkjOOAQBMIIBHgKB\
        gQCwqY3eZLFLeKkhEek2EDnc9K0wZ7+fDxh5Rvlf4HFYdffIuIthMiauOhfYoVsno2oQZtRGCfTjZkU68GkZTA8f\
        7944/Sbdbx/sp3A5kGE3wglbCSG5+rWRT9DOS3v6dajm16EntoMb8MfgOKZhqyFRAT/9ET8PJONqf4XLzC36swIV\
        APA4Sj/zvECemrvrRbGHbx7oZX2rAoGAUjRqf56u5unz2hih1CCMl4Ou3IddfbgtfNl215MybY87GbNF4/tclxJu\
        r1tXoKzzZXQE+eJPsu9fDmQcYHi/o5sz/2rNSTwaZAmJYvBjjmwLGjRmfaRmhJFqq90a3xebdO/xs53ebzt94KcO\
        wY9F0X2pFlxagreBDbBzjjBgqY8DgYQAAoGAXsSY5/KNumRQwJRB69sLCsTPf8EJaqbyXx2SVmJXQf7saGhr54bw\
        PvKUL49f2WmlTPjeBd133QD5CoRSPyvHzTDtdVvOrmRLfyX62tIfBG7PgHm0tb127idpvQXA+04GVtsERqSTKMac\
        N8rpnD6BDAliLAeC7bfqWoSKpXsMq6ajgZMwgZAwHQYDVR0OBBYEFJ30m5aI6JjtmuaXl143v6OTH+lZMB8GA1Ud\
        IwQYMBaAFBhXEHrl/p+6nWyGuMkkzxDUxf+TMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMBMGA1UdJQQM\
        MAoGCCsGAQUFBwMBMBsGA1UdEQQUMBKCEGFwaS5hY21lLmV4YW1wbGUwCQYHKoZIzjgEAwMxADAuAhUAx3ixnBbB\
        cmxdy2Emp1vrL6Xgo3gCFQCAmf2HLRSuJnP22ZUR0nEI+hBA2w==
        """)

    /// An end entity that `inheriting` issued.
    static let underInheriting = decode(
        """
        MIIB1zCCAZagAwIBAgIBBDAJBgcqhkjOOAQDMBkxFzAVBgNVBAMMDkRTQSBJbmhlcml0aW5nMB4XDTI2MDEwMTAw\
        MDAwMFoXDTM1MTIzMTIzNTk1OVowGzEZMBcGA1UEAwwQYXBpLmFjbWUuZXhhbXBsZTCBkjAJBgcqhkjOOAQBA4GE\
        AAKBgF7EmOfyjbpkUMCUQevbCwrEz3/BCWqm8l8dklZiV0H+7Ghoa+eG8D7ylC+PX9lppUz43gXdd90A+QqEUj8r\
        x80w7XVbzq5kS38l+trSHwRuz4B5tLW9du4nab0FwPtOBlbbBEakkyjGnDfK6Zw+gQwJYiwHgu236lqEiqV7DKum\
        o4GTMIGQMB0GA1UdDgQWBBSd9JuWiOiY7Zrml5deN7+jkx/pWTAfBgNVHSMEGDAWgBSfnr4MCwXWvmExOhFR0WUY\
        hZBHpjAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDATBgNVHSUEDDAKBggrBgEFBQcDATAbBgNVHREEFDAS\
        ghBhcGkuYWNtZS5leGFtcGxlMAkGByqGSM44BAMDMAAwLQIUJBPvP7I4oYNnZlrcMFFbJ9RpqgQCFQCvq4wPidnX\
        aQLFWgWQh9SaM35qpQ==
        """)

    /// Self-signed, 2048 bits.
    static let strongRoot = decode(
        """
        MIIETTCCA/OgAwIBAgIBBTALBglghkgBZQMEAwIwFTETMBEGA1UEAwwKRFNBIFN0cm9uZzAeFw0yNjAxMDEwMDAw\
        MDBaFw0zNTEyMzEyMzU5NTlaMBUxEzARBgNVBAMMCkRTQSBTdHJvbmcwggNIMIICOgYHKoZIzjgEATCCAi0CggEB\
        APiMI697A2jo5fqCXauWFc8uAqrNlxrdsuJ5k5TdcseIDgjcwGlujkEkHpwo33kJco6t49A0BzbQv9w6VKudmf81\
        YzQhPSCTOFJMnE3bq1pf0vLFj8dy1+scgf3zKJfE58/6XkWzeFeMRAqFXOy5Eujr9VH7xA1XAfkr2al40SioQZBH\
        P/MztLsHh6E4ReX7A6YpUvuAVDDfz5g6MALwceqIyA5bBKfC97bg1aIZZZORQhg8leEnOcHNlO7Zd4fPq1eS3hhF\
        DLlfIvMB33kTgkou0uFwN5kZqC/oBOi7BPu+f2k6wXau4j0zuVTdNVZgtkUQmIIs2gQUiKzVxO+x3bkCIQC/Es4b\
        lU91VKvCh1jJnJ7EP3lPVjZNJBIGJy/KXt7kSwKCAQEAzfYdhU/h9a8deOZfJ6WqQb1atREY1NbhryxvzsQdPlHR\
        l9zAnry+90d91g1dXZi3Ml6cxlFCAhtMsCBi/uxculJGJWHoba42QeCsTA8VoFdey3wHMdR8BBbi63dy3j/HAhTA\
        x2Hukt46ok0UTmAlTXOObRCXBoespoxkztNs0qW3yeo079ccKtq1FTNyAVMLOg4pwgcqSThOCxyo6s43K3mXZCoG\
        sir2iTwwDv0nOeds0Fpziwk/Eq++UsAmWd5Hcvr3X841uW6qrLShaPfIkrBdUL5Rk0G5YHKCFawYtZaA4O5x7+l6\
        ConT5Y/2R6RkGNY/iNYSWIa0Lay70SVZZQOCAQYAAoIBAQCfj6t1x0d+sFANzK+ApL7ufhBxmw8pVhWWs7u7uNVU\
        jH4piOWfkCxw1vOnQ4ev1GojKrUXvmDXCq3ETgJkUfQE5r+JAgYnrzcgsJRUO1mFi3LpySvds3j2ZxmMPBRQdzrD\
        gAvUajDexlTrsv1aQ3m+yKMDTa69MxQHHAoMkB1LV4y8km+gJt/aKyxtC2ISuA4u/lE6oUVwlIVu9BV21gu3j2DH\
        Qfkv+yBBJdjtaK1aYOtwajEwbuk1g5X227S3wa9sydFQ5fMe74hFuf/E7S5u1l9DcRl+1OUGSLzlIAgAUtGpEg0I\
        mBcIyZiTZEmpixU50GsjWPAhy+7Ij0Obifkzo0IwQDAdBgNVHQ4EFgQUzXIbmohwo9IDbP6Q04hP9+YaEj4wDwYD\
        VR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwCwYJYIZIAWUDBAMCA0cAMEQCIBiS3/PLm2EnfuT1CmK1bvPS\
        MBQSwFLLx5t1fG7ci11UAiBkeN5kj1gS8r1hZoM3QXk2iNPY3xDlJZlxJiHxipbA9g==
        """)

    /// An end entity that `strongRoot` issued.
    static let underStrong = decode(
        """
        MIIDFDCCArmgAwIBAgIBBjALBglghkgBZQMEAwIwFTETMBEGA1UEAwwKRFNBIFN0cm9uZzAeFw0yNjAxMDEwMDAw\
        MDBaFw0zNTEyMzEyMzU5NTlaMBsxGTAXBgNVBAMMEGFwaS5hY21lLmV4YW1wbGUwggG2MIIBKwYHKoZIzjgEATCC\
        AR4CgYEAsKmN3mSxS3ipIRHpNhA53PStMGe/nw8YeUb5X+BxWHX3yLiLYTImrjoX2KFbJ6NqEGbURgn042ZFOvBp\
        GUwPH+/eOP0m3W8f7KdwOZBhN8IJWwkhufq1kU/Qzkt7+nWo5tehJ7aDG/DH4DimYashUQE//RE/DyTjan+Fy8wt\
        +rMCFQDwOEo/87xAnpq760Wxh28e6GV9qwKBgFI0an+erubp89oYodQgjJeDrtyHXX24LXzZdteTMm2POxmzReP7\
        XJcSbq9bV6Cs82V0BPniT7LvXw5kHGB4v6ObM/9qzUk8GmQJiWLwY45sCxo0Zn2kZoSRaqvdGt8Xm3Tv8bOd3m87\
        feCnDsGPRdF9qRZcWoK3gQ2wc44wYKmPA4GEAAKBgF7EmOfyjbpkUMCUQevbCwrEz3/BCWqm8l8dklZiV0H+7Gho\
        a+eG8D7ylC+PX9lppUz43gXdd90A+QqEUj8rx80w7XVbzq5kS38l+trSHwRuz4B5tLW9du4nab0FwPtOBlbbBEak\
        kyjGnDfK6Zw+gQwJYiwHgu236lqEiqV7DKumo4GTMIGQMB0GA1UdDgQWBBSd9JuWiOiY7Zrml5deN7+jkx/pWTAf\
        BgNVHSMEGDAWgBTNchuaiHCj0gNs/pDTiE/35hoSPjAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDATBgNV\
        HSUEDDAKBggrBgEFBQcDATAbBgNVHREEFDASghBhcGkuYWNtZS5leGFtcGxlMAsGCWCGSAFlAwQDAgNIADBFAiEA\
        n0PGOgTCrS5A2PVY7ySLecM3RE1eJhqwZEkh02OhrVQCIA1QF/QDlA3FxRFXcfbpSor+bVXRJ/Wu3dXJn7veSPSM
        """)

    private static func decode(_ base64: String) -> [UInt8] {
        var octets: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in base64.utf8 where character != UInt8(ascii: "=") {
            guard let digit = alphabet.firstIndex(of: character) else {
                preconditionFailure("not base64")
            }
            bits = bits << 6 | UInt32(digit)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return octets
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
