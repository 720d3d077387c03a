import TrustEngine

/// Dates as other programs and people write them.
enum DateSpelling {
    /// The dates that a text can mean, as the language writes them; at most two. Empty for a text
    /// that is not a date. A text with one meaning has one.
    static func candidates(_ text: String) -> [String] {
        guard text.utf8.count <= 40, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return []
        }
        let found = digits(text) ?? named(text) ?? separated(text) ?? []
        return found.filter { (try? DateScanner.scan($0)) != nil }
    }

    /// Digits alone: a day, the two times of ASN.1 (X.690 sections 11.7 and 11.8), and seconds
    /// since 1970.
    private static func digits(_ text: String) -> [String]? {
        let isZulu = text.last == "Z"
        let digits = Array((isZulu ? text.dropLast() : text[...]).utf8)
        guard digits.allSatisfy(DecimalNumber.isDigit) else { return nil }
        func part(_ start: Int, _ count: Int) -> String {
            String(decoding: digits[start..<start + count], as: UTF8.self)
        }
        func time(_ year: String, _ at: Int) -> String {
            "\(year)-\(part(at, 2))-\(part(at + 2, 2))T\(part(at + 4, 2)):\(part(at + 6, 2)):"
                + "\(part(at + 8, 2))Z"
        }
        switch (digits.count, isZulu) {
        case (8, false): return ["\(part(0, 4))-\(part(4, 2))-\(part(6, 2))"]
        case (14, true): return [time(part(0, 4), 4)]
        // RFC 5280 section 4.1.2.5.1: 50 and above are of the twentieth century.
        case (12, true): return [time((digits[0] >= 0x35 ? "19" : "20") + part(0, 2), 2)]
        case (10, false):
            guard let seconds = Int64(part(0, 10)) else { return nil }
            return ["\(UTCInstant(secondsSinceEpoch: seconds))"]
        default: return []
        }
    }

    /// A month by its name, a day, a year of four digits, and a time if it says GMT or UTC: as
    /// OpenSSL prints the dates of certificates, and as HTTP and mail write theirs.
    private static func named(_ text: String) -> [String]? {
        let words = text.lowercased().split { " ,-".contains($0) }.map(String.init)
        guard
            let month = words.lazy.compactMap({ months.firstIndex(of: String($0.prefix(3))) }).first
        else { return nil }
        var (day, year, time): (String?, String?, String?)
        var isUTC = false
        for word in words {
            let isNumber = word.utf8.allSatisfy(DecimalNumber.isDigit)
            if isNumber, word.utf8.count == 4 {
                year = word
            } else if isNumber, word.utf8.count <= 2 {
                day = word
            } else if word.utf8.count == 8, word.contains(":") {
                time = word
            } else if ["gmt", "utc", "z", "+0000"].contains(word) {
                isUTC = true
            } else if !word.allSatisfy(\.isLetter) {
                return []
            }
        }
        guard let day, let year else { return [] }
        let date = "\(year)-\(padded("\(month + 1)"))-\(padded(day))"
        guard let time else { return [date] }
        return isUTC ? ["\(date)T\(time)Z"] : []
    }

    /// Three numbers with the year last: the day first with dots, the month first or the day first
    /// with slashes.
    private static func separated(_ text: String) -> [String]? {
        guard let mark = text.first(where: { "./-".contains($0) }) else { return nil }
        let parts = text.split(separator: mark, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy(DecimalNumber.isDigit) }),
            (1...2).contains(parts[0].utf8.count), (1...2).contains(parts[1].utf8.count),
            parts[2].utf8.count == 4
        else { return nil }
        let (first, second) = (padded(parts[0]), padded(parts[1]))
        let dayFirst = "\(parts[2])-\(second)-\(first)"
        let monthFirst = "\(parts[2])-\(first)-\(second)"
        return mark == "." || dayFirst == monthFirst ? [dayFirst] : [monthFirst, dayFirst]
    }

    private static func padded(_ number: String) -> String {
        number.utf8.count == 1 ? "0\(number)" : number
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
}
