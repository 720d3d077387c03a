/// A polynomial of degree less than 256 modulo X^256 + 1 and q, or its number-theoretic transform.
///
/// It cannot be copied, so that no kilobyte is moved unseen.
struct Polynomial: ~Copyable {
    static let count = 256

    /// The coefficient of X^n is at n. What range they are in, each user says.
    var coefficients = InlineArray<256, Int32>(repeating: 0)

    // MARK: The number-theoretic transform

    /// Replaces the polynomial by its transform (FIPS 204 Algorithm 41), in the order of that
    /// algorithm.
    ///
    /// Bounds: coefficients are between -q and q. Each of the eight layers adds a number between
    /// -q and q to a coefficient, or takes one away, so a coefficient ends between -9q and 9q, and
    /// 9q < 2^27. A product has at most 9q · q/2, within the bound of `Field.reduced`.
    mutating func transform() {
        var power = 0
        var length = 128
        while length > 0 {
            var start = 0
            while start < Polynomial.count {
                power &+= 1
                let zeta = Zetas.powers[power]
                for index in start..<(start &+ length) {
                    let turned = Field.product(zeta, coefficients[index &+ length])
                    let kept = coefficients[index]
                    coefficients[index &+ length] = kept &- turned
                    coefficients[index] = kept &+ turned
                }
                start &+= 2 &* length
            }
            length &>>= 1
        }
    }

    /// Replaces a transform by its polynomial (FIPS 204 Algorithm 42), with coefficients from 0 to
    /// q - 1, times Montgomery's factor 2^32.
    ///
    /// Bounds: coefficients are between -q and q on entry. A layer at most doubles them: a sum is
    /// kept as it is, a difference becomes a product, which is between -q and q. After n layers
    /// they are at most 2^n · (q - 1), after all eight 256 · (q - 1) = 2,145,386,496, which is less
    /// than 2^31 = 2,147,483,648; so no sum and no difference overflows. This holds only because
    /// the entry is reduced: it is the reduction that eprint 2026/1032 found missing elsewhere. A
    /// product has at most 256q · q, which is within the bound of `Field.reduced`.
    mutating func invert() {
        var power = Polynomial.count
        var length = 1
        while length < Polynomial.count {
            var start = 0
            while start < Polynomial.count {
                power &-= 1
                let zeta = Zetas.powers[power]
                for index in start..<(start &+ length) {
                    let first = coefficients[index]
                    let second = coefficients[index &+ length]
                    coefficients[index] = first &+ second
                    coefficients[index &+ length] = Field.product(zeta, second &- first)
                }
                start &+= 2 &* length
            }
            length &<<= 1
        }
        for index in 0..<Polynomial.count {
            coefficients[index] = Field.canonical(
                Field.product(Polynomial.inverseOfCount, coefficients[index]))
        }
    }

    /// 2^64 / 256 modulo q. One factor 2^32 is taken away by the multiplication; the other makes up
    /// for the reduction of the `Accumulator`. A test computes it again.
    static let inverseOfCount: Int32 = 41_978
}

/// A sum of products of transforms, not yet reduced: one row of a matrix times a vector.
struct Accumulator: ~Copyable {
    private var sums = InlineArray<256, Int64>(repeating: 0)

    /// Adds a product.
    ///
    /// Bounds of all: one row has at most seven products of an entry of the matrix, from 0 to
    /// q - 1, and a transform between -9q and 9q, and one of two such transforms (`begin`). The
    /// sum is at most 7 · 9q² + 81q² = 144q². It is within the 256q² of `Field.reduced`, and far
    /// within 2^63.
    mutating func add(_ a: borrowing Polynomial, _ b: borrowing Polynomial) {
        let a = a.coefficients.span
        let b = b.coefficients.span
        for index in 0..<Polynomial.count {
            sums[index] &+= Int64(a[index]) &* Int64(b[index])
        }
    }

    /// Begins a row: minus the product of a transform and the transform that begins at an index of
    /// an array.
    mutating func begin(minus a: borrowing Polynomial, _ b: [Int32], at start: Int) {
        let a = a.coefficients.span
        for index in 0..<Polynomial.count {
            sums[index] = 0 &- Int64(a[index]) &* Int64(b[start &+ index])
        }
    }

    /// The reduced row, times 2^-32. Its coefficients are between -q and q.
    func reduce(into result: inout Polynomial) {
        let sums = sums.span
        for index in 0..<Polynomial.count {
            result.coefficients[index] = Field.reduced(sums[index])
        }
    }
}
