internal import PolicyCompiler

/// The order of keys, named things and list items in canonical layout.
enum FormatOrder {
    /// Removes from the root, and returns, the comments at the top of the file that a blank line
    /// separates from the first key. They belong to the file, not to its first key. An empty text
    /// ends them.
    static func takeHeader(from root: inout FormatValue) -> [String] {
        guard case .map(var block) = root, !block.items.isEmpty,
            let end = block.items[0].leading.lastIndex(of: "")
        else { return [] }
        let header = Array(block.items[0].leading[...end])
        block.items[0].leading.removeFirst(end + 1)
        root = .map(block)
        return header
    }

    /// Puts the top-level keys in the order of the language, and everything else in order if
    /// `order` says so.
    static func arrange(_ root: inout FormatValue, _ order: PolicyFormatter.Order) {
        guard case .map(var block) = root else { return }
        let names = block.items.map(\.name)
        sort(&block, by: FormatLayout.topLevel)
        // There is nothing above the first key to separate it from.
        if block.items.map(\.name) != names { setOff(&block) }
        if order == .sorted {
            for index in block.items.indices {
                sort(&block.items[index].value, path: [block.items[index].name])
            }
        }
        root = .map(block)
    }

    /// Sorts items by a list of names, keeping the order of equal ones. Items with other names
    /// follow in their old order.
    private static func sort(_ block: inout FormatBlock, by names: [String]) {
        func rank(_ item: FormatItem) -> Int { names.firstIndex(of: item.name) ?? names.count }
        block.items = block.items.enumerated()
            .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }

    /// After items were moved: puts blank lines between all items if there was one between some of
    /// them.
    private static func setOff(_ block: inout FormatBlock) {
        guard block.items.contains(where: \.hasBlankBefore) else { return }
        for index in block.items.indices { block.items[index].hasBlankBefore = index > 0 }
    }

    private static func sort(_ value: inout FormatValue, path: [String]) {
        switch value {
        case .map(var block):
            if let names = keys(at: path) {
                sort(&block, by: names)
            } else {
                block.items.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            }
            for index in block.items.indices {
                sort(&block.items[index].value, path: path + [block.items[index].name])
            }
            setOff(&block)
            value = .map(block)
        case .list(var block):
            guard !FormatLayout.isOrdered(path) else { return }
            block.items.sort { key($0.value).utf8.lexicographicallyPrecedes(key($1.value).utf8) }
            setOff(&block)
            value = .list(block)
        case .scalar, .literal: break
        }
    }

    /// The text by which a list item is sorted: the item without its quotes, and without the
    /// backslashes that the printer writes before quotes of an item that had none around it.
    private static func key(_ value: FormatValue) -> String {
        guard case .scalar(let source) = value else { return "" }
        return source.filter { $0 != "\"" && $0 != "'" && $0 != "\\" }
    }

    /// The keys of the map of the language at a path, in order; nil for a map whose keys are ids.
    private static func keys(at path: [String]) -> [String]? {
        guard let first = path.first else { return FormatLayout.topLevel }
        var shape: MapShape?
        var rest = path.dropFirst()
        switch first {
        case "default": shape = PolicyFields.defaultBody
        case "anchors": shape = PolicyFields.anchorSet
        case "pins": shape = PolicyFields.pinSet
        case "profiles": shape = PolicyFields.profile
        case "rules": shape = PolicyFields.rule
        case "cases": shape = TestFields.testCase
        case "assertions": shape = AssertionFields.assertion
        case "allowances": shape = AllowanceFields.allowance
        case "exports": shape = ExportFields.export
        default: return nil
        }
        if first != "default" {
            guard !rest.isEmpty else { return nil }
            rest = rest.dropFirst()
        }
        while let name = rest.first {
            rest = rest.dropFirst()
            if let inner = shape?.key(name)?.map {
                shape = inner
            } else if !rest.isEmpty, let entryShape = entryShapes[name] {
                // The next key of the path is an id, and its value is a map of the language.
                shape = entryShape
                rest = rest.dropFirst()
            } else {
                return nil
            }
        }
        return shape?.keys.map(\.name)
    }

    /// The shapes of the values in maps whose keys are ids.
    private static let entryShapes: [String: MapShape] = [
        "keys": PolicyFields.pin, "backups": PolicyFields.pin, "only": PolicyFields.keyMatch,
        "exclude": PolicyFields.keyMatch, "forbidden-keys": PolicyFields.forbiddenKey,
        "report-only": PolicyFields.reportOnlyEntry,
    ]
}
